import Assessment
import Foundation
import Glibc
import SessionFolders
import Testing

@testable import oracy

/// `oracy mark` and `oracy agreement` from the point of view of a person and a program.
@Suite struct MarkTool {
    private static let id = "2026-11-20-1805-ielts-style"
    private let home: Home
    private var folder: String { "\(home.path)/.local/share/oracy/sessions/\(Self.id)" }

    /// A replayed exam of Part 2 with one answer. It is made once.
    private static let template: Result<Home, any Error> = Result { () throws -> Home in
        let home = try Home()
        atexit {
            if let home = try? MarkTool.template.get() { try? FileManager.default.removeItem(atPath: home.path) }
        }
        let replay = ["replay", "\(Tool.fixtures)/scenarios/withdraws-in-part-2", "--output", "\(home.path)/\(id)"]
        try #require(Tool.run(replay, home: home.path).code == 0)
        return home
    }

    init() throws {
        home = try Home()
        try home.write("", to: ".local/share/oracy/sessions/.here")
        try FileManager.default.copyItem(atPath: Self.template.get().path + "/" + Self.id, toPath: folder)
    }

    private func mark(_ arguments: String..., input: PseudoTerminal? = nil) throws -> Tool.Result {
        try Tool.run(["mark", "last"] + arguments, home: home.path, input: input)
    }

    private func sheets() throws -> [MarkSheet] { try SessionFolder.open(at: folder).readMarks() }

    @Test func twoPeoplesMarksMakeABandWithItsSource() throws {
        let ada = try mark(
            "--as", "Ada", "--fluency", "6.5", "--vocabulary", "6", "--grammar", "6", "--pronunciation", "7", "--topic",
            "7",
            "--comment", "part2_q1@12.5: looks for a word")
        #expect(ada.code == 0, "\(ada.errors)")
        #expect(ada.output == "Saved: Ada's marks of \(Self.id).\n", "another marker's marks are not shown")
        let bo = try mark(
            "--as", "Bo", "--fluency", "6", "--vocabulary", "6.5", "--grammar", "6", "--pronunciation", "6.5", "--show")
        #expect(bo.output.contains("Ada   Bo  result\n"), "\(bo.output)")
        #expect(bo.output.contains("fluency and coherence           6.5    6    6.25\n"), "\(bo.output)")
        #expect(bo.output.contains("\noverall 6, unofficial (rules ielts-style/2, bands/1)\n"), "\(bo.output)")
        #expect(bo.output.contains("fluency and coherence: the mean of Ada and Bo, people\n"))
        #expect(bo.output.contains("part2_q1 at 12.5 s, Ada: looks for a word"))
        let saved = try sheets()
        #expect(saved.map(\.marker) == ["Ada", "Bo"])
        #expect(saved[0].rubric == "ielts-style/1" && saved[0].topicRelevance == 7 && saved[1].topicRelevance == nil)
        var status = stat()
        #expect(stat(folder + "/marks.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func aProgramGetsMarksResultAndTheRecordingsTheyRestOn() throws {
        let result = try mark("--as", "Ada", "--fluency", "6.5", "--json")
        let json = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect((json["sheets"] as? [[String: Any]])?.first?["marker"] as? String == "Ada")
        let whole = try #require(json["result"] as? [String: Any])
        let reason = (whole["overall"] as? [String: Any])?["missing"] as? String
        #expect(reason == "no mark for vocabulary, grammar, pronunciation")
        let fluency = (whole["criteria"] as? [String: Any])?["fluency"] as? [String: Any]
        let evidence = try #require((fluency?["evidence"] as? [[String: Any]])?.first)
        let takes = try #require(try SessionFolder.open(at: folder).readManifest()).takes
        #expect(evidence["recordings"] as? [String] == takes.map(\.sha256))
    }

