import Assessment
import Foundation
import SystemSupport

/// The unchecked opinion of a language model or a program on an answer.
struct Judgement: Decodable {
    /// The marks by `MarkedTrait`.
    var criteria: [String: Mark]?
    var mistakes: [Found]?
    var strengths: [String]?
    var improvements: [String]?
    var suspectInstructions: Bool?
    /// The transcript. Only a program gives one.
    var transcript: String?
    /// The words of the transcript with their times. Only a program gives them.
    var words: [Word]?
    /// The reason why the program cannot judge this answer. Only a program gives one.
    var error: String?

    struct Mark: Decodable {
        var band: Double?
        var because: String?
        var quotes: [String]?
    }

    struct Word: Decodable {
        var text: String
        var start: Double
        var end: Double
        var confidence: Double?
    }

    struct Found: Decodable {
        var quote: String
        var correction: String
        var start: Int?
        var type: String?
        var category: String?
    }

    /// Reads a judgement.
    ///
    /// - Parameter text: JSON. A Markdown fence around it is ignored.
    /// - Returns: nil for any other text.
    init?(_ text: String) {
        var json = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if json.hasPrefix("```") {
            json = json.split(separator: "\n").dropFirst().joined(separator: "\n")
            if json.hasSuffix("```") { json.removeLast(3) }
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let read = try? decoder.decodeForeign(Self.self, from: Data(json.utf8)) else { return nil }
        self = read
    }
}

extension Judgement {
    /// The seconds by which times may lie after the end of a recording, because recognisers round.
    private static let slack = 1.0

    /// Returns the words with times, if they are exactly the words of a transcript, in order and within the recording.
    /// Nil otherwise.
    ///
    /// - Parameter duration: the length of the recording in seconds.
    func timedWords(of transcript: String, in duration: Double) -> [HeardWord]? {
        guard let words else { return nil }
        let own = words.map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        let areInOrder = zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start }
        let areInside = words.allSatisfy { 0 <= $0.start && $0.start <= $0.end && $0.end <= duration + Self.slack }
        guard own.joined(separator: " ") == transcript, areInOrder, areInside else { return nil }
        return zip(words, own).map { word, text in
            let confidence = word.confidence.flatMap { (0...1).contains($0) ? $0 : nil }
            return HeardWord(text: text, start: word.start, end: word.end, confidence: confidence)
        }
    }
}

/// The parts of a judgement that passed the checks.
struct CheckedJudgement {
    /// The marks by trait. Nil if a mark was given but rejected.
    var marks: [MarkedTrait: (band: Double?, because: String?)] = [:]
    var mistakes: [Mistake] = []
    var strengths: [String] = []
    var improvements: [String] = []
    var dropped: [AssessorFinding.Dropped: Int] = [:]
    var isSuspect = false

    /// The maximum number of characters kept of one text, and of items kept of one list.
    private static let longest = 400
    private static let most = 50

    /// Checks a judgement.
    ///
    /// - Parameters:
    ///   - words: the whole transcript.
    ///   - needsQuotes: whether to reject marks without a quote from the transcript, because a number needs evidence.
    init(_ judgement: Judgement, of words: String, needsQuotes: Bool) {
        for (name, mark) in judgement.criteria ?? [:] {
            guard let trait = MarkedTrait(rawValue: name) else { continue }
            let quotes = (mark.quotes ?? []).prefix(Self.most)
            let standing = quotes.filter { words.place(ofQuote: $0) != nil }
            if standing.count < quotes.count { dropped[.quote, default: 0] += quotes.count - standing.count }
            let because = mark.because.map(Self.cut)
            guard let band = mark.band else {
                marks[trait] = (nil, because)
                continue
            }
            if !(0...9).contains(band) || !band.isFinite {
                dropped[.number, default: 0] += 1
                marks[trait] = (nil, "its mark was not a band")
            } else if needsQuotes && standing.isEmpty {
                marks[trait] = (nil, "it named no evidence that stands in the transcript")
            } else {
                marks[trait] = (band, because)
            }
        }
        for found in (judgement.mistakes ?? []).prefix(Self.most) {
            guard let place = words.place(ofQuote: found.quote, near: found.start) else {
                dropped[.quote, default: 0] += 1
                continue
            }
            let scalars = Array(words.unicodeScalars)[place]
            let original = String(String.UnicodeScalarView(scalars))
            // The judge's own correction changes nothing, or is missing.
            guard original != found.correction, !found.correction.isEmpty else { continue }
            mistakes.append(
                Mistake(
                    original: original, correction: Self.cut(found.correction), type: found.type.map(Self.cut),
                    category: found.category.map(Self.cut), start: place.lowerBound, end: place.upperBound))
        }
        strengths = (judgement.strengths ?? []).prefix(Self.most).map(Self.cut).filter { !$0.isEmpty }
        improvements = (judgement.improvements ?? []).prefix(Self.most).map(Self.cut).filter { !$0.isEmpty }
        isSuspect = judgement.suspectInstructions == true
    }

    private static func cut(_ text: String) -> String {
        String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(longest))
    }
}
