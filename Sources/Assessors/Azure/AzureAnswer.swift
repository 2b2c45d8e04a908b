import Assessment
import Foundation
import SystemSupport

/// What Azure answers about a piece. REST has the scores flat in `NBest[0]`, the SDK's JSON under `PronunciationAssessment`: both are read.
struct AzureAnswer: Decodable {
    var RecognitionStatus: String
    var DisplayText: String?
    var NBest: [Best]?

    struct Best: Decodable {
        var Display: String?
        var scores: AzureScores
        var Words: [Word]?

        private enum CodingKeys: CodingKey { case Display, Words, PronunciationAssessment }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            Display = try fields.decodeIfPresent(String.self, forKey: .Display)
            Words = try fields.decodeIfPresent([Word].self, forKey: .Words)
            scores = try fields.decodeIfPresent(AzureScores.self, forKey: .PronunciationAssessment) ?? AzureScores(from: decoder)
        }
    }

    struct Word: Decodable {
        var Word: String
        /// In 100 ns.
        var Offset: Double?
        var Duration: Double?
        var scores: AzureScores

        private enum CodingKeys: CodingKey { case Word, Offset, Duration, PronunciationAssessment }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            Word = try fields.decode(String.self, forKey: .Word)
            Offset = try fields.decodeIfPresent(Double.self, forKey: .Offset)
            Duration = try fields.decodeIfPresent(Double.self, forKey: .Duration)
            scores = try fields.decodeIfPresent(AzureScores.self, forKey: .PronunciationAssessment) ?? AzureScores(from: decoder)
        }
    }

    init?(_ answer: String) {
        guard let read = try? JSONDecoder().decodeForeign(Self.self, from: Data(answer.utf8)) else { return nil }
        self = read
    }
}

/// Scores of a piece or a word, as they stand flat or nested.
struct AzureScores: Decodable {
    var AccuracyScore, FluencyScore, ProsodyScore, CompletenessScore, PronScore: Double?
    var ErrorType: String?
    var Feedback: Feedback?

    struct Feedback: Decodable {
        var Prosody: Prosody?
    }
    struct Prosody: Decodable {
        var Break: Break?
        var Intonation: Intonation?
    }
    struct Break: Decodable {
        var UnexpectedBreak, MissingBreak: Sureness?
    }
    struct Sureness: Decodable {
        var Confidence: Double
    }
    struct Intonation: Decodable {
        var ErrorTypes: [String]?
    }
}

/// What is taken of the answer about one piece.
struct AzurePiece {
    var text: String
    /// Seconds of speech in it, by which it weighs.
    var speech: Double
    var scores: AzureScores
    var words: [PronunciationScores.Word]
    var isMonotone: Bool

    /// - Parameter answer: as it was kept.
    /// - Returns: nil where nothing was recognised in the piece.
    init?(_ answer: String, at piece: TimeRange, speech: Double) {
        guard let read = AzureAnswer(answer), read.RecognitionStatus == "Success", let best = read.NBest?.first else {
            return nil
        }
        text = best.Display ?? read.DisplayText ?? ""
        self.speech = speech
        scores = best.scores
        let all = best.Words ?? []
        isMonotone = all.contains {
            $0.scores.ErrorType == "Monotone"
                || $0.scores.Feedback?.Prosody?.Intonation?.ErrorTypes?.contains("Monotone") == true
        }
        words = all.map { word in
            // 100 ns; an omitted word has neither.
            let start = piece.start + max(0, word.Offset ?? 0) / 1e7
            var found = PronunciationScores.Word(
                text: word.Word, start: start, end: start + max(0, word.Duration ?? 0) / 1e7,
                accuracy: word.scores.AccuracyScore.flatMap(Self.hundred), error: Self.fault(word.scores.ErrorType))
            let breaks = word.scores.Feedback?.Prosody?.Break
            func isSure(_ sureness: AzureScores.Sureness?) -> Bool? {
                sureness.map { $0.Confidence > AzurePronunciation.sureOfBreak } == true ? true : nil
            }
            found.unexpectedBreak = isSure(breaks?.UnexpectedBreak)
            found.missingBreak = isSure(breaks?.MissingBreak)
            return found
        }
    }

    /// What says how sure it is of a break or a monotone is judged by that, not by the word's one label.
    private static func fault(_ word: String?) -> PronunciationScores.Fault? {
        switch word {
        case "Omission": .omission
        case "Insertion": .insertion
        case "Mispronunciation": .mispronunciation
        default: nil
        }
    }

    static func hundred(_ score: Double) -> Double? { (0...100).contains(score) ? score : nil }
}

extension PronunciationScores {
    /// The pieces' scores, each weighed by its speech; a score counts only where every piece has it.
    ///
    /// - Parameter pieces: all that were sent.
    /// - Returns: nil where nothing was recognised in any.
    init?(merging heard: [AzurePiece], pieces: [TimeRange]) {
        if heard.isEmpty { return nil }
        self.init(pieces: pieces)
        func mean(_ score: (AzureScores) -> Double?) -> Double? {
            var (sum, weight) = (0.0, 0.0)
            for piece in heard {
                guard let value = score(piece.scores).flatMap(AzurePiece.hundred) else { return nil }
                let own = max(piece.speech, 0.01)
                sum += own * value
                weight += own
            }
            return sum / weight
        }
        overall = mean(\.PronScore)
        accuracy = mean(\.AccuracyScore)
        fluency = mean(\.FluencyScore)
        completeness = mean(\.CompletenessScore)
        // What was not judged says 0.
        prosody = mean { $0.ProsodyScore.flatMap { $0 > 0 ? $0 : nil } }
        isMonotone = heard.contains(where: \.isMonotone)
        words = heard.flatMap(\.words)
    }
}
