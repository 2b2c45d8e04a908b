/// The delivery of an answer, a part or an exam, measured from its sound alone: speed, pauses, and one of three words
/// if there is enough speech. It describes a part of one of the four criteria and is never a band.
public struct DeliveryProfile: Codable, Equatable, Sendable {
    /// The version of the rules of measurement. Profiles of different versions are not comparable.
    public static let version = "delivery/1"

    public var version: String
    /// The id of the calibration that gives the index and the word: `speechocean762-9a3f01c2`.
    public var calibration: String
    public var measures: DeliveryMeasures
    /// The reasons why there is no word. Empty if there is one. The measures are present in any case.
    public var gates: [DeliveryGate]
    /// The delivery on a scale from the calibration's most hesitant speech to its most fluent, 0 to 10 like its marks.
    /// Nil if `gates` isn't empty.
    public var index: Double?
    /// The word for the index. Nil if `gates` isn't empty.
    public var word: DeliveryWord?
    /// The reliability of `index` as the speaker's own value, 0 to 1. It grows with the seconds of speech.
    public var reliability: Double

    public init(
        calibration: String, measures: DeliveryMeasures, gates: [DeliveryGate] = [], index: Double? = nil,
        word: DeliveryWord? = nil, reliability: Double = 0, version: String = DeliveryProfile.version
    ) {
        self.version = version
        self.calibration = calibration
        self.measures = measures
        self.gates = gates
        self.index = index
        self.word = word
        self.reliability = reliability
    }
}

/// One of three words. The measurements cannot distinguish more steps (docs/results.md).
public enum DeliveryWord: String, Codable, CaseIterable, Sendable {
    case hesitant, steady, fluent
}

/// A reason why a recording says too little about delivery.
///
/// The examiner's voice cannot be such a reason, because recording stops while the examiner speaks.
public enum DeliveryGate: String, Codable, CaseIterable, Sendable {
    /// Less than 10 s of speech in an answer, or 60 s in a part or an exam.
    case tooShort
    /// Speech is less than 20 dB above the room.
    case noisy
    /// At least 0.1 % of the samples are at full scale.
    case clipped
    /// The recording is incomplete: the microphone missed more than 1 % of it, or the answer was broken off.
    case incomplete
}
