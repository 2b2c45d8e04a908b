import Foundation
import Testing

@testable import Learning

@Suite struct PlanLinkTests {
    private static let links: [(String, String)] = [
        ("sit:full", "oracy run"), ("sit:part2", "oracy run --part 2"),
        ("sit:part2/free time", "oracy run --part 2 --topic 'free time'"),
        ("sit:interview", "oracy run --format interview"),
        ("sit:interview/part4", "oracy run --format interview --part 4"),
        ("drill:idioms-time", "oracy practice --pack idioms-time"),
        ("drill:spoken-english/food", "oracy practice --pack spoken-english --topic food"),
        ("review:2026-11-21-0912-ielts-style", "oracy results 2026-11-21-0912-ielts-style"),
        ("review:last", "oracy results last"),
        ("shadow:idioms-time", "oracy practice speak shadowing --lesson idioms-time"),
        ("lesson:idioms-time", "oracy practice lesson idioms-time"),
        ("speak:shadowing", "oracy practice speak shadowing"),
        ("speak:repeat", "oracy practice speak repeat"), ("speak:4-3-2", "oracy practice speak 4-3-2"),
        ("speak:one-more-sentence", "oracy practice speak one-more-sentence"),
        ("speak:pause-less", "oracy practice speak pause-less"),
        ("test:20261125-1200-3fa1", "oracy practice take 20261125-1200-3fa1"),
        ("test:new", "oracy practice new && oracy practice take"),
    ]

    @Test func linksAreReadAsTheyAreWrittenAndHaveACommand() throws {
        for (text, command) in Self.links {
            let link = try #require(PlanLink(text), "\(text)")
            #expect(link.text == text && link.command == command)
            #expect(link.leastMinutes <= link.usualMinutes && link.leastMinutes >= 5)
        }
        #expect(PlanLink("review:session/12") == .review(session: "12"))
    }

    /// Includes texts that a model may write.
    @Test(arguments: [
        "", "sit", "sit:", "sit:part0", "sit:part4", "sit:part22", "sit:full/food", "sit:interview/part5", "drill:",
        "drill:a/", "drill:a/b/c",
        "drill:--help", "drill:a;rm -rf", "drill:$(x)", "drill:a/-x", "drill:a/b  c", "drill:a/it's", "review:../x",
        "review:session/",
        "lesson:a/b", "shadow:", "speak:singing", "test:", "test:-1", "run:part2", "SIT:full", "lesson:\u{1b}[2J",
    ])
    func otherTextsAreNotLinks(_ text: String) { #expect(PlanLink(text) == nil) }

    // MARK: - Comparison with the command's sources

    private static func source(_ file: String) throws -> String {
        let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
            .path
        return try String(contentsOfFile: "\(top)/\(file)", encoding: .utf8)
    }

    /// Returns the source from a command's type to the next type of its kind.
    private static func body(of type: String, in file: String) throws -> String {
        let text = try source("oracy/\(file)")
        let begin = try #require(text.range(of: "struct \(type):"), "\(type) in \(file)")
        let rest = text[begin.upperBound...]
        return String(
            rest[
                ..<(rest.range(
                    of: "AsyncParsableCommand", range: rest.index(rest.startIndex, offsetBy: 30)..<rest.endIndex)?
                    .lowerBound ?? rest.endIndex)])
    }

    @Test func everyCommandAndOptionIsThere() throws {
        let practice = try Self.source("oracy/Practice/PracticeCommand.swift")
        #expect(
            practice.contains("commandName: \"practice\"") && practice.contains("defaultSubcommand: DrillCommand.self"))
        let top = try Self.source("oracy/Oracy.swift")
        for command in ["RunCommand", "ExamResultsCommand", "PracticeCommand"] {
            #expect(top.contains("\(command).self"))
        }
        for command in ["Take", "New", "Speak", "LessonPage"] { #expect(practice.contains("\(command).self")) }
        let shared = try Self.source("oracy/Papers/PaperArguments.swift")
        // The commands by the words after `oracy`, up to the first option or value.
        let homes: [String: (body: String, arguments: Int)] = [
            "run": (try Self.body(of: "RunCommand", in: "RunCommand.swift") + shared, 0),
            "results": (try Self.body(of: "ExamResultsCommand", in: "Results/ExamResultsCommand.swift"), 1),
            "practice": (try Self.body(of: "DrillCommand", in: "Practice/DrillCommand.swift"), 0),
            "practice speak": (try Self.body(of: "Speak", in: "Practice/SpeakCommand.swift"), 1),
            "practice lesson": (try Self.body(of: "LessonPage", in: "Practice/LessonCommands.swift"), 1),
            "practice take": (try Self.body(of: "Take", in: "Practice/TakeCommand.swift"), 1),
            "practice new": (try Self.body(of: "New", in: "Practice/PracticeCommand.swift"), 1),
        ]
        for (text, _) in Self.links {
            for words in try #require(PlanLink(text)).arguments {
                let second = words.count > 1 && words[0] == "practice" && !words[1].hasPrefix("-") ? " \(words[1])" : ""
                let name = words[0] + second
                let home = try #require(homes[name], "\(name)")
                var rest = words.dropFirst(second.isEmpty ? 1 : 2)
                var values = 0
                while let word = rest.popFirst() {
                    guard word.hasPrefix("--") else {
                        values += 1
                        continue
                    }
                    let option = try Regex("@Option[^@]*?var \(word.dropFirst(2))\\b")
                    #expect(home.body.contains(option), "\(name) \(word)")
                    _ = rest.popFirst()
                }
                #expect(
                    values <= home.arguments && (home.arguments == 0 || home.body.contains("@Argument")), "\(words)")
            }
        }
        #expect(try Self.source("oracy/Practice/LessonCommands.swift").contains("commandName: \"lesson\""))
        #expect(try Self.source("oracy/Results/ExamResultsCommand.swift").contains("commandName: \"results\""))
    }

    /// These names are written in two places, because this module does not import the others.
    @Test func namesAreThoseOfTheOtherModules() throws {
        func cases(_ type: String, _ file: String) throws -> String {
            let text = try Self.source(file)
            let begin = text.range(of: "enum \(type):")?.upperBound
            #expect(begin != nil, "\(type) in \(file)")
            return String(text[(begin ?? text.endIndex)...].prefix(1200))
        }
        let drills = try cases("SpokenDrill", "Study/Practice/SpokenDrill.swift")
        for kind in PlanLink.Spoken.allCases {
            #expect(drills.contains("\"\(kind.rawValue)\"") || drills.contains("case \(kind.rawValue)\n"))
        }
        let measures = try cases("ProgressMeasure", "Assessment/Findings/ProgressMeasure.swift")
        for measure in PlanEvidence.Measure.allCases { #expect(measures.contains(measure.rawValue)) }
        let criteria = try cases("Criterion", "Assessment/Marks/Criterion.swift")
        for skill in PlanEvidence.Skill.allCases { #expect(criteria.contains("case \(skill.rawValue)\n")) }
        struct Format: Decodable {
            struct Part: Decodable {}
            var parts: [Part]
        }
        for (format, name) in [(PlanFormat.exam, "ielts-style"), (.interview, "interview")] {
            let text = try Self.source("ExamKit/Formats/\(name).json")
            let parts = try JSONDecoder().decode(Format.self, from: Data(text.utf8)).parts
            #expect(parts.count == PlanLink.Sitting.partCount(of: format))
        }
    }
}
