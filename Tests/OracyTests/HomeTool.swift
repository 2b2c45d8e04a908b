import Foundation
import SessionFolders
import TestSupport
import Testing
import VirtualDevices

/// Plain `oracy`, and misspelt commands.
@Suite(.needs(FalseTime.obstacle)) struct HomeTool {
    @Test(arguments: [
        (["practise"], "oracy practice"), (["practise", "drill", "--due"], "oracy practice drill --due"),
        (["practice", "tets"], "oracy practice tests"), (["resutls"], "oracy results"),
    ]) func aMisspeltCommandNamesTheRightOne(_ words: [String], _ meant: String) throws {
        let home = try Home()
        let result = try Tool.run(words, home: home.path)
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors == "oracy: there is no such command. Did you mean `\(meant)`?\n")
    }

    @Test func anUnknownWordOrOptionKeepsItsOwnMessage() throws {
        let home = try Home()
        for words in [["xylophone"], ["results", "--jsn"]] {
            let result = try Tool.run(words, home: home.path)
            #expect(result.code == 64 && !result.errors.contains("no such command"), "\(result)")
        }
    }

    @Test func aMisspeltTopicNamesTheRightOne() throws {
        let home = try Home()
        let result = try Tool.run(["practice", "--topic", "fod"], home: home.path)
        #expect(result.code == 66 && result.errors.contains("did you mean food?"), "\(result)")
    }

    @Test func aNewLearnerSeesHowToBegin() throws {
        let home = try Home()
        let result = try Tool.run([], home: home.path)
        #expect(result.code == 0 && result.errors.isEmpty)
        for command in ["oracy run --part 1", "oracy plan setup", "oracy --help"] {
            #expect(result.output.contains(command), "\(result.output)")
        }
        #expect(!result.output.contains("Go on"))
    }

    /// An exam is practice: it makes a streak, and its minutes count.
    @Test func theLastExamAndTheUnfinishedOneAreOnOneScreen() throws {
        let home = try MeasuredHome()
        home.environment = try ToolClock(in: home.home).environment
        let last = try home.session("2026-11-23T08:05:00Z")
        let left = try home.session("2026-11-23T08:01:00Z", speaking: nil, isPart: true)
        try FileManager.default.removeItem(atPath: "\(left.path)/manifest.json")
        let result = try home.oracy()
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(result.code == 0 && lines.count <= 21 && lines.allSatisfy { $0.count <= 80 }, "\(result)")
        #expect(lines.contains { $0.hasSuffix("oracy resume \(left.name)") }, "\(result)")
        #expect(lines.contains { $0.hasSuffix("oracy results \(last.name)") }, "\(result)")
        #expect(result.output.contains("Streak    1 day\n"), "\(result)")
        let statistics = try home.oracy("practice", "statistics").output
        #expect(!statistics.contains("not practised") && statistics.contains("1.3 minutes"), "\(statistics)")
    }

    /// A single part is practice, and no exam: it makes a streak, but is neither the last exam nor compared with exams.
    @Test func aSinglePartIsPractice() throws {
        let home = try MeasuredHome()
        home.environment = try ToolClock(in: home.home).environment
        let part = try home.session("2026-11-23T08:05:00Z", isPart: true)
        #expect(try !home.oracy().output.contains("Last exam"))
        let exam = try home.session("2026-11-22T08:05:00Z")
        let result = try home.oracy()
        #expect(result.output.contains("oracy results \(exam.name)\n"), "\(result)")
        #expect(result.output.contains("Streak    2 days\n"), "\(result)")
        let progress = try #require(try home.json("progress") as? [String: Any])
        let exams = try #require(progress["exams"] as? [[String: Any]])
        #expect(exams.map { $0["session"] as? String } == [exam.name], "\(progress) \(part.name)")
    }
}
