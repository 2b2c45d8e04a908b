import ExamCore
import Foundation
import Glibc
import SystemSupport
import UploadQueue

/// The paths of a probe: a folder and its contents, which need not exist.
struct ProbeHome {
    let path: String
    /// The folder of the recordings, in the home or on another disk.
    let takes: String

    init(path: String, recordings: String? = nil) {
        self.path = path
        takes = recordings ?? path + "/takes"
    }

    /// Two levels deep, like a user's data folder that doesn't exist yet.
    var queue: String { path + "/data/uploads" }
    var journal: String { queue + "/journal.sqlite" }
}

/// A session with two answers whose ids, facts and recordings are the same every time.
struct ProbeSession {
    static let answers = 2
    /// The beginning, the answers and the completion; every other session has a quiz instead of the completion.
    static let uploads = answers + 2

    let number: Int
    /// Whether its recordings are removed when they are delivered.
    let goes: Bool
    let id: UUID

    init(_ number: Int, goes: Bool) {
        self.number = number
        self.goes = goes
        id = DeliveryID.make("s\(number)", of: UUID(uuidString: "5E55105E-5E55-4E55-8E55-5E55105E5E55")!)
    }

    var ids: [UUID] {
        let names = ["session"] + (1...Self.answers).map { "part1_q\($0)" } + ["completion"]
        return names.map { DeliveryID.make($0, of: id) }
    }

    private var facts: SessionFacts {
        SessionFacts(id: id, name: "s\(number)", format: "probe", paper: "probe", startedAt: "2026-11-21T09:12:29Z")
    }

    /// Returns the answer's number, from 1; nil for an upload without a recording.
    private func answer(_ index: Int) -> Int? { (1...Self.answers).contains(index) ? index : nil }

    func path(_ answer: Int, in home: ProbeHome) -> String { "\(home.takes)/s\(number)_part1_q\(answer).opus" }

    /// Several pages and a fraction, so that a part can be lost.
    func bytes(_ answer: Int) -> [UInt8] {
        var state = UInt64(number * 100 + answer)
        return (0..<(4_096 * answer + 700 + 13 * number)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Returns the promise that an acknowledgement makes for an upload's recording.
    func expectation(_ index: Int, in home: ProbeHome) -> (path: String, sha256: String)? {
        answer(index).map { (path($0, in: home), SHA256.hexadecimal(of: bytes($0))) }
    }

    /// Adds sessions of which a queue may have some uploads already, one upload after another, like a program that may
    /// have been killed in between.
    static func enqueue(
        _ sessions: [ProbeSession], in home: ProbeHome, to queue: DeliveryQueue,
        acknowledged: (UUID, (path: String, sha256: String)?) -> Void = { _, _ in }
    ) throws(Problem) {
        let there = Set(try queue.entries().map(\.id))
        for session in sessions {
            for (index, id) in session.ids.enumerated() {
                // The recording may have been removed after its delivery.
                if !there.contains(id) { try queue.add([try session.upload(index, in: home)]) }
                acknowledged(id, session.expectation(index, in: home))
            }
        }
    }

    /// Returns an upload as the exam would make it. Its recording is written first, by a program that doesn't sync it.
    func upload(_ index: Int, in home: ProbeHome) throws(Problem) -> Upload {
        if let answer = answer(index) {
            let path = path(answer, in: home)
            try write(bytes(answer), to: path)
            return self.upload(
                index, file: try UploadFile(finalizing: path, mediaType: "audio/ogg", goesWhenDelivered: goes))
        }
        return upload(index, file: nil)
    }

    /// Returns the same upload without looking at the disk.
    func expected(_ index: Int, in home: ProbeHome) -> Upload {
        let file = expectation(index, in: home).map {
            UploadFile(
                path: $0.path, byteCount: bytes(index).count, sha256: $0.sha256, mediaType: "audio/ogg",
                goesWhenDelivered: goes)
        }
        return upload(index, file: file)
    }

    private func upload(_ index: Int, file: UploadFile?) -> Upload {
        let content: Upload.Content
        if let file {
            let answer = AnswerRecord(
                question: "q\(index)", part: 1, order: index, attempt: 1, end: "finished",
                duration: Seconds(.seconds(3)), speech: Seconds(.seconds(2)))
            content = .answer(answer, file)
        } else if index == 0 {
            content = .session
        } else if number.isMultiple(of: 2) {
            // A quiz is handled like a completion.
            content = .submission("{\"answers\":[{\"questionId\":\"q\(number)\"}]}")
        } else {
            content = .completion(
                CompletionFacts(completedAt: "2026-11-21T09:26:29Z", outcome: "completed", answers: Self.answers))
        }
        return Upload(id: ids[index], session: facts, content: content)
    }

    /// Writes the recordings again.
    func restore(in home: ProbeHome) throws(Problem) {
        for answer in 1...Self.answers { try write(bytes(answer), to: path(answer, in: home)) }
    }

    /// Writes a file without syncing it or its folder. Sealing it must suffice.
    private func write(_ bytes: [UInt8], to path: String) throws(Problem) {
        if (try? PrivateFile.read(path)) == bytes { return }
        try PrivateFile.createFolder(path.folder)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        let written = PrivateFile.writeAll(bytes, to: file)
        let error = errno
        close(file)
        errno = error
        guard written else { throw PrivateFile.unwritable(path) }
    }
}
