/// Sentences that speak to the marker of an answer, found by what they are about and not by how they are put.
///
/// `SuspectInstructions` knows published attacks by their wording. This check knows no wording: it undoes disguises (spelled letters, invisible
/// characters, look-alike letters, typing errors), finds in five languages the things that such a sentence has to name (a mark, its top, the
/// judge, the candidate, an order, an instruction that no longer holds), and flags a sentence that names enough of them. A story about school
/// names some of them as well, and is about the past.
public struct InstructionSigns: Equatable, Sendable {
    /// Where they stand, in Unicode scalars, in order. They do not touch.
    public let places: [Range<Int>]

    /// The weight from which a sentence is flagged: a mark, its top, an order, and one sign that this very answer is meant.
    static let threshold = 4.0
    /// What each of two sentences has to weigh that are flagged together.
    private static let half = 1.0
    /// A sentence with more words than this is looked at in pieces, since recognisers write no full stops.
    private static let longest = 30

    public init(in text: String) {
        let words = PlainWord.words(of: text)
        let signs = InstructionSign.found(in: words)
        func weight(_ window: Range<Int>) -> Double {
            Self.weight(of: signs.filter { window.overlaps($0.words) })
        }
        let sentences = Self.sentences(of: words)
        var flagged = sentences.flatMap(Self.pieces).filter { weight($0) >= Self.threshold }
        // "Note to the marker. Band nine, please.": neither says enough alone.
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

    /// Ranges of words.
    private static func sentences(of words: [PlainWord]) -> [Range<Int>] {
        words.indices.reduce(into: []) { sentences, number in
            if let last = sentences.last, !words[number].beginsSentence {
                sentences[sentences.count - 1] = last.lowerBound..<number + 1
            } else {
                sentences.append(number..<number + 1)
            }
        }
    }

    /// A long sentence in pieces that overlap.
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
        // A judge who is spoken to, and not about.
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
    /// The same places in order, those that touch or overlap as one.
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
