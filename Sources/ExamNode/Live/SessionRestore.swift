import ExamCore
package import ExamStore
package import Foundation
import RecordingStores
package import SessionFolders
import SystemSupport
package import UploadQueue

/// Prepares a session's folder on this node for continuing the session: in its last state here, or restored from the
/// store.
package struct SessionRestore {
    package let services: Services
    /// This node's queue of uploads to the store.
    package let queue: DeliveryQueue

    /// The store's data about a session, and the folder in which to continue.
    package struct Ready: Sendable {
        package var folder: SessionFolder
        package var lines: [String]
        /// The answers that were stored before, here or elsewhere. They stay unchanged even if a question is asked
        /// again.
        package var answers: [TestResponse]
        /// Whether another node continued the session since it was here, or it was never here.
        var isFromElsewhere = false
        package var takes: Set<String> { Set(answers.map(\.record.name)) }
    }

    /// Prepares the folder.
    ///
    /// - Throws: `StoreError`, `AudioStoreError`, `Problem`.
    func prepare(_ session: UUID, of owner: UUID) async throws -> Ready {
        let store = services.store
        let lines = try await store.service.lines(of: session)
        let answers = try await store.owned(by: owner).responses(of: session)
        let path = Self.path(of: session, in: services.settings)
        if let folder = try? SessionFolder.open(at: path), Self.hasBegun(folder.log, with: lines) {
            // Uploads that were refused while another node held the exam may succeed now.
            let refused = try queue.entries().filter { $0.upload?.session.id == session && $0.state == .parked }
            if !refused.isEmpty { try queue.retry(refused.map(\.id)) }
            return Ready(folder: folder, lines: lines, answers: answers)
        }
        // Another node has continued the session, or it was never here. That node has asked again for the answers that
        // still wait here. Their new recordings have the same ids.
        try queue.forget(session: session)
        try? FileManager.default.removeItem(atPath: path)
        let part = path + ".part"
        try? FileManager.default.removeItem(atPath: part)
        try await make(SessionFolder.create(at: part), session, owner, lines, answers)
        try FileManager.default.moveItem(atPath: part, toPath: path)
        return Ready(
            folder: try SessionFolder.open(at: path), lines: lines, answers: answers, isFromElsewhere: !lines.isEmpty)
    }

    package static func path(of session: UUID, in settings: ServerSettings) -> String {
        "\(settings.folder)/exams/\(session.name)"
    }

    /// Returns whether the file begins with the store's lines. If so, the file is at least as new, and no other node
    /// has continued the session: that node's lines would be in the store.
    private static func hasBegun(_ log: String, with lines: [String]) -> Bool {
        if lines.isEmpty { return true }
        let text = lines.joined(separator: "\n") + "\n"
        return (try? PrivateFile.read(log))?.starts(with: text.utf8) ?? false
    }

    private func make(
        _ folder: SessionFolder, _ session: UUID, _ owner: UUID, _ lines: [String], _ answers: [TestResponse]
    ) async throws {
        let owned = services.owned(by: owner)
        for answer in answers {
            guard let recording = try await owned.recording(answer.id), let key = AudioKey(recording.key) else {
                throw AudioStoreError(.missing, "an answer has no recording")
            }
            let bytes = try await services.audio.bytes(of: key)
            guard SHA256.hexadecimal(of: bytes) == recording.sha256 else {
                throw AudioStoreError(.differs, "a recording has changed since it was stored")
            }
            let suffix = recording.mediaType == "audio/ogg" ? "opus" : "wav"
            try PrivateFile.replace("\(folder.takes)/\(answer.record.name).\(suffix)", with: bytes)
        }
        if !lines.isEmpty {
            try PrivateFile.replace(folder.log, with: Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        try PrivateFile.replace(folder.delivery, with: Array("\(session.name)\n".utf8))
        let files = try await services.store.service.files(of: session)
        guard let exam = files["exam.json"] else { throw Problem(.missing, "the session was not held here") }
        for name in ["session.json", "notes.txt"] {
            if let bytes = files[name] { try PrivateFile.replace("\(folder.path)/\(name)", with: bytes) }
        }
        try PrivateFile.replace(folder.exam, with: exam)
    }
}
