import Foundation
import Glibc
import Testing

/// `oracy sessions` on a shelf with a completed, a killed and a broken session.
@Suite struct SessionsTool {
    private static let over = "2026-11-20-1805-ielts-style"
    private static let killed = "2026-11-21-0912-ielts-style"
    private static let broken = "2026-11-22-0700-toefl-2026"

    private let home: Home
    private var shelf: String { home.path + "/.local/share/oracy/sessions" }

    /// Made once, and copied for each test. Statics are never released, so it is removed at exit.
    private static let template: Result<Home, any Error> = Result { () throws -> Home in
        let home = try Home()
        atexit {
            if let home = try? SessionsTool.template.get() { try? FileManager.default.removeItem(atPath: home.path) }
        }
        for (scenario, id) in [("withdraws-in-part-2", over), ("no-pause-in-a-test", killed)] {
            let folder = "\(home.path)/sessions/\(id)"
            let replay = ["replay", "\(Tool.fixtures)/scenarios/\(scenario)", "--output", folder]
            try #require(Tool.run(replay, home: home.path).code == 0)
            let day = id.prefix(10)
            try home.write(
                """
                { "version": 1, "startedAt": "\(day)T09:12:29Z", "folders": [], "voice": [],
                  "consent": { "words": "I agree.", "givenAt": "\(day)T09:12:20Z" } }
                """, to: "sessions/\(id)/session.json")
        }
        let folder = "\(home.path)/sessions/\(killed)"
        try FileManager.default.removeItem(atPath: folder + "/manifest.json")
        let lines = try String(contentsOfFile: folder + "/log.jsonl", encoding: .utf8).split(separator: "\n")
        let closed = try #require(lines.lastIndex { $0.contains("closeTake") })
        let text = lines[..<closed].joined(separator: "\n") + "\n{\"at\":"  // The kill came in the middle of a line.
        try home.write(text, to: "sessions/\(killed)/log.jsonl")
        try home.write("{ \"format\": 1 }", to: "sessions/\(broken)/exam.json")
        return home
    }

    init() throws {
        home = try Home()
        try home.write("", to: ".local/share/oracy/here")
        try FileManager.default.copyItem(atPath: Self.template.get().path + "/sessions", toPath: shelf)
    }

