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
    /// The reason why the program cannot judge this answer. Only a program gives one.
    var error: String?

    struct Mark: Decodable {
        var band: Double?
        var because: String?
        var quotes: [String]?
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
