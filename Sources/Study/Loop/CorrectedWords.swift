public import Assessment

/// A transcript with the mistakes that checkers found in it, in pieces to show one after another.
public struct CorrectedWords: Equatable, Sendable {
    /// Words that stay as they are, or words with their correction.
    public enum Piece: Equatable, Sendable {
        /// Words that stay as they are.
        case said(String)
        /// A mistake with its correction.
        case mended(Mistake)
    }

    /// The pieces. Together, `said` and the mistakes' originals are the transcript.
    public let pieces: [Piece]

    /// The mistakes in the order of the text.
    public var mistakes: [Mistake] {
        pieces.compactMap { if case .mended(let mistake) = $0 { mistake } else { nil } }
    }

    /// Leaves out mistakes whose place is invalid, and those that overlap an earlier one.
    public init(_ transcript: AnswerTranscript) {
        let scalars = Array(transcript.text.unicodeScalars)
        func text(_ range: Range<Int>) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[range])
            return String(text)
        }
        let placed = transcript.checks.flatMap(\.mistakes).compactMap { mistake -> (place: Range<Int>, Mistake)? in
            guard let start = mistake.start, let end = mistake.end, start >= 0, start < end, end <= scalars.count,
                text(start..<end) == mistake.original
            else { return nil }
            return (start..<end, mistake)
        }
        var (pieces, next) = ([Piece](), 0)
        for (place, mistake) in placed.sorted(by: { $0.place.lowerBound < $1.place.lowerBound })
        where place.lowerBound >= next {
            if next < place.lowerBound { pieces.append(.said(text(next..<place.lowerBound))) }
            pieces.append(.mended(mistake))
            next = place.upperBound
        }
        if next < scalars.count { pieces.append(.said(text(next..<scalars.count))) }
        self.pieces = pieces
    }
}

/// The one thing to do better in the next attempt. A learner cannot keep more in mind while speaking.
public enum LoopAim: Equatable, Sendable {
    /// The exam's recommendation for this answer.
    case step(NextStep)
    /// The first mistake in the words.
    case correction(Mistake)
    /// Nothing was found.
    case nothing

    init(_ step: NextStep?, _ words: CorrectedWords?) {
        if let step {
            self = .step(step)
        } else if let mistake = words?.mistakes.first {
            self = .correction(mistake)
        } else {
            self = .nothing
        }
    }

    /// The aim as a sentence for the learner.
    public var sentence: String {
        switch self {
        case .step(let step): step.advice
        case .correction(let mistake) where mistake.correction.isEmpty: "Leave out \"\(mistake.original)\"."
        case .correction(let mistake): "Say \"\(mistake.correction)\", not \"\(mistake.original)\"."
        case .nothing: "No mistake was found. Listen to the model answer, and add one idea of your own."
        }
    }
}
