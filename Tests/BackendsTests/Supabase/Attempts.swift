import ExamCore
import Foundation
import SupabaseStandIn
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// A question that was asked again: one row of the latest attempt, in any order of arrival.
@Suite(.needs(StandInProject.obstacle)) struct Attempts {
    private func path(_ device: Device) -> String? { device.rows("responses").first?["audio_file_path"]?.text }
    private let name = "responses/\(Device.session.id.name)_part1_q1"

    @Test(arguments: [[1, 2], [2, 1], [1, 3, 2], [3, 2, 1], [1, 2, 1, 2], [2, 3]])
    func theLatestAttemptHasTheRow(_ order: [Int]) async throws {
        let device = try await Device.ready()
        for attempt in order { try await device.deliver(device.answer(attempt: attempt, bytes: 40_000 + attempt)) }
        #expect(device.rows("responses").count == 1)
        #expect(path(device) == "\(name)_a\(order.max()!).opus")
        // The object that no row names any more is gone.
        #expect(device.objects.keys.sorted() == [path(device)])
        #expect(device.complaints.isEmpty)
    }

    @Test func aRowThatMayNotBeChangedIsReported() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer())
        device.standIn.allow([.insert, .select], on: "responses")
        let failure = try #require(await device.failure(of: device.answer(attempt: 2, bytes: 50_000)))
        #expect(failure.kind == .refused && failure.message.contains("`responses` needs a rule for UPDATE"))
        // The first attempt is complete, and the second left nothing behind.
        #expect(path(device) == "\(name).opus" && device.objects.keys.sorted() == ["\(name).opus"])
        device.standIn.allow([.insert], on: "responses")
        let hidden = try #require(await device.failure(of: device.answer(attempt: 2, bytes: 50_000)))
        #expect(hidden.message.contains("`responses` needs a rule for SELECT"))
    }

    @Test func attemptsWithoutATemplateHaveTheirOwnRow() async throws {
        let device = try await Device.ready()
        for attempt in 1...2 {
            try await device.deliver(
                device.answer(attempt: attempt, bytes: 40_000 + attempt, session: Device.withoutTemplate))
        }
        #expect(device.rows("responses").count == 2)
        #expect(device.rows("responses").allSatisfy { $0["question_id"] == .null })
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

/// A template that a session names.
@Suite(.needs(StandInProject.obstacle)) struct UnknownTemplates {
    @Test func anUnknownTemplateIsRefusedWithItsSession() async throws {
        let device = try Device()
        try await device.signIn()
        var other = device.sessionUpload
        other.session.paper = "550e8400-e29b-41d4-a716-44665544ffff"
        let failure = try #require(await device.failure(of: other))
        // Waiting would not bring the template.
        #expect(failure.kind == .refused && failure.code == "409/23503")
        #expect(failure.message.contains("test_sessions_test_template_id_fkey"))
        other.session = Device.withoutTemplate
        try await device.deliver(other)
        #expect(device.rows("test_sessions")[0]["test_template_id"] == .null)
    }
}
