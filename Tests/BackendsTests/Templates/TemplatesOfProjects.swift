import ExamCore
import Foundation
import SupabaseStandIn
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// A project's own questions, asked and answered: from its tables to its tables.
@Suite(.needs(StandInProject.obstacle)) struct TemplatesOfProjects {
    private let device: Device

    init() async throws {
        device = try Device(StandInProject(isSeeded: false))
        let sounds = (1...2).map { "\(device.folder)/question-\($0).wav" }
        for sound in sounds { try Data(sound.utf8).write(to: URL(filePath: sound)) }
        device.standIn.addNeighbourhoods(sounds: sounds)
        try await device.auth().signIn(email: StandInAuth.email, password: StandInAuth.password)
    }

    private func library() throws -> TemplateLibrary {
        TemplateLibrary(
            SupabaseTemplates(try Device.project(), auth: try device.auth(), over: device.standIn),
            place: StandInProject.url, folder: device.folder + "/templates")
    }

    @Test func questionsCardAndRecordingsComeFromTheTables() async throws {
        let listing = try await library().templates()
        #expect(listing.templates.map(\.title) == ["Neighbourhoods"] && listing.templates[0].difficulty == "Medium")
        let exam = try await library().exam("Neighbourhoods")
        let asked = ["part-1", "part-2", "part-3"].flatMap { exam.paper.sections[$0]?.first?.questions ?? [] }
        #expect(asked.map(\.id).first == StandInProject.question(1, 1) && asked.count == 8)
        #expect(asked[4].card?.points == ["where it is", "what you can buy there", "how often you go"])
        #expect(asked.allSatisfy { $0.audio != nil } && exam.warnings.isEmpty)
        let first = try #require(exam.questions.first)
        #expect(
            first.expectedDuration == 20 && first.topicKeywords == ["home", "area"] && first.transcript == first.text)
        // The second look fetches no recording again.
        let before = device.standIn.with { $0.requests.count }
        _ = try await library().exam("Neighbourhoods")
        #expect(device.standIn.with { $0.requests.count } - before <= 2 + 8)
        #expect(device.complaints.isEmpty)
    }

    @Test func anInactiveTemplateIsNotOfferedAndAPathIsFoundInTheBucket() async throws {
        device.standIn.sql("UPDATE questions SET audio_file_url = 'audio-question-set/neighbourhoods/part1_q1.wav'")
        let exam = try await library().exam("Neighbourhoods")
        let audio = Set(exam.paper.sections.values.joined().flatMap(\.questions).compactMap(\.audio))
        #expect(audio.count == 1)
        // A private bucket works too.
        device.standIn.sql("UPDATE storage.buckets SET public = false")
        try FileManager.default.removeItem(atPath: device.folder + "/templates")
        _ = try await library().exam("Neighbourhoods")
        device.standIn.sql("UPDATE test_templates SET is_active = false")
        #expect(try await library().templates().templates.isEmpty)
    }

    /// An answer at any place in an exam refers to its question's row.
    @Test func answersNameTheirRowsAtAnyPlace() async throws {
        let facts = SessionFacts(
            id: UUID(), name: "s", format: "given-questions", paper: StandInProject.template,
            startedAt: "2026-11-21T09:12:29Z")
        try await device.deliver(Upload(id: UUID(), session: facts, content: .session))
        let sample = try SampleSession(seed: 22)
        guard case .answer(var record, let file) = try sample.answer(part: 1, order: 1).content else {
            Issue.record("the sample's answer has other content")
            return
        }
        // By the seed, the question of the third row was asked first.
        record.question = StandInProject.question(1, 3)
        try await device.deliver(Upload(id: UUID(), session: facts, content: .answer(record, file)))
        #expect(device.standIn.rows("responses").map { $0["question_id"] } == [.text(StandInProject.question(1, 3))])
        #expect(device.standIn.rows("test_sessions").map { $0["test_template_id"] } == [.text(StandInProject.template)])
    }

    /// A local exam doesn't refer to a template, since it used none.
    @Test func anExamOfThisMachineNamesNoTemplate() async throws {
        let sample = try SampleSession(seed: 23)
        try await device.deliver(sample.session)
        try await device.deliver(sample.answer())
        #expect(device.standIn.rows("test_sessions").map { $0["test_template_id"] } == [.null])
        #expect(device.standIn.rows("responses").map { $0["question_id"] } == [.null])
    }
}
