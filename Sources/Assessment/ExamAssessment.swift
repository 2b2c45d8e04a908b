public import ExamCore

/// The measurements of an exam's recordings, without any person's opinion: `assessment.json` in a session's folder.
///
/// They depend only on the recordings and the record of the exam, so measuring again gives the same result. Opinions of
/// people and services are stored separately (`MarkSheet`, `AnswerTranscript`).
public struct ExamAssessment: Codable, Equatable, Sendable {
    /// The version of the file's layout.
    public static let layoutVersion = 1

    public var version = ExamAssessment.layoutVersion
    /// The session's id.
    public var session: String
    /// In the order of the exam.
    public var answers: [AnswerAssessment]
    /// In order.
    public var parts: [PartDelivery]
    /// The delivery of all answers together.
    public var delivery: DeliveryProfile

    public init(session: String, answers: [AnswerAssessment], parts: [PartDelivery], delivery: DeliveryProfile) {
        self.session = session
        self.answers = answers
        self.parts = parts
        self.delivery = delivery
    }
}

/// The measurements of one answer.
public struct AnswerAssessment: AnswerBearing, Codable, Equatable, Sendable {
    public var record: AnswerRecord
    /// The SHA-256 of the measured recording, in hexadecimal.
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

/// The delivery of all answers of a part together.
public struct PartDelivery: Codable, Equatable, Sendable {
    /// The part's number in the format.
    public var part: Int
    public var delivery: DeliveryProfile

    public init(part: Int, delivery: DeliveryProfile) {
        self.part = part
        self.delivery = delivery
    }
}
