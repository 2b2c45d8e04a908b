import ExamCore
import Foundation
import Synchronization
import SystemSupport
import UploadQueue

/// A session's uploads, with recordings in their own folder that is removed at the end of the test.
final class SampleSession: Sendable {
    let folder: String
    let facts: SessionFacts
    private let seed: UInt64

    init(seed: UInt64 = 1) throws {
        self.seed = seed
        folder = "/tmp/oracy-uploads-\(UUID().uuidString)"
        facts = SessionFacts(
            id: UUID(uuidString: "6F1C1A44-5A3B-4B8B-9F63-0000000000\(String(format: "%02d", seed % 100))")!,
            name: "2026-03-14 09.30", format: "ielts", paper: "paper-1", startedAt: "2026-03-14T09:30:00Z")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var session: Upload { Upload(id: id(0), session: facts, content: .session) }

    var completion: Upload {
        Upload(
            id: id(999), session: facts,
            content: .completion(
                CompletionFacts(completedAt: "2026-03-14T09:44:10Z", outcome: "completed", answers: 2, delivered: 2)))
    }

    /// Returns an answer with a recording of `byteCount` bytes. The same part and order give the same bytes.
    func answer(
        part: Int = 1, order: Int = 1, attempt: Int = 1, byteCount: Int = 200_000, suffix: String = "opus"
    ) throws -> Upload {
        let path = "\(folder)/part\(part)_q\(order)_a\(attempt).\(suffix)"
        let bytes = Self.bytes(byteCount, seed: seed &* 1000 &+ UInt64(part * 100 + order * 10 + attempt))
        try Data(bytes).write(to: URL(filePath: path))
        let facts = AnswerRecord(
            question: "p\(part)-hometown-\(order)", part: part, order: order, attempt: attempt, end: "finished",
            duration: Seconds(.seconds(12.5)), speech: Seconds(.seconds(9.25)))
        let file = UploadFile(
            path: path, byteCount: byteCount, sha256: SHA256.hexadecimal(of: bytes),
            mediaType: suffix == "wav" ? "audio/wav" : "audio/ogg")
        return Upload(id: id(part * 100 + order * 10 + attempt), session: self.facts, content: .answer(facts, file))
    }

    private func id(_ number: Int) -> UUID {
        UUID(uuidString: "0C0FFEE0-0000-4000-8000-\(String(format: "%012d", number))")!
    }

    /// Returns noise that differs for every seed (xorshift).
    static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}

/// The queue's side of a delivery: the stored notes and the reported progress.
final class KeptNotes: Sendable {
    private let state = Mutex<(note: String?, all: [String?], sent: [Int])>((nil, [], []))

    /// The courier for the uploader, with the last note.
    var courier: Courier {
        Courier(
            note: state.withLock { $0.note },
            keep: { note throws(DeliveryFailure) in
                self.state.withLock {
                    $0.note = note
                    $0.all.append(note)
                }
            },
            sent: { count in self.state.withLock { $0.sent.append(count) } })
    }

    var all: [String?] { state.withLock { $0.all } }
    var sent: [Int] { state.withLock { $0.sent } }
}

/// Returns the failure of a delivery; nil if it succeeded.
func failure(
    of uploader: some Uploader, _ upload: Upload, with courier: Courier = Courier()
) async -> DeliveryFailure? {
    do throws(DeliveryFailure) {
        try await uploader.deliver(upload, with: courier)
        return nil
    } catch {
        return error
    }
}
