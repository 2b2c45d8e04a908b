/// A text that the candidate read aloud or repeated, as this machine heard it: a mark, its range, and the words that
/// were not heard.
///
/// It says nothing about single sounds. A word that was not heard may have been said.
public struct TextReading: Codable, Equatable, Sendable {
    /// The version of the rules. It rises when they change.
    public static let version = "reading/1"

    public var version: String
    /// The number of words in the text.
    public var words: Int
    /// The words that are neither in the transcript nor in the phones (recognised speech sounds), in the text's order.
    public var unheard: [String]
    /// An estimate of the mark, 0 to 10, that listeners would give for the accuracy of the reading. Nil if the sound is
    /// too poor, the text too short, or more than a third of it was not heard.
    public var mark: Mark?

    /// A mark and its range.
    public struct Mark: Codable, Equatable, Sendable {
        /// The name of the calibration.
        public var calibration: String
        /// 0 to 10, to tenths.
        public var value: Double
        /// The limits within which 80 % of the listeners' marks lie.
        public var low: Double
        public var high: Double
    }

    /// Judges a reading.
    ///
    /// - Parameters:
    ///   - answer: the measurements of the recording, with its phones.
    ///   - said: the transcript. Words in it count as heard.
    public init(_ reading: HeardReading, _ answer: AnswerAssessment, said: String) {
        version = Self.version
        words = reading.words.count
        let told = WordSequence.kept(reading.words, in: said)
        unheard = reading.words.indices.filter { index in
            !told.contains(index) && reading.shares[index].map { $0 < HeardReading.enough } ?? false
        }.map { reading.words[$0] }
        // The mark is fitted to people who read the text. If the candidate said something else, a mark would mean
        // nothing: by chance, half of a text's words can seem to be heard in a different text.
        mark = 3 * unheard.count > words ? nil : Mark(reading, answer)
    }
}

extension TextReading.Mark {
    /// - Returns: nil if the sound is too poor, or the text too short.
    init?(_ reading: HeardReading, _ answer: AnswerAssessment) {
        let calibration = DeliveryCalibration.reading
        let features = answer.sound.features.merging(reading.features) { $1 }
        let seconds = answer.delivery.measures.speech
        // Short answers are allowed: a sentence to repeat is shorter than an answer must be for a judgement of its
        // delivery.
        guard answer.delivery.gates.allSatisfy({ $0 == .tooShort }), seconds > 0,
            let index = calibration.index(of: features), let error = IndexError.known(of: calibration.id)
        else { return nil }
        let margin = error.margin(seconds: seconds)
        func tenths(_ value: Double) -> Double { (min(max(value, 0), 10) * 10).rounded() / 10 }
        self.init(
            calibration: calibration.id, value: tenths(index), low: tenths(index - margin), high: tenths(index + margin)
        )
    }
}

extension TextReading {
    /// The mark and the words that were not heard, for people.
    var lines: [MeasureLine] {
        [markLine, unheardLine].compactMap(\.self)
    }

    private var markLine: MeasureLine? {
        mark.map { mark in
            MeasureLine(
                id: "reading", name: "how well the text was heard (practice)",
                value: "\(mark.value.figure(1)) of 10, from \(mark.low.figure(1)) to \(mark.high.figure(1))",
                sentence:
                    "By the text's phones and how they follow each other. Four of five listeners' marks lie in the range. It tells weak from good, not good from better."
            )
        }
    }

    private var unheardLine: MeasureLine {
        MeasureLine(
            id: "unheard", name: "words not heard",
            value: unheard.isEmpty ? "none" : unheard.map { "\"\($0)\"" }.joined(separator: ", "),
            sentence:
                "Of \(words.counted("word")), neither the recogniser's words nor the phones show these. You may have said them all the same: listen again."
        )
    }
}
