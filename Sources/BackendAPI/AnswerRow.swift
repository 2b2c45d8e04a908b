package import ExamCore
package import Foundation

/// The facts about an answer that a backend receives besides the recording. Their presence means that the complete
/// recording is there.
///
/// On the wire the record's fields are at the same level as these.
package struct AnswerRow: Equatable, Sendable {
    /// The upload's id, the same for every attempt.
    package var id: WrittenID
    package var session: WrittenID
    package var record: AnswerRecord
    package var recording: Recording

    package struct Recording: Codable, Equatable, Sendable {
        /// The path below the session: `responses/…`.
        package var path: String
        package var byteCount: Int
        /// The digest as 64 hexadecimal digits.
        package var sha256: String
        package var mediaType: String

        package init(path: String, byteCount: Int, sha256: String, mediaType: String) {
            self.path = path
            self.byteCount = byteCount
            self.sha256 = sha256
            self.mediaType = mediaType
        }
    }

    package init(id: UUID, session: UUID, record: AnswerRecord, recording: Recording) {
        self.id = WrittenID(id)
        self.session = WrittenID(session)
        self.record = record
        self.recording = recording
    }
}

extension AnswerRow: Codable {
    private enum CodingKeys: CodingKey { case id, session, recording }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(WrittenID.self, forKey: .id)
        session = try fields.decode(WrittenID.self, forKey: .session)
        record = try AnswerRecord(from: decoder)
        recording = try fields.decode(Recording.self, forKey: .recording)
    }

    package func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(session, forKey: .session)
        try fields.encode(recording, forKey: .recording)
    }
}
