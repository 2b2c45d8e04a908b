import ExamCore
import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing
import Waiting

@testable import UploadQueue

/// The queue from its user's point of view: everything that is added arrives once.
@Suite struct QueueTests {
    private let home: TemporaryFolder
    private var folder: String { home.path + "/uploads" }

    init() throws {
        home = try TemporaryFolder()
    }

    @Test func uploadsArriveInTheOrderThatABackendNeeds() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let sessions = try (1...3).map { try FakeSession("s\($0)", answers: 4, in: home.path) }
        // Answers are added before their session. The queue takes care of the order.
        for session in sessions { #expect(try queue.add(Array(session.uploads.dropFirst())) == 5) }
        for session in sessions { #expect(try queue.add([session.uploads[0]]) == 1) }
        let backend = FakeBackend()
        let end = try await queue.send(through: backend, until: .atRest)
        #expect(end.delivered == 18 && end.open == 0 && end.fraction == 1)
        for session in sessions {
            let stages = backend.effects.filter { $0.session.id == session.facts.id }.map(\.stage)
            #expect(stages == [.session] + Array(repeating: .answer, count: 4) + [.completion])
        }
        let delivered = backend.effects.compactMap { upload in
            if case .completion(let facts) = upload.content { facts.delivered } else { nil }
        }
        #expect(delivered == [4, 4, 4])
        #expect(try queue.counts().delivered == 18)
    }

    /// A session is forgotten and added again, as on a server's node to which an exam returns, while this process's
    /// sender still has a refused answer of it.
    @Test func aForgottenUploadHoldsUpNoLaterOne() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let session = try FakeSession("s", answers: 2, in: home.path)
        let backend = RefusingOnce(session.uploads[1].id)
        let sending = Task { try await queue.send(through: backend, until: .cancelled) }
        try queue.add(Array(session.uploads.dropLast()))
        #expect(await Patience.wait { (try? queue.counts())?.parked == 1 })
        #expect(try queue.forget(session: session.facts.id) == 3)
        try queue.add(session.uploads)
        #expect(await Patience.wait { backend.arrived.withLock { $0.last?.stage == .completion } })
        sending.cancel()
        _ = try await sending.value
    }

