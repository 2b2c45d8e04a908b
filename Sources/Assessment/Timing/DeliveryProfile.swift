/// How an answer, a part or an exam was delivered, from its sound alone: speed, pauses, and one of three words where there is enough to
/// go by. It speaks to one part of one of four criteria, and is never a band.
public struct DeliveryProfile: Codable, Equatable, Sendable {
    /// The rules by which this was measured; another version is not comparable.
    public static let version = "delivery/1"

    public var version: String
    /// Which calibration the word rests on: its id and the first digits of its file's SHA-256 (`speechocean762/1 3f9a…`).
    public var calibration: String
    public var measures: DeliveryMeasures
    /// Why there is no word; empty where there is one. The measures stand all the same.
    public var gates: [DeliveryGate]
    /// Where it lies between the calibration's most hesitant and most fluent speech, 0 … 10 as its markers marked; nil behind a gate.
    public var index: Double?
    /// nil behind a gate.
    public var word: DeliveryWord?
    /// How far `index` can be trusted to be this speaker's own, 0 … 1: it grows with the seconds of speech.
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

/// Three steps, because more cannot be told apart (docs/results.md).
public enum DeliveryWord: String, Codable, CaseIterable, Sendable {
    case hesitant, steady, fluent
}

/// Why a recording says too little about delivery.
///
/// That the examiner is heard in it is none: an answer's recording stands still while the examiner speaks.
public enum DeliveryGate: String, Codable, CaseIterable, Sendable {
    /// Under 10 s of speech in an answer, 60 s in a part or an exam.
    case tooShort
    /// Speech stands less than 20 dB above the room.
    case noisy
    /// 0.1 % of the samples or more are at full scale.
    case clipped
    /// Not all of it was recorded: the microphone missed more than a hundredth of it, or the answer was broken off.
    case incomplete
}
