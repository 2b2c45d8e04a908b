import Foundation
import Testing

/// Code that never waits and never asks the time, so that its tests need neither clocks nor threads.
extension HouseRules {
    /// The five pure targets, and a pure folder of another one.
    @Test(arguments: ["ExamCore", "VoiceActivity", "Assessment", "Papers", "Learning", "UploadQueue/Delivery"])
    func pureCodeNeverWaitsAndNeverAsksTheTime(_ target: String) throws {
        let files = try Self.files(of: target)
        #expect(!files.isEmpty)
        for (name, text) in files {
            for complaint in Self.waitsOrAsksTheTime(in: text) { Issue.record("\(name):\(complaint)") }
        }
    }

    /// The state machines of a server's exams: events in, commands out.
    @Test(arguments: ["LiveExam.swift", "Conversation.swift"])
    func theServersMachinesNeverWaitAndNeverAskTheTime(_ file: String) throws {
        let found = try Self.files(of: "ExamNode/Live").filter { $0.name == "ExamNode/Live/\(file)" }
        #expect(found.count == 1)
        for (name, text) in found {
            for complaint in Self.waitsOrAsksTheTime(in: text) { Issue.record("\(name):\(complaint)") }
        }
    }

    /// The other pure targets may import each other, as `mayImport` says.
    @Test(arguments: ["ExamCore", "VoiceActivity", "UploadQueue/Delivery"])
    func theInnermostCodeImportsNothing(_ target: String) throws {
        let files = try Self.files(of: target)
        #expect(!files.isEmpty)
        for (name, text) in files {
            for (number, line) in SwiftCode(of: text).lines.enumerated() {
                #expect(!SwiftCode.words(of: line).contains("import"), "\(name):\(number + 1) imports")
            }
        }
    }

    private static func waitsOrAsksTheTime(in text: String) -> [String] {
        let forbidden: Set = [
            "await", "async", "Clock", "ContinuousClock", "SuspendingClock", "SteadyClock", "now", "Date", "Task",
            "sleep", "usleep", "nanosleep", "clock_gettime", "gettimeofday", "DispatchTime",
        ]
        return SwiftCode(of: text).lines.enumerated().flatMap { number, line in
            // A given moment is often called `now`. Only a member, as in `Instant.now`, asks the time.
            let asksNow = line.replacing("self.now", with: "").contains(".now")
            let words = SwiftCode.words(of: line).filter { $0 != "now" || asksNow }
            return words.filter(forbidden.contains).map { "\(number + 1) says \($0)" }
        }
    }

    @Test func theRuleSeesWhatItForbids() {
        for line in [
            "let a = b / Date().timeIntervalSince1970", "let a = \"at // \\(Date()) of it\"",
            "func wait(_ c: any Clock)", "let s = SteadyClock.now",
            "Task.detached {}", "let n = ContinuousClock().now", "x = 1 /* ) */ + sleep(1)", "return .now",
        ] {
            #expect(Self.waitsOrAsksTheTime(in: "// One.\n" + line).contains { $0.hasPrefix("2 says ") }, "\(line)")
        }
        for line in [
            "// Date", "let a = 1  // Task /* Clock", "/* sleep\nasync */ let a = 1", "let a = \"a Date // of sleep\"",
            "let a = \"\"\"\n  await Date\n  \"\"\"", "handle(event, at: now)", "self.now = now",
        ] {
            #expect(Self.waitsOrAsksTheTime(in: line) == [], "\(line)")
        }
    }
}
