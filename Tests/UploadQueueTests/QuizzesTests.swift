import Foundation
import Testing

@testable import UploadQueue

/// A quiz that is handed in offline waits on disk and arrives once. `UploadQueueFaultTests` kills such deliveries,
/// since every other session there has a quiz.
@Suite struct QuizzesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-quizzes-\(UUID().uuidString)")
        .path
    private let quiz = UUID()

    private var upload: Upload { Upload(submitting: "{\"answers\":[1]}", of: quiz) }

    @Test func aQuizWaitsAndArrivesOnce() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let queue = try DeliveryQueue(folder: folder)
        #expect(try queue.add([upload]) == 1)
        // Handing it in again adds nothing.
        #expect(try queue.add([upload]) == 0 && queue.entries().map(\.state) == [.waiting])

        // No network at first. Then the quiz arrives, but the answer is lost.
        let backend = FakeBackend { number, _ in
            number < 3
                ? (DeliveryFailure(.unreachable, message: "no network"), false)
                : number == 3 ? (DeliveryFailure(.transient, message: "lost"), true) : nil
        }
        var limits = DeliveryLimits()
        limits.firstDelays = Array(repeating: .zero, count: limits.firstDelays.count)
        (limits.probeBase, limits.longestProbe) = (.milliseconds(1), .milliseconds(5))
        (limits.delayBase, limits.longestDelay) = (.milliseconds(1), .milliseconds(5))
        // As after a restart.
        let end = try await DeliveryQueue(folder: folder).send(
            through: backend, until: .atRest, deadline: .seconds(30), limits: limits)
        #expect(end.delivered == 1 && backend.effects == [upload])
        #expect(try DeliveryQueue(folder: folder).entries().map(\.state) == [.delivered])
    }

    /// An exam's uploads and a quiz don't wait for each other.
    @Test func aParkedQuizHoldsNothingUp() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/takes", withIntermediateDirectories: true)
        let session = try FakeSession("s", answers: 2, in: folder + "/takes")
        let queue = try DeliveryQueue(folder: folder + "/queue")
        try queue.add([upload])
        try queue.add(session.uploads)
        let quiz = upload.id
        let backend = FakeBackend { _, upload in upload.id == quiz ? (DeliveryFailure(.refused), false) : nil }
        let end = try await queue.send(through: backend, until: .atRest, deadline: .seconds(30))
        #expect(end.parked == 1 && end.delivered == session.uploads.count)
    }
}
