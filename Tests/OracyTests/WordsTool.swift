import Assessment
import Assessors
import ExamCore
import ExamKit
import Foundation
import Hearing
import SessionFolders
import TestSupport
import Testing

@testable import oracy

/// The recogniser on this machine, as a learner uses it. Its worker replays words.
@Suite(.needs(ReplayedWords.obstacle), .endsIfItHangs) struct WordsTool {
    private let home: MeasuredHome
    private let folder: SessionFolder
    private let words: TemporaryFolder

    init() throws {
        home = try MeasuredHome()
        words = try TemporaryFolder()
        folder = try home.session("2026-11-20T18:05:00Z", speaking: nil)
    }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(
            arguments, home: home.home.path,
            environment: [
                "ORACY_WORDS": words.path + "/words", "ORACY_WORDS_PROGRAM": ReplayedWords.program,
            ])
    }

    private func install(_ script: String) throws {
        try ReplayedWords.install(in: words.path + "/words", script)
    }

    @Test func withoutARecogniserATrialSaysWhatToDo() throws {
        let tried = try tool("words", "try", Tool.fixtures + "/answers/because.flac")
        #expect(tried.code == 66 && tried.errors.contains("run oracy words install"), "\(tried.errors)")
        #expect(try tool("assess", "last").code == 66, "no assessor is set up")
    }

    @Test func aTrialShowsWordsWithTheirTimes() throws {
        try install("say Because it is close.")
        let file = Tool.fixtures + "/answers/because.flac"
        let tried = try tool("words", "try", file)
        #expect(tried.code == 0, "\(tried.errors)")
        let lines = tried.output.split(separator: "\n")
        #expect(lines.count == 5 && lines[0].contains(/^\d+\.\d\d  \d+\.\d\d  \(Because\)$/), "\(tried.output)")
        #expect(lines.last?.hasPrefix("4 words in ") == true)
        let read = try JSONSerialization.jsonObject(with: Data(try tool("words", "try", "--json", file).output.utf8))
        let json = try #require(read as? [String: Any])
        #expect(json["text"] as? String == "Because it is close." && (json["words"] as? [Any])?.count == 4)
        #expect(json["processorSeconds"] as? Double == 1.5)
        #expect(try tool("words", "try", "/nowhere.flac").code != 0)
    }

    @Test func answersAreWrittenDownAndRead() throws {
        try install("say I walked over the bridge.")
        let first = try tool("assess", "last")
        #expect(first.code == 0 && first.output.contains("part2_q1  words: "), "\(first.errors)\(first.output)")
        #expect(try tool("assess", "last").output.contains("All answers were assessed before."))
        let results = try tool("results", "last").output
        #expect(results.contains("heard by words") && results.contains("I walked over the bridge."), "\(results)")
        #expect(try tool("report", "last").code == 0)
        let page = try String(contentsOfFile: folder.path + "/report.html", encoding: .utf8)
        #expect(page.contains("as words heard it") && page.contains("I walked over the bridge."))
        #expect(try tool("assess", "list").output.contains("stays on this machine"))
    }

    @Test func itIsSwitchedOffAndOnByName() throws {
        try install("say yes")
        #expect(try tool("assess", "without", "words").code == 0)
        #expect(try tool("assess", "without", "words").code == 66)
        #expect(try tool("assess", "last").code == 66)
        let on = try tool("assess", "with", "words")
        #expect(on.code == 0, "\(on.errors)")
        #expect(try tool("assess", "last").output.contains("part2_q1  words: "))
    }

    /// Measurements that are stored already are made again with the phones, once.
    @Test func phonesThatWereHeardChooseTheCalibration() throws {
        let before = try #require(try SessionAssessing.assessment(of: folder).answers.first)
        #expect(before.delivery.calibration == DeliveryCalibration.builtIn.id)
        var finding = AssessorFinding(
            answer: before.record.name, recording: before.recording,
            source: MarkSource(kind: .machine, id: "words", version: "1"), saidAt: "2026-11-20T18:10:00Z")
        finding.phones = HeardPhones((0..<200).map { (start: 1 + 0.1 * Double($0), clarity: -0.2) })
        try folder.keep(finding)
        let after = try SessionAssessing.assessment(of: folder)
        #expect(after.answers.first?.delivery.calibration == DeliveryCalibration.builtInWithPhones.id)
        #expect(after.answers.first?.delivery.measures == before.delivery.measures)
        #expect(try folder.readAssessment() == after)
        #expect(try SessionAssessing.assessment(of: folder) == after)
    }

    // MARK: - During an exam

    /// Returns the recogniser that the tool would use during an exam.
    private func live(lastWait: Duration) throws -> LiveWords {
        let files = try #require(WordsFiles(in: words.path + "/words"))
        let recogniser = HeardHere(WordsHere(Hearer(files, program: ReplayedWords.program)))
        let assessors = AssessorsHome(folder: home.home.path + "/assessors", chosenElsewhere: nil)
        return LiveWords(recogniser, assessors, lastWait: lastWait)
    }

    @Test func answersAreWrittenDownDuringTheExam() async throws {
        try install("say I walked over the bridge.")
        let live = try live(lastWait: .seconds(3600))
        live.begin(folder)
        let take = try #require(try folder.readManifest()?.takes.first)
        live.add(take)
        let line = await live.finish { _ in }
        #expect(line == "words    1 answer written down on this machine; to read them: oracy results last")
        let finding = try #require(try folder.readFindings().first)
        #expect(finding.transcript?.text.hasPrefix("I walked over the bridge.") == true && finding.source.id == "words")
        // Another program may go on at once.
        #expect(try tool("assess", "last").output.contains("All answers were assessed before."))
    }

    @Test func theEndOfAnExamWaitsOnlySoLong() async throws {
        try install("hang")
        let live = try live(lastWait: .zero)
        live.begin(folder)
        live.add(try #require(try folder.readManifest()?.takes.first))
        let line = await live.finish { _ in }
        #expect(line == "words    0 of 1 answers are written down; for the rest: oracy assess last")
        #expect(try folder.readFindings().isEmpty)
    }

    @Test func anExamWithoutAnswersHasNoLine() async throws {
        try install("say yes")
        let live = try live(lastWait: .seconds(3600))
        live.begin(folder)
        #expect(await live.finish { _ in } == nil)
    }
}
