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

    /// Cuts a transcript into pieces at its `placedMistakes`.
    public init(_ transcript: AnswerTranscript) {
        pieces = transcript.cut(at: transcript.placedMistakes).map { words, one in
            one.map { .mended($0.mistake) } ?? .said(words)
        }
    }
}

/// The one thing to do better in the next attempt. A learner who is speaking cannot keep more than one in mind.
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
