/// A measure as people read it: its name, its value with the unit, and one sentence that says what it means here.
public struct MeasureLine: Codable, Equatable, Sendable {
    /// `speechRate`: the measure's name in `DeliveryMeasures`.
    public var id: String
    /// `speech rate`
    public var name: String
    /// `3.1 syllables a second`
    public var value: String
    public var sentence: String

    public init(id: String, name: String, value: String, sentence: String) {
        self.id = id
        self.name = name
        self.value = value
        self.sentence = sentence
    }
}

extension DeliveryProfile {
    /// The measures that there are, the telling ones first; each with a sentence that never says "faster is better".
    public var lines: [MeasureLine] { [] }

    /// What the word rests on, or why there is none: one sentence.
    public var evidence: String { "" }
}
