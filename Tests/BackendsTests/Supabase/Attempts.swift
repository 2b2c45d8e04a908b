import ExamCore
import Foundation
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// A question that was asked again (C5): one row for it, of the latest attempt, in whichever order they arrive.
@Suite struct Attempts {
    private func path(_ device: Device) -> String? { device.rows("responses").first?["audio_file_path"]?.text }
    private let name = "responses/\(Device.session.id.name)_part1_q1"

    @Test(arguments: [[1, 2], [2, 1], [1, 3, 2], [3, 2, 1], [1, 2, 1, 2], [2, 3]])
    func theLatestAttemptHasTheRow(_ order: [Int]) async throws {
        let device = try await Device.ready()
        for attempt in order { try await device.deliver(device.answer(attempt: attempt, bytes: 40_000 + attempt)) }
        #expect(device.rows("responses").count == 1)
        #expect(path(device) == "\(name)_a\(order.max()!).opus")
        #expect(device.complaints.isEmpty)
    }

    @Test func aRowThatMayNotBeChangedIsToldOf() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer())
        device.fake.with { $0.tables.tables["responses"]!.rules = [.insert, .select] }
        let failure = try #require(await device.failure(of: device.answer(attempt: 2, bytes: 50_000)))
        #expect(failure.kind == .refused && failure.message.contains("`responses` needs a rule for UPDATE"))
        // The first attempt is whole, and the second left nothing behind.
        #expect(path(device) == "\(name).opus" && device.objects.keys.sorted() == ["\(name).opus"])
        device.fake.with { $0.tables.tables["responses"]!.rules = [.insert] }
        let hidden = try #require(await device.failure(of: device.answer(attempt: 2, bytes: 50_000)))
        #expect(hidden.message.contains("`responses` needs a rule for SELECT"))
    }

    @Test func withoutATemplateEachAttemptHasItsRow() async throws {
        let device = try await Device.ready()
        for attempt in 1...2 {
            try await device.deliver(
                device.answer(attempt: attempt, bytes: 40_000 + attempt), by: device.uploader { $0.template = nil })
        }
        #expect(device.rows("responses").count == 2)
        #expect(device.rows("responses").allSatisfy { $0["question_id"] == nil })
    }

    @Test func anObjectsNameTellsItsAttempt() {
        let facts = {
            AnswerRecord(
                question: "q", part: 2, order: 3, attempt: $0, end: "finished", duration: Seconds(.seconds(1)),
                speech: Seconds(.seconds(1)))
        }
        for attempt in [1, 2, 9, 12] {
            let path = facts(attempt).objectPath(session: Device.session.id, suffix: "opus")
            #expect(AnswerRecord.attempt(inObjectPath: path) == attempt)
        }
        #expect(AnswerRecord.attempt(inObjectPath: "responses/x_part1_q2.m4a") == 1)
        #expect(AnswerRecord.attempt(inObjectPath: "") == 1)
    }
}

/// D11: (part, order) and the rows of `questions`, both ways.
@Suite struct QuestionIDTests {
    private func questions(_ device: Device, _ template: String = FakeTables.template) throws -> QuestionIDs {
        let calls = SupabaseCalls(project: try Device.project(), auth: try device.auth(), exchange: device.fake)
        return QuestionIDs(of: try #require(UUID(uuidString: template)), in: SupabaseRows(calls: calls))
    }

    @Test func eachPlaceIsItsQuestionAndBack() async throws {
        let device = try await Device.ready()
        let questions = try questions(device)
        for part in 1...3 {
            for order in 1...4 {
                let place = QuestionIDs.Place(part: part, order: order)
                let id = try await questions.id(of: place)
                #expect(id.name == FakeTables.question(part, order))
                #expect(try await questions.place(of: id) == place)
            }
        }
        #expect(device.lines.count == 1)
        #expect(try await questions.place(of: UUID()) == nil)
    }

    @Test func aMissingQuestionIsOneSentence() async throws {
        let device = try await Device.ready()
        let failure = try #require(await device.failure(of: device.answer(part: 2, order: 7)))
        #expect(failure.kind == .refused)
        #expect(failure.message == "the test template \(FakeTables.template) has no question 7 of part 2")
        // Nothing was stored for it.
        #expect(device.objects.isEmpty)
        let empty = try questions(device, "550e8400-e29b-41d4-a716-446655440001")
        let none = await #expect(throws: DeliveryFailure.self) { try await empty.id(of: .init(part: 1, order: 1)) }
        #expect(none?.message.hasSuffix("has no question at all that this user may read") == true)
    }

    @Test func aQuestionThatIsAddedLaterIsFound() async throws {
        let device = try await Device.ready()
        let questions = try questions(device)
        _ = try? await questions.id(of: .init(part: 1, order: 5))
        device.fake.with {
            $0.tables.tables["questions"]!.rows.append([
                "id": .text(FakeTables.question(1, 5)), "test_template_id": .text(FakeTables.template),
                "part_number": .number(1), "question_order": .number(5),
            ])
        }
        #expect(try await questions.id(of: .init(part: 1, order: 5)).name == FakeTables.question(1, 5))
    }

    @Test func anUnknownTemplateIsRefusedWithItsSession() async throws {
        let device = try Device()
        try await device.signIn()
        let other = try device.uploader { $0.template = UUID() }
        #expect(await device.failure(of: device.sessionUpload, by: other)?.kind == .parentMissing)
        try await device.deliver(device.sessionUpload, by: device.uploader { $0.template = nil })
        #expect(device.rows("test_sessions")[0]["test_template_id"] == nil)
    }
}
