public import ExamCore

/// What was found in an exam's recordings without anybody's opinion: `assessment.json` in a session's folder.
///
/// It follows from the recordings and the record of the exam alone; measuring again gives the same. What people and services say of the
/// exam stands beside it (`MarkSheet`, `AnswerTranscript`).
public struct ExamAssessment: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    public var version = ExamAssessment.layoutVersion
    /// The session's id.
    public var session: String
    /// In the order of the exam.
    public var answers: [AnswerAssessment]
    /// In order.
    public var parts: [PartDelivery]
    /// Of all answers together.
    public var delivery: DeliveryProfile

    public init(session: String, answers: [AnswerAssessment], parts: [PartDelivery], delivery: DeliveryProfile) {
        self.session = session
        self.answers = answers
        self.parts = parts
        self.delivery = delivery
    }
}

/// What was measured of one answer.
public struct AnswerAssessment: Codable, Equatable, Sendable {
    public var record: AnswerRecord
    /// SHA-256 of the recording that was measured, as hexadecimal digits: the evidence.
    public var recording: String
    public var sound: MeasuredSound
    public var delivery: DeliveryProfile

    public init(record: AnswerRecord, recording: String, sound: MeasuredSound, delivery: DeliveryProfile) {
        self.record = record
        self.recording = recording
        self.sound = sound
        self.delivery = delivery
    }
}

/// How a part was delivered, all its answers together.
public struct PartDelivery: Codable, Equatable, Sendable {
    /// The format's number.
    public var part: Int
    public var delivery: DeliveryProfile

    public init(part: Int, delivery: DeliveryProfile) {
        self.part = part
        self.delivery = delivery
    }
}
