import Assessment
import ExamCore
import Foundation
import Reports
import StoreTrials
import Study
import StudyFolders
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A folder and a database give the same results for the same exams. The order in which things happen is random.
@Suite(.bothStores) struct ShelfContract {
    /// The parts of a dossier that are the same for an exam in a folder and in a database.
    private struct Told: Encodable {
        var title, session: String
        var startedAt, ending: String?
        var delivery: DeliveryReport
        var transcripts: [AnswerTranscript]
        var said: [AssessorFinding]
        var text: TextReport
        var marks: ExamResult?
        var questions: [String?]
        var earlier, compared: [String]
        var notAssessed: [ReportContent.NotAssessed]
        var next: [NextStep]

        init(_ dossier: ExamDossier) {
            let evidence = dossier.evidence
            title = dossier.title
            session = evidence.entry.id
            startedAt = evidence.entry.startedAt
            ending = evidence.entry.ending?.words
            delivery = DeliveryReport(dossier.assessment.delivery)
            transcripts = dossier.transcripts
            said = evidence.said
            text = TextReport(dossier.text)
            marks = dossier.result
            questions = evidence.answers.map { dossier.question(of: $0.record) }
            earlier = dossier.earlier.map(\.session)
            compared = dossier.compared.map { "\($0.measure) \($0.value) \($0.percentile) \($0.exams)" }
            // Depends on the machine, and only the tool asks for it.
            notAssessed = dossier.notAssessed.filter { $0 != .soundInOlderBrowsers }.compactMap(\.reported)
            next = dossier.steps
        }

        var json: String {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            }
        }
    }

    private func told(_ exam: SampleExam, on shelf: some LearnerShelf) async throws -> String {
        try Told(try #require(try await ExamDossier(of: exam.id.name, on: shelf, by: .ielts))).json
    }

    @Test func theSameExamGivesTheSameDossier() async throws {
        let seeds = Thoroughness.count(4, check: 60)
        var (dossiers, deeds, compared, marked) = (0, 0, 0, 0)
        for seed in 0..<seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let shelves = try await FilledShelves()
            var exams: [SampleExam] = []
            for day in 0..<8 { exams.append(try SampleExam(day: day, &random)) }
            var waiting = exams.shuffled(using: &random)
            var present: [SampleExam] = []
            // A new exam, or something that is noted about an earlier one.
            while !waiting.isEmpty || deeds < 40 * (seed + 1) {
                if present.isEmpty || (!waiting.isEmpty && Int.random(in: 0..<5, using: &random) == 0) {
                    let exam = waiting.removeLast()
                    try await shelves.put(exam, &random)
                    present.append(exam)
                } else {
                    let exam = present.randomElement(using: &random)!
                    let answer = exam.answers.randomElement(using: &random)!
                    try await shelves.note(answer.deed(&random), on: answer, of: exam)
                    deeds += 1
                }
            }
            let newestFirst = exams.sorted { $0.startedAt > $1.startedAt }.map(\.id.name)
            #expect(try await shelves.folder.exams(limit: 100, before: nil).map(\.id) == newestFirst)
            #expect(try await shelves.rows.exams(limit: 100, before: nil).map(\.id) == newestFirst)
            for exam in exams {
                let (inFolder, inRows) = (
                    try await told(exam, on: shelves.folder), try await told(exam, on: shelves.rows)
                )
                #expect(inFolder == inRows, "seed \(seed), \(exam.startedAt)")
                dossiers += 1
                compared += inRows.contains("\"compared\" : [\n\n  ]") ? 0 : 1
                marked += inRows.contains("\"marks\"") ? 1 : 0
            }
            await shelves.close()
        }
        #expect(compared > 0)
        #expect(marked > 0)
        print(
            "shelves agree: \(seeds) orders, \(deeds) deeds, \(dossiers) dossiers, \(compared) with a comparison, \(marked) with marks"
        )
    }

    @Test func aPageOfExamsBeginsBelowItsPlace() async throws {
        var random = SplitMix64(seed: 1)
        let shelves = try await FilledShelves()
        var exams: [SampleExam] = []
        for day in [3, 1, 2, 0] {
            exams.append(try SampleExam(day: day, &random))
            try await shelves.put(exams.last!, &random)
        }
        func pages(of shelf: some LearnerShelf) async throws -> [[String]] {
            let all = try await shelf.exams(limit: 10, before: nil)
            var pages: [[String]] = []
            for entry in all { pages.append(try await shelf.exams(limit: 2, before: entry).map(\.id)) }
            return pages
        }
        let ids = [exams[0], exams[2], exams[1], exams[3]].map(\.id.name)
        let expected = (0..<4).map { Array(ids.dropFirst($0 + 1).prefix(2)) }
        #expect(try await pages(of: shelves.folder) == expected)
        #expect(try await pages(of: shelves.rows) == expected)
        await shelves.close()
    }

    @Test func anUnknownExamIsMissing() async throws {
        let shelves = try await FilledShelves()
        for id in [UUID().name, "..", "", "no exam"] {
            #expect(try await shelves.folder.exam(id) == nil)
            #expect(try await shelves.rows.exam(id) == nil)
            #expect(try await shelves.rows.assessment(of: id) == nil)
        }
        await shelves.close()
    }

    /// A learner may type anything, and a judgement of typed words must lead to no mark on a server.
    @Test func aServerBasesNoMarkOnTypedWords() async throws {
        var random = SplitMix64(seed: 2)
        let shelves = try await FilledShelves()
        let exam = try SampleExam(day: 0, &random)
        try await shelves.put(exam, &random)
        let answer = try #require(exam.answers.first { $0.record.purpose == .assessed })
        var deed = answer.deed(&random)
        while true {
            if case .said(var finding) = deed, !finding.evidence.isEmpty {
                finding.words = "digest of typed words"
                deed = .said(finding)
                break
            }
            deed = answer.deed(&random)
        }
        try await shelves.note(deed, on: answer, of: exam)
        let inRows = try #require(try await ExamDossier(of: exam.id.name, on: shelves.rows, by: .ielts))
        let inFolder = try #require(try await ExamDossier(of: exam.id.name, on: shelves.folder, by: .ielts))
        #expect(inRows.result == nil && inRows.evidence.said.count == 1)
        #expect(inFolder.result != nil)
        await shelves.close()
    }
}