    @Test func othersMarksAreHiddenUntilTheMarkersOwnAreSaved() throws {
        _ = try mark("--as", "Ada", "--fluency", "6.5", "--comment", "part2_q1@2: a secret")
        for arguments in [["--show"], ["--show", "--json"]] {
            let peek = try Tool.run(["mark", "last", "--as", "Bo"] + arguments, home: home.path)
            #expect(peek.code == 77)
            #expect(
                peek.errors == "oracy: Bo has not marked \(Self.id) yet; other people's marks are shown after that\n",
                "\(peek.errors)")
            #expect(peek.output.isEmpty)
        }
        #expect(try mark("--as", "Ada", "--show").output.contains("a secret"))
    }

    @Test func markingAgainChangesWhatIsNamed() throws {
        _ = try mark("--as", "Ada", "--fluency", "6.5", "--grammar", "5")
        _ = try mark("--as", "Ada", "--fluency", "7")
        let sheet = try #require(try sheets().first)
        #expect(sheet.bands == [.fluency: 7, .grammar: 5])
        #expect(try sheets().count == 1)
    }

    @Test(arguments: [
        (["--fluency", "7.3"], "oracy: fluency: 7.3 is not a half band; marks are 0, 0.5, 1 … 9\n"),
        (["--topic", "10"], "oracy: topic: 10.0 is not a half band; marks are 0, 0.5, 1 … 9\n"),
        (["--comment", "part9_q1@1: x"], "oracy: comment: there is no answer part9_q1\n"),
        (
            ["--comment", "part2_q1@99: x"],
            "oracy: comment: part2_q1 is 19.6 s long, so there is nothing at 99.0 s\n"
        ),
        (["--comment", "slow"], "oracy: comment \"slow\": write it as part2_q1@12.5: what you heard\n"),
        (["--as", " ", "--fluency", "6"], "oracy: marker's name: use 1 to 60 characters\n"),
        ([], "oracy: cannot ask for marks without a terminal; give them (--fluency 6.5 …), or --show\n"),
    ])
    func aMistakeGetsOneSentenceAndKeepsNothing(_ arguments: [String], _ sentence: String) throws {
        let name = arguments.contains("--as") ? [] : ["--as", "Ada"]
        let result = try Tool.run(["mark", "last"] + name + arguments, home: home.path)
        #expect(result.code == 65)
        #expect(result.errors == sentence)
        #expect(result.output.isEmpty && !FileManager.default.fileExists(atPath: folder + "/marks.json"))
    }

    @Test func anUnfinishedExamIsNotMarked() throws {
        try FileManager.default.removeItem(atPath: folder + "/manifest.json")
        let result = try mark("--as", "Ada", "--fluency", "6")
        #expect(result.code == 66)
        #expect(result.errors == "oracy: \(folder): the exam is not over, so there is nothing to mark yet\n")
    }

    @Test func rulesAreAFile() throws {
        let file = home.path + "/rules.json"
        var rules = ResultRules.ielts
        (rules.id, rules.weights[.pronunciation]) = ("mine/2", 5)
        try home.write(String(decoding: JSONEncoder().encode(rules), as: UTF8.self), to: "rules.json")
        let marks = ["--as", "Ada", "--fluency", "6", "--vocabulary", "6", "--grammar", "6", "--pronunciation", "8"]
        let result = try Tool.run(["mark", "last", "--show", "--rules", file] + marks, home: home.path)
        #expect(result.output.contains("\noverall 7, unofficial (rules mine/2, bands/1)\n"), "\(result.output)")
        // Every command uses the file in the data folder.
        try home.write(
            String(decoding: JSONEncoder().encode(rules), as: UTF8.self), to: ".local/share/oracy/rules.json")
        let own = try Tool.run(["results", "last"], home: home.path)
        #expect(own.output.contains("rules mine/2"), "\(own.output)\(own.errors)")
        rules.weights[.pronunciation] = -1
        try home.write(String(decoding: JSONEncoder().encode(rules), as: UTF8.self), to: "rules.json")
        let refused = try mark("--as", "Ada", "--show", "--rules", file)
        #expect(refused.code == 65 && refused.errors.hasPrefix("oracy: \(file): weights: "), "\(refused.errors)")
    }

    // MARK: - At a terminal

    @Test func atATerminalOneMarksAndSeesTheOthersAfterwards() throws {
        _ = try mark("--as", "Ada", "--fluency", "6.5", "--comment", "part2_q1@2: a secret")
        let typed = "fluency 6\ncomment part2_q1@3: slow here\nsave\n"
        let result = try mark("--as", "Bo", input: PseudoTerminal(typing: typed))
        #expect(result.code == 0, "\(result.errors)")
        let halves = result.output.components(separatedBy: "Saved.\n")
        #expect(halves.count == 2)
        #expect(
            !halves[0].contains("Ada") && !halves[0].contains("secret") && !halves[0].contains("6.5"), "\(halves[0])")
        #expect(halves[0].contains("1  part2_q1  19.6 s  "), "\(halves[0])")
        #expect(halves[1].contains("Ada  Bo  result\n") && halves[1].contains("slow here"), "\(result.output)")
        #expect(try sheets().map(\.marker) == ["Ada", "Bo"])
    }

    @Test(arguments: ["fluency 6\nquit\n", "fluency 6\n\u{4}"])
    func leavingSavesNothing(_ typed: String) throws {
        let result = try mark("--as", "Bo", input: PseudoTerminal(typing: typed))
        #expect(result.code == 0)
        #expect(result.output.hasSuffix("Nothing was saved.\n"))
        #expect(try sheets().isEmpty)
    }

    // MARK: - The desk

    private func desk() throws -> MarkDesk {
        let takes = try SessionFolder.open(at: folder).answersToMark()
        return MarkDesk(
            MarkDraft(marker: "Ada", takes: takes, sheets: []), questions: ["bridge-card": "Describe a bridge"])
    }

    @Test func enterPausesAndResumes() throws {
        var desk = try desk()
        #expect(desk.handle("", playingAt: nil).say == ["Type an answer's number to hear it."])
        #expect(desk.handle("1", playingAt: nil) == .init(say: ["Describe a bridge"], play: .play(0, from: .zero)))
        #expect(
            desk.handle("", playingAt: .seconds(5)) == .init(say: ["Paused: part2_q1 at 5.0 s."], play: .stop))
        #expect(desk.handle("", playingAt: nil) == .init(play: .play(0, from: .seconds(5))))
        #expect(desk.handle("back", playingAt: .seconds(7)) == .init(play: .play(0, from: .seconds(4))))
        #expect(desk.handle("b", playingAt: nil) == .init(play: .play(0, from: .seconds(1))))
        #expect(desk.handle("b", playingAt: nil) == .init(play: .play(0, from: .zero)))
        #expect(desk.handle("2", playingAt: nil).say == ["There is no answer 2. Choose 1 to 1."])
    }

    @Test func aCommentHasTheTimeOfThePlayback() throws {
        var desk = try desk()
        #expect(desk.handle("c slow", playingAt: nil).say.first?.hasPrefix("listen to an answer first") == true)
        _ = desk.handle("1", playingAt: nil)
        #expect(desk.handle("c slow \u{1B}[2J", playingAt: .milliseconds(2500)).say == ["part2_q1 at 2.5 s: slow [2J"])
        #expect(desk.draft.sheet.comments == [MarkComment(answer: "part2_q1", at: 2.5, text: "slow [2J")])
    }

    @Test func aMarkIsAnsweredByItsDescriptors() throws {
        var desk = try desk()
        let said = desk.handle("fluency 6.5", playingAt: nil).say
        #expect(said.count == 3 && said[0] == "fluency 6.5")
        #expect(desk.handle("p 7", playingAt: nil).say.first == "pronunciation 7")
        #expect(
            desk.handle("fluency 7.3", playingAt: nil).say == ["\"7.3\" is not a half band. Marks are 0, 0.5, 1 … 9."])
        #expect(
            desk.handle("sing", playingAt: nil).say == [
                "\"sing\" is not a command. Type \"help\" to list the commands."
            ])
        #expect(desk.handle("d grammar", playingAt: nil).say.count == 11)
        #expect(desk.draft.sheet.bands == [.fluency: 6.5, .pronunciation: 7])
        #expect(desk.handle("save", playingAt: nil).end == .save)
    }

    @Test func anEmptySheetIsNotSaved() throws {
        var desk = try desk()
        #expect(desk.handle("save", playingAt: nil).end == nil)
    }

    // MARK: - Agreement

    @Test func agreementNeedsEnoughExams() throws {
        _ = try mark("--as", "Ada", "--fluency", "6.5")
        _ = try mark("--as", "Bo", "--fluency", "7")
        let few = try Tool.run(["agreement"], home: home.path)
        #expect(few.code == 0)
        #expect(few.output.contains("fluency and coherence               1         -      -\n"), "\(few.output)")
        #expect(few.output.hasSuffix("Figures need at least 20 exams that two people have marked.\n"))
        for number in 1...19 {
            try FileManager.default.copyItem(atPath: folder, toPath: folder + "-\(number)")
        }
        let enough = try Tool.run(["agreement", "--json"], home: home.path)
        let json = try #require(JSONSerialization.jsonObject(with: Data(enough.output.utf8)) as? [String: Any])
        let fluency = try #require(json["fluency"] as? [String: Any])
        #expect(fluency["exams"] as? Int == 20 && fluency["meanDifference"] as? Double == 0.5)
    }
}