    /// The user retries a parked answer in the process that is sending.
    @Test func aRetriedUploadIsSentAtOnce() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let session = try FakeSession("s", answers: 2, in: home.path)
        let backend = RefusingOnce(session.uploads[1].id)
        let sending = Task { try await queue.send(through: backend, until: .cancelled) }
        try queue.add(session.uploads)
        #expect(await Patience.wait { (try? queue.counts())?.parked == 1 })
        #expect(try queue.retry([session.uploads[1].id]) == 1)
        #expect(await Patience.wait { backend.arrived.withLock { $0.last?.stage == .completion } })
        sending.cancel()
        _ = try await sending.value
    }

    /// Refuses one upload the first time.
    private final class RefusingOnce: Uploader {
        let place = "a backend that changes its mind"
        let arrived = Mutex<[Upload]>([])
        private let refused: Mutex<UUID?>

        init(_ id: UUID) { refused = Mutex(id) }

        func deliver(_ upload: Upload, with courier: Courier) throws(DeliveryFailure) {
            let isRefused = refused.withLock { refused in
                defer { if refused == upload.id { refused = nil } }
                return refused == upload.id
            }
            if isRefused { throw DeliveryFailure(.refused, message: "not yet") }
            arrived.withLock { $0.append(upload) }
        }
    }

    /// A question that was asked again counts as one answer, even if several attempts arrive.
    @Test func attemptsAtAQuestionCountAsOneAnswer() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let session = try FakeSession("s", answers: 3, in: home.path)
        var uploads = session.uploads
        guard case .answer(var answer, let file) = uploads[1].content else {
            Issue.record("the second upload is not an answer")
            return
        }
        answer.attempt = 2
        uploads.append(
            Upload(
                id: DeliveryID.make("again", of: session.facts.id), session: session.facts,
                content: .answer(answer, file)))
        try queue.add(uploads)
        let backend = ArrivalCounter()
        let end = try await queue.send(through: backend, until: .atRest)
        #expect(end.delivered == 6)
        let told = backend.told.withLock { $0 }
        // The answer being sent isn't counted: at a second attempt at the first question, two others have arrived.
        #expect(told == [0, 1, 2, 2, 3])
    }

    /// Records the number of arrived answers at each delivery, and finally that of a completion.
    private final class ArrivalCounter: Uploader {
        let place = "a backend that counts"
        let told = Mutex<[Int]>([])

        func deliver(_ upload: Upload, with courier: Courier) {
            told.withLock { told in
                switch upload.content {
                case .session, .submission: break
                case .answer: told.append(courier.arrived())
                case .completion(let facts): told.append(facts.delivered)
                }
            }
        }
    }

    @Test func anUploadIsAddedOnce() throws {
        let queue = try DeliveryQueue(folder: folder)
        let session = try FakeSession("s", answers: 2, in: home.path)
        #expect(try queue.add(session.uploads) == 4)
        #expect(try DeliveryQueue(folder: folder).add(session.uploads) == 0)
        #expect(try queue.entries().map(\.upload) == session.uploads)
    }

    @Test func uploadsAddedWhileSendingAreSentToo() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let backend = FakeBackend()
        let sending = Task { try await queue.send(through: backend, until: .cancelled) }
        let session = try FakeSession("s", answers: 3, in: home.path)
        try queue.add(session.uploads)
        // Another process would open the folder in this way.
        let other = try FakeSession("t", answers: 2, in: home.path)
        try DeliveryQueue(folder: folder).add(other.uploads)
        #expect(await Patience.wait { backend.effects.count == 9 })
        sending.cancel()
        #expect(try await sending.value.open == 0)
    }

    @Test func aCancelledSendingLeavesEverythingWaiting() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let session = try FakeSession("s", answers: 3, in: home.path)
        try queue.add(session.uploads)
        let began = AsyncStream<Void>.makeStream()
        let hanging = HangingBackend { began.continuation.yield() }
        let sending = Task { try await queue.send(through: hanging, until: .atRest) }
        for await _ in began.stream { break }
        sending.cancel()
        #expect(try await sending.value.delivered == 0)
        #expect(try queue.entries().map(\.state) == Array(repeating: .waiting, count: 5))
        #expect(try queue.entries().allSatisfy { $0.attempts == 0 })
        let backend = FakeBackend()
        try await queue.send(through: backend, until: .atRest)
        #expect(backend.effects == session.uploads.map(\.asSent))
    }

    @Test func aDeadlineEndsSendingThatHangs() async throws {
        let queue = try DeliveryQueue(folder: folder)
        try queue.add(try FakeSession("s", answers: 1, in: home.path).uploads)
        let end = try await queue.send(through: HangingBackend {}, until: .atRest, deadline: .milliseconds(200))
        #expect(end.open == 3 && end.delivered == 0)
        #expect(try queue.counts().open == 3)
    }

    @Test func onlyOneSends() async throws {
        let queue = try DeliveryQueue(folder: folder)
        try queue.add(try FakeSession("s", answers: 1, in: home.path).uploads)
        let began = AsyncStream<Void>.makeStream()
        let sending = Task {
            try await queue.send(through: HangingBackend { began.continuation.yield() }, until: .atRest)
        }
        for await _ in began.stream { break }
        let other = try DeliveryQueue(folder: folder)
        await #expect { try await other.send(through: FakeBackend(), until: .atRest) } throws: {
            ($0 as? Problem)?.kind == .occupied
        }
        sending.cancel()
        _ = try await sending.value
    }

    @Test func aPoisonedAnswerIsParkedAndTheOthersArrive() async throws {
        let queue = try DeliveryQueue(folder: folder)
        let sessions = try (1...2).map { try FakeSession("s\($0)", answers: 3, in: home.path) }
        for session in sessions { try queue.add(session.uploads) }
        let poisoned = sessions[0].uploads[2].id
        let backend = FakeBackend { _, upload in
            upload.id == poisoned ? (DeliveryFailure(.refused, code: "413", message: "too large"), false) : nil
        }
        let end = try await queue.send(through: backend, until: .atRest)
        #expect(end.parked == 1 && end.open == 1)
        let entry = try #require(try queue.entries().first { $0.id == poisoned })
        #expect(entry.state == .parked && entry.failure?.message == "too large" && entry.failure?.code == "413")
        #expect(!backend.effects.contains { $0.session.id == sessions[0].facts.id && $0.stage == .completion })
        #expect(backend.effects.count { $0.session.id == sessions[1].facts.id } == 5)
        // The user drops it. The session is completed without it, and reports that.
        #expect(try queue.drop([poisoned]) == 1)
        try await queue.send(through: backend, until: .atRest)
        guard case .completion(let facts) = backend.effects.last?.content else {
            _ = #expect(Bool(false))
            return
        }
        #expect(facts.answers == 3 && facts.delivered == 2)
        #expect(try queue.add(sessions[0].uploads) == 0, "a dropped upload stays dropped")
    }
}
