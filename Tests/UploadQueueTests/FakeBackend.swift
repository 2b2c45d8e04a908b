import ExamCore
import Foundation
import Synchronization
import UploadQueue

/// A backend in memory that stores uploads by id and counts. The test decides about failures.
final class FakeBackend: Uploader {
    struct State {
        /// The number of times that each upload was accepted.
        var arrivals: [UUID: Int] = [:]
        var order: [Upload] = []
        var calls = 0
    }

    let place = "a backend in memory"
    let state = Mutex(State())
    /// Decides about a call by its number (0, 1, …); nil to accept it. With `lost`, the backend acts but its answer is
    /// lost.
    private let fate: @Sendable (Int, Upload) -> (failure: DeliveryFailure, lost: Bool)?

    init(_ fate: @escaping @Sendable (Int, Upload) -> (failure: DeliveryFailure, lost: Bool)? = { _, _ in nil }) {
        self.fate = fate
    }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let number = state.withLock { state in
            defer { state.calls += 1 }
            return state.calls
        }
        let fate = fate(number, upload)
        if let fate, !fate.lost { throw fate.failure }
        state.withLock { state in
            state.arrivals[upload.id, default: 0] += 1
            state.order.append(upload)
        }
        courier.sent(upload.file?.byteCount ?? 0)
        if let fate { throw fate.failure }
    }

    /// The uploads in the order of their first arrival, without repetitions.
    var effects: [Upload] {
        state.withLock { state in
            var seen: Set<UUID> = []
            return state.order.filter { seen.insert($0.id).inserted }
        }
    }
}

/// A session with answers, as uploads.
struct FakeSession {
    let folder: String
    let facts: SessionFacts
    let uploads: [Upload]

    /// - Parameter folder: The folder for the answers' files of some hundred bytes each.
    init(_ name: String, answers: Int, in folder: String, goesWhenDelivered: Bool = false) throws {
        self.folder = folder
        let facts = SessionFacts(
            id: UUID(), name: name, format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
        self.facts = facts
        var uploads = [Upload(id: DeliveryID.make("session", of: facts.id), session: facts, content: .session)]
        for number in 1...max(answers, 1) where answers > 0 {
            let path = "\(folder)/\(name)_part1_q\(number).opus"
            try Data((0..<(200 + number)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }).write(
                to: URL(filePath: path))
            let answer = AnswerRecord(
                question: "q\(number)", part: 1, order: number, attempt: 1, end: "finished",
                duration: Seconds(.seconds(3)), speech: Seconds(.seconds(2)))
            let file = try UploadFile(finalizing: path, mediaType: "audio/ogg", goesWhenDelivered: goesWhenDelivered)
            uploads.append(
                Upload(
                    id: DeliveryID.make("part1_q\(number)", of: facts.id), session: facts,
                    content: .answer(answer, file)))
        }
        let completion = CompletionFacts(completedAt: "2026-11-21T09:26:29Z", outcome: "completed", answers: answers)
        uploads.append(
            Upload(id: DeliveryID.make("completion", of: facts.id), session: facts, content: .completion(completion)))
        self.uploads = uploads
    }
}

/// A backend that never answers. A cancelled call ends.
struct HangingBackend: Uploader {
    let place = "a backend that never answers"
    /// Called when a call has come in.
    let called: @Sendable () -> Void

    init(called: @escaping @Sendable () -> Void) { self.called = called }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        called()
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
        throw DeliveryFailure(.cancelled)
    }
}

extension Upload {
    /// The upload as a backend gets it: the queue adds the number of arrived answers to a completion.
    var asSent: Upload {
        guard case .completion(var facts) = content else { return self }
        var sent = self
        facts.delivered = facts.answers
        sent.content = .completion(facts)
        return sent
    }
}