    private func run(_ arguments: String..., input: PseudoTerminal? = nil) throws -> Tool.Result {
        try Tool.run(["sessions"] + arguments, home: home.path, input: input)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: shelf).sorted() }

    // MARK: - list

    @Test(arguments: [[], ["list"]])
    func theListIsATable(_ arguments: [String]) throws {
        let result = try Tool.run(["sessions"] + arguments, home: home.path)
        #expect(result.code == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("session                      exam"), "\(result.output)")
        #expect(lines[0].hasSuffix("answers  speech"))
        #expect(lines.contains { $0.hasPrefix(Self.broken) && $0.contains("cannot be read") })
        #expect(lines.contains { $0.hasPrefix(Self.killed) && $0.contains("  left at part2_q2  ") })
        let over = "  part 2  withdrawn               1    0:14"
        #expect(lines.contains { $0.hasPrefix(Self.over) && $0.hasSuffix(over) }, "\(result.output)")
        let reason = "oracy: \(shelf)/\(Self.broken)/exam.json: does not describe a session's exam\n"
        #expect(result.errors == reason)
    }

    @Test func aProgramGetsTheListAsJSON() throws {
        let result = try run("--json")
        #expect(result.code == 0 && result.errors.isEmpty)
        let list = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(list.count == 3)
        let over = try #require(list.first { $0["id"] as? String == Self.over })
        #expect(over["state"] as? String == "over" && over["outcome"] as? String == "withdrawn")
        #expect(over["startedAt"] as? String == "2026-11-20T09:12:29Z")
        #expect(over["answers"] as? Int == 1)
        let killed = try #require(list.first { $0["id"] as? String == Self.killed })
        let place = try #require(killed["at"] as? [String: Any])
        #expect(place["stage"] as? String == "turn" && place["part"] as? Int == 2 && place["question"] as? Int == 2)
        let broken = try #require(list.first { $0["id"] as? String == Self.broken })
        #expect(broken["state"] as? String == "broken")
        #expect((broken["problem"] as? String)?.contains("/exam.json: ") == true)
    }

    @Test func anEmptyShelfIsNotAMistake() throws {
        let empty = try Home()
        let result = try Tool.run(["sessions"], home: empty.path)
        #expect(result.code == 0)
        #expect(result.output == "There are no sessions in \(empty.path)/.local/share/oracy/sessions.\n")
        #expect(try Tool.run(["sessions", "--json"], home: empty.path).output == "[\n\n]\n")
        #expect(try Tool.run(["sessions", "erase", "--all", "--yes"], home: empty.path).code == 0)
        #expect(try Tool.run(["sessions", "show", "last"], home: empty.path).code == 66)
    }

    // MARK: - show

    @Test func aSessionIsShownWithWhatToDoNext() throws {
        let over = try run("show", Self.over)
        #expect(over.code == 0)
        #expect(over.output.contains("question     began  length  speech  ended by    file"))
        #expect(over.output.contains("withdrawn; 1 answer with 0:14 of speech\n"))
        #expect(over.output.contains("listen   paplay \(shelf)/\(Self.over)/takes/part2_q1.opus\n"))
        #expect(!over.output.contains("oracy resume"))
        let killed = try run("show", "2026-11-21")
        #expect(killed.output.contains("left at part2_q2; 2 answers with"), "\(killed.output)")
        #expect(killed.output.contains("go on    oracy resume \(Self.killed)\n"))
        let broken = try run("show", Self.broken)
        #expect(broken.output.contains("cannot be read; 0 answers"))
        #expect(broken.output.contains("problem  \(shelf)/\(Self.broken)/exam.json: "))
    }

    @Test func aProgramGetsTheTakes() throws {
        let result = try run("show", Self.over, "--json")
        let session = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let takes = try #require(session["takes"] as? [[String: Any]])
        #expect(takes.first?["file"] as? String == "takes/part2_q1.opus")
        #expect((takes.first?["sha256"] as? String)?.count == 64)
    }

    @Test func aMissingSessionIsNamed() throws {
        for command in [["show"], ["erase", "--yes"]] {
            let result = try Tool.run(["sessions"] + command + ["1999"], home: home.path)
            #expect(result.code == 66)
            #expect(result.errors.hasPrefix("oracy: session \"1999\": does not exist ("), "\(result.errors)")
        }
        #expect(try run("show", "2026").errors.contains("3 of 3 begin with this"))
        #expect(try run("show").code == 64)
        #expect(try run("dance").code == 64)
    }

    // MARK: - export

    @Test func aSessionIsExportedOnce() throws {
        let target = home.path + "/copy"
        let result = try run("export", Self.over, target, "--wav")
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("\(Self.over) is in \(target): 6 files, "), "\(result.output)")
        #expect(FileManager.default.fileExists(atPath: target + "/takes/part2_q1.wav"))
        let again = try run("export", Self.over, target)
        #expect(again.code == 73)
        #expect(again.errors == "oracy: \(target): name a folder that is empty or new\n")
        let report = try run("export", Self.over, home.path + "/second", "--json")
        let json = try #require(JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any])
        #expect((json["files"] as? [String])?.last == "exam.json")
        // A copy is shown by its path, and played from there.
        #expect(try run("show", target + "/").output.contains("listen   paplay \(target)/takes/"))
    }

    // MARK: - erase

    @Test func erasedFilesArePrintedAndGone() throws {
        let result = try run("erase", Self.over, "2026-11-21", "2026-11-21", "--yes")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("\(Self.over)\n  takes/part2_q1.opus"), "\(result.output)")
        #expect(result.output.components(separatedBy: "\nerased: ").count == 3)
        #expect(try names() == [Self.broken])
    }

    @Test func erasingAsksFirst() throws {
        let result = try run("erase", Self.over)
        #expect(result.code == 64)
        #expect(result.errors.contains("Add --yes"))
        #expect(try run("erase").code == 64)
        #expect(try run("erase", Self.over, "--all", "--yes").code == 64)
        #expect(try run("erase", "", "--yes").code == 66)
        #expect(try run("erase", Self.over, "1999", "--yes").code == 66)
        #expect(try names().count == 3)
    }

    @Test(arguments: [
        ("y\n", true), ("yes\n", true), ("n\n", false), ("\n", false), ("what?\n", false), ("\u{4}", false),
    ])
    func aTerminalAsksForConfirmation(_ typed: String, _ agrees: Bool) throws {
        let result = try run("erase", Self.over, input: PseudoTerminal(typing: typed))
        #expect(result.code == 0)
        #expect(result.errors.hasPrefix("Permanently erase \(Self.over) with 1 answer, "), "\(result.errors)")
        #expect(result.errors.hasSuffix(" KB? (y/n) "), "\(result.errors)")
        #expect(try names().contains(Self.over) == !agrees)
        if !agrees { #expect(result.output == "Nothing was erased.\n") }
    }

    @Test func allAreErasedButTheOneThatIsHeld() throws {
        let log = open("\(shelf)/\(Self.killed)/log.jsonl", O_RDWR | O_CLOEXEC)
        try #require(flock(log, LOCK_EX | LOCK_NB) == 0)
        #expect(try run().output.contains("  in use  "))
        #expect(try run("export", Self.killed, home.path + "/copy").code == 73)
        let result = try run("erase", "--all", "--yes", "--json")
        #expect(result.code == 73)
        #expect(
            result.errors
                == "oracy: \(shelf)/\(Self.killed): another program is using this session; end it and try again\n")
        let erased = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(Set(erased.compactMap { $0["id"] as? String }) == [Self.over, Self.broken])
        #expect((erased.last?["removed"] as? [[String: Any]])?.last?["name"] as? String == ".")
        #expect(try names() == [Self.killed])
        close(log)
        #expect(try run("erase", "last", "--yes").code == 0)
        #expect(try names().isEmpty)
    }

    @Test func aForeignFileKeepsItsFolder() throws {
        try home.write("Dear aunt", to: ".local/share/oracy/sessions/\(Self.over)/letter.txt")
        let result = try run("erase", Self.over, "--yes")
        #expect(result.code == 0)
        #expect(
            result.errors
                == "oracy: \(shelf)/\(Self.over): was kept, because it contains other files: letter.txt\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(shelf)/\(Self.over)") == ["letter.txt"])
    }
}
