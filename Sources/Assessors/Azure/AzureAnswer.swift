import Assessment
import Foundation
import SystemSupport

/// Azure's answer about a piece. REST puts the scores directly into `NBest[0]`, the SDK's JSON puts them under
/// `PronunciationAssessment`. Both are read.
struct AzureAnswer: Decodable {
    var recognitionStatus: String
    var displayText: String?
    var nBest: [Best]?

    struct Best: Decodable {
        var display: String?
        var scores: AzureScores
        var words: [Word]?

        private enum CodingKeys: CodingKey { case display, words, pronunciationAssessment }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            display = try fields.decodeIfPresent(String.self, forKey: .display)
            words = try fields.decodeIfPresent([Word].self, forKey: .words)
            scores =
                try fields.decodeIfPresent(AzureScores.self, forKey: .pronunciationAssessment)
                ?? AzureScores(from: decoder)
        }
    }

    struct Word: Decodable {
        var word: String
        /// The offset in units of 100 ns.
        var offset: Double?
        var duration: Double?
        var scores: AzureScores

        private enum CodingKeys: CodingKey { case word, offset, duration, pronunciationAssessment }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            word = try fields.decode(String.self, forKey: .word)
            offset = try fields.decodeIfPresent(Double.self, forKey: .offset)
            duration = try fields.decodeIfPresent(Double.self, forKey: .duration)
            scores =
                try fields.decodeIfPresent(AzureScores.self, forKey: .pronunciationAssessment)
                ?? AzureScores(from: decoder)
        }
    }

    init?(_ answer: String) {
        let decoder = JSONDecoder()
        // Azure's names begin with a capital.
        decoder.keyDecodingStrategy = .custom { AzureKey($0[$0.count - 1].stringValue) }
        guard let read = try? decoder.decodeForeign(Self.self, from: Data(answer.utf8)) else { return nil }
        self = read
    }

    private struct AzureKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name.prefix(1).lowercased() + name.dropFirst() }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The scores of a piece or a word, flat or nested.
struct AzureScores: Decodable {
    var accuracyScore, fluencyScore, prosodyScore, completenessScore, pronScore: Double?
    var errorType: String?
    var feedback: Feedback?

    struct Feedback: Decodable {
        var prosody: Prosody?
    }
    struct Prosody: Decodable {
        var `break`: Break?
        var intonation: Intonation?
    }
    struct Break: Decodable {
        var unexpectedBreak, missingBreak: Sureness?
    }
    struct Sureness: Decodable {
        var confidence: Double
    }
    struct Intonation: Decodable {
        var errorTypes: [String]?
    }
}

/// The parts of the answer about one piece that are used.
struct AzurePiece {
    var text: String
    /// The seconds of speech in the piece, which are its weight.
    var speech: Double
    var scores: AzureScores
    var words: [PronunciationScores.Word]
    var isMonotone: Bool

    /// Reads a piece.
    ///
    /// - Parameter answer: the stored answer.
    /// - Returns: nil if nothing was recognised in the piece.
    init?(_ answer: String, at piece: TimeRange, speech: Double) {
        guard let read = AzureAnswer(answer), read.recognitionStatus == "Success", let best = read.nBest?.first else {
            return nil
        }
        text = best.display ?? read.displayText ?? ""
        self.speech = speech
        scores = best.scores
        let all = best.words ?? []
        isMonotone = all.contains {
            $0.scores.errorType == "Monotone"
                || $0.scores.feedback?.prosody?.intonation?.errorTypes?.contains("Monotone") == true
        }
        words = all.map { word in
            // In units of 100 ns. An omitted word has neither an offset nor a duration.
            let start = piece.start + max(0, word.offset ?? 0) / 1e7
            var found = PronunciationScores.Word(
                text: word.word, start: start, end: start + max(0, word.duration ?? 0) / 1e7,
                accuracy: word.scores.accuracyScore.flatMap(Self.hundred), error: Self.fault(word.scores.errorType))
            let breaks = word.scores.feedback?.prosody?.break
            func isSure(_ sureness: AzureScores.Sureness?) -> Bool? {
                sureness.map { $0.confidence > AzurePronunciation.sureOfBreak } == true ? true : nil
            }
            found.unexpectedBreak = isSure(breaks?.unexpectedBreak)
            found.missingBreak = isSure(breaks?.missingBreak)
            return found
        }
    }

    /// Returns a word's fault. Breaks and monotone speech come with a confidence, which is used instead of the word's
    /// single label.
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
    /// Merges the pieces' scores, weighted by their speech. A score counts only if every piece has it.
    ///
    /// - Parameter pieces: all pieces that were sent.
    /// - Returns: nil if nothing was recognised in any piece.
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
        overall = mean(\.pronScore)
        accuracy = mean(\.accuracyScore)
        fluency = mean(\.fluencyScore)
        completeness = mean(\.completenessScore)
        // Azure gives 0 for scores that were not judged.
        prosody = mean { $0.prosodyScore.flatMap { $0 > 0 ? $0 : nil } }
        isMonotone = heard.contains(where: \.isMonotone)
        words = heard.flatMap(\.words)
    }
}
