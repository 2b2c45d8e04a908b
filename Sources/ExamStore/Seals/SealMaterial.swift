import ExamCore
package import Foundation
import SystemSupport

/// The input of a manifest, read from rows or from an export. The same material gives the same manifest on every
/// database.
package struct SealMaterial: Sendable {
    package struct Answer: Sendable {
        package var id: UUID
        /// The answer's record: JSON in any layout.
        package var record: String
        package var recording: String
        package var byteCount: Int
        package var mediaType: String

        package init(id: UUID, record: String, recording: String, byteCount: Int, mediaType: String) {
            self.id = id
            self.record = record
            self.recording = recording
            self.byteCount = byteCount
            self.mediaType = mediaType
        }
    }

    /// The session's own fields. The hashed JSON leaves out fields that are nil.
    package struct Facts: Codable, Equatable, Sendable {
        package var name, format, paper: String
        package var mode: String?
        package var startedAt: String
        package var completedAt: String?
        package var outcome: String?

        package init(
            name: String, format: String, paper: String, mode: String? = nil, startedAt: String,
            completedAt: String? = nil, outcome: String? = nil
        ) {
            self.name = name
            self.format = format
            self.paper = paper
            self.mode = mode
            self.startedAt = startedAt
            self.completedAt = completedAt
            self.outcome = outcome
        }
    }

    package var session: UUID
    package var held: HeldBy
    package var facts: Facts
    package var answers: [Answer]
    package var log: [String]
    /// The bytes of `exam.json`.
    package var exam: [UInt8]?

    package init(
        session: UUID, held: HeldBy, facts: Facts, answers: [Answer], log: [String] = [], exam: [UInt8]? = nil
    ) {
        self.session = session
        self.held = held
        self.facts = facts
        self.answers = answers
        self.log = log
        self.exam = exam
    }

    /// - Throws: `DecodingError` if an answer's record isn't JSON.
    package func manifest(sealedAt: String) throws -> SealManifest {
        let made = try answers.map { answer in
            let record = try JSONDecoder().decode(AnswerRecord.self, from: Data(answer.record.utf8))
            return (
                place: [record.part, record.order, record.attempt],
                answer: SealManifest.Answer(
                    id: answer.id.name, name: record.name, record: try CanonicalJSON(answer.record).sha256,
                    recording: answer.recording, byteCount: answer.byteCount, mediaType: answer.mediaType)
            )
        }
        let inOrder = made.sorted { one, other in
            one.place == other.place
                ? one.answer.id < other.answer.id : one.place.lexicographicallyPrecedes(other.place)
        }
        let lines = log.map { $0 + "\n" }.joined()
        return SealManifest(
            rules: SealManifest.rules, session: session.name, held: held, sealedAt: sealedAt,
            facts: try CanonicalJSON(of: facts).sha256,
            exam: exam.map { SHA256.hexadecimal(of: $0) },
            log: log.isEmpty ? nil : .init(lines: log.count, sha256: SHA256.hexadecimal(of: Array(lines.utf8))),
            answers: inOrder.map(\.answer))
    }
}
