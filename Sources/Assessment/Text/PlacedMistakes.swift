/// A mistake at its place in a transcript.
public struct PlacedMistake: Equatable, Sendable {
    public var mistake: Mistake
    /// The checker that found it.
    public var source: String
    /// The place of `mistake.original` in the transcript, in Unicode scalars.
    public var place: Range<Int>
}

extension AnswerTranscript {
    /// The mistakes that checkers found, in the order of the text. A mistake is left out if the text at its place is
    /// not its `original`, or if it overlaps an earlier one. A matter of style is also left out if it overlaps a
    /// mistake.
    public var placedMistakes: [PlacedMistake] {
        let scalars = Array(text.unicodeScalars)
        let placed = checks.flatMap { check in
            check.mistakes.compactMap { mistake -> PlacedMistake? in
                guard let start = mistake.start, let end = mistake.end, start >= 0, start < end, end <= scalars.count,
                    scalars[start..<end].elementsEqual(mistake.original.unicodeScalars)
                else { return nil }
                return PlacedMistake(mistake: mistake, source: check.source, place: start..<end)
            }
        }
        let (polish, mistakes) = (placed.filter(\.mistake.isPolish), placed.filter { !$0.mistake.isPolish })
        let kept = mistakes.inOrder.reduce(into: [PlacedMistake]()) { $0.add($1) }
        return polish.inOrder.reduce(into: kept) { $0.add($1) }.inOrder
    }

    /// Returns the words at a place.
    ///
    /// - Parameter place: In Unicode scalars, within the text.
    public func words(at place: Range<Int>) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.index(scalars.startIndex, offsetBy: place.lowerBound)
        return String(scalars[start..<scalars.index(start, offsetBy: place.count)])
    }

    /// Cuts the text at some of its `placedMistakes`.
    ///
    /// - Returns: Words outside the mistakes, and mistakes, in order. Together, the words and the mistakes' originals
    ///   are the text.
    public func cut(at mistakes: [PlacedMistake]) -> [(words: String, mistake: PlacedMistake?)] {
        var (pieces, next) = ([(words: String, mistake: PlacedMistake?)](), 0)
        for one in mistakes {
            if next < one.place.lowerBound { pieces.append((words(at: next..<one.place.lowerBound), nil)) }
            pieces.append((one.mistake.original, one))
            next = one.place.upperBound
        }
        let count = text.unicodeScalars.count
        if next < count { pieces.append((words(at: next..<count), nil)) }
        return pieces
    }
}

extension [PlacedMistake] {
    fileprivate var inOrder: [PlacedMistake] { sorted { $0.place.lowerBound < $1.place.lowerBound } }

    /// Adds a mistake unless it overlaps another one.
    fileprivate mutating func add(_ one: PlacedMistake) {
        if !contains(where: { $0.place.overlaps(one.place) }) { append(one) }
    }
}
