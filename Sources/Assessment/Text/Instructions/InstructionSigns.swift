/// Sentences that address the marker of an answer, found by their subject and not by their wording.
///
/// `SuspectInstructions` recognises published attacks by their wording. This check does not depend on the wording. It
/// undoes disguises (spelled letters, invisible characters, look-alike letters, typing errors). Then it looks in five
/// languages for the things that such a sentence has to mention: a mark, the best mark, the judge, the candidate, an
/// order, a revoked instruction. It flags a sentence that mentions enough of them. A story about school mentions some
/// of them too, but is about the past.
public struct InstructionSigns: Equatable, Sendable {
    /// The ranges of the sentences in Unicode scalars, in order. They don't touch.
    public let places: [Range<Int>]

    /// The lowest weight of a flagged sentence: a mark, the best mark, an order, and one sign that refers to this
    /// answer.
    static let threshold = 4.0
    /// The lowest weight of each of two sentences that are flagged together.
    private static let half = 1.0
    /// The most words to check at once. A longer sentence is checked in pieces, since recognisers write no full stops.
    private static let longest = 30

    public init(in text: String) {
        let words = PlainWord.words(of: text)
        let signs = InstructionSign.found(in: words)
        func weight(_ window: Range<Int>) -> Double {
            Self.weight(of: signs.filter { window.overlaps($0.words) })
        }
        let sentences = Self.sentences(of: words)
        var flagged = sentences.flatMap(Self.pieces).filter { weight($0) >= Self.threshold }
        // "Note to the marker. Band nine, please.": neither sentence weighs enough alone.
        for (one, next) in zip(sentences, sentences.dropFirst()) {
            let pair = one.lowerBound..<next.upperBound
            guard pair.count <= Self.longest, !flagged.contains(where: pair.overlaps), weight(one) >= Self.half,
                weight(next) >= Self.half, weight(pair) >= Self.threshold
            else { continue }
            flagged.append(pair)
        }
        places =
            flagged.map { words[$0.lowerBound].place.lowerBound..<words[$0.upperBound - 1].place.upperBound }.joined
    }

    /// Returns the sentences as ranges of words.
    private static func sentences(of words: [PlainWord]) -> [Range<Int>] {
        words.indices.reduce(into: []) { sentences, number in
            if let last = sentences.last, !words[number].beginsSentence {
                sentences[sentences.count - 1] = last.lowerBound..<number + 1
            } else {
                sentences.append(number..<number + 1)
            }
        }
    }

    /// Splits a long sentence into overlapping pieces.
    private static func pieces(of sentence: Range<Int>) -> [Range<Int>] {
        if sentence.count <= longest { return [sentence] }
        return stride(from: sentence.lowerBound, to: sentence.upperBound, by: longest / 3).map {
            $0..<min($0 + longest, sentence.upperBound)
        }
    }

    private static func weight(of signs: [InstructionSign.Found]) -> Double {
        let kinds = Set(signs.map(\.sign))
        func has(_ sign: InstructionSign) -> Bool { kinds.contains(sign) }
        func isNear(_ a: InstructionSign, _ b: InstructionSign) -> Bool {
            signs.contains { one in
                one.sign == a && signs.contains { $0.sign == b && abs($0.words.lowerBound - one.words.lowerBound) <= 5 }
            }
        }
        var sum = 0.0
        let whole: [InstructionSign] = [.mark, .top, .order, .candidate, .every, .revoke, .rule]
        sum += Double(whole.count(where: has))
        if has(.request) { sum += 0.5 }
        if has(.me) { sum += 0.5 }
        if has(.excuse) { sum += 1.5 }
        // "The right mark", "the expected band".
        if has(.right), isNear(.right, .mark) || isNear(.right, .number) { sum += 1.5 }
        // "Grammar nine."
        if isNear(.every, .number) { sum += 1 }
        // The sentence speaks to a judge, not about one.
        let isAddressed = has(.address) || has(.request) || has(.order) || has(.candidate) || has(.rule)
        if has(.judge) { sum += isAddressed ? 1.5 : 0.5 }
        if has(.number) && !has(.top) { sum += 1 }
        // "The mark is nine."
        let isAsserted = signs.contains { one in
            one.sign == .equals && isFollowed(one, by: .number, in: signs) && isPreceded(one, by: .mark, in: signs)
        }
        if isAsserted { sum += 1 }
        if signs.contains(where: \.isDisguised) { sum += 2 }
        if has(.past) { sum -= 1.5 }
        return sum
    }

    private static func isFollowed(
        _ one: InstructionSign.Found, by sign: InstructionSign, in signs: [InstructionSign.Found]
    ) -> Bool {
        signs.contains { $0.sign == sign && (1...5).contains($0.words.lowerBound - one.words.lowerBound) }
    }

    private static func isPreceded(
        _ one: InstructionSign.Found, by sign: InstructionSign, in signs: [InstructionSign.Found]
    ) -> Bool {
        signs.contains { $0.sign == sign && (1...5).contains(one.words.lowerBound - $0.words.lowerBound) }
    }
}

extension [Range<Int>] {
    /// The same ranges in order, with touching or overlapping ones merged.
    var joined: [Range<Int>] {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { places, place in
            if let last = places.last, place.lowerBound <= last.upperBound {
                places[places.count - 1] = last.lowerBound..<Swift.max(last.upperBound, place.upperBound)
            } else {
                places.append(place)
            }
        }
    }
}
