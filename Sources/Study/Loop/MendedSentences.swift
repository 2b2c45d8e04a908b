import Assessment
import ExamCore
public import Learning

/// The mistakes of an answer as questions for drills: the learner's own sentences, corrected, with a blank at each
/// mistake. The same schedule repeats them as all other questions.
public enum MendedSentences {
    /// The id of the pack with these questions.
    public static let pack = "mended"
    /// The title of the pack with these questions.
    public static let title = "Sentences of yours, mended"

    /// The most words on one side of a blank. Without a limit they could be many, because typed text may have no full
    /// stops.
    static let mostWords = 12
    /// The most words in a blank. Learners don't type longer ones exactly.
    static let mostInBlank = 4

    /// Returns a question for each mistake that a learner can practise: it has a correction, is not merely a matter of
    /// style, and stands in a sentence.
    public static func questions(of loop: QuestionLoop) -> [PracticeQuestion] {
        loop.words.map { questions(of: $0, in: loop.title) } ?? []
    }

    /// - Parameter answer: The answer's name for people.
    static func questions(of words: CorrectedWords, in answer: String) -> [PracticeQuestion] {
        var known: Set<String> = []
        return words.pieces.indices.compactMap { question(of: words.pieces, blank: $0, in: answer) }
            .filter { known.insert($0.id).inserted }
    }

    private static func question(
        of pieces: [CorrectedWords.Piece], blank: Int, in answer: String
    ) -> PracticeQuestion? {
        guard case .mended(let mistake) = pieces[blank], !mistake.isPolish else { return nil }
        let (wrong, right) = (mistake.original.words, mistake.correction.words)
        guard (1...mostInBlank).contains(right.count), wrong != right else { return nil }
        let before = sentenceEnd(of: pieces[..<blank].map(\.corrected).joined())
        let after = sentenceStart(of: pieces[(blank + 1)...].map(\.corrected).joined())
        guard before.words.count + after.words.count >= 2 else { return nil }
        let (said, mended) = (wrong.joined(separator: " "), right.joined(separator: " "))
        let sentence = (before.words + ["___"]).joined(separator: " ") + after
        return PracticeQuestion(
            id: "\(pack)-\((sentence + "|" + mended).digest.prefix(16))", topic: "your own sentences",
            difficulty: .medium, prompt: "\(sentence) (You said: \(said).)",
            key: .fillInTheBlank(.init(accepted: [mended])),
            explanation: "In \(answer) you said \"\(said)\". A checker suggests \"\(mended)\"; it can be wrong.")
    }

    private static let ends: Set<Character> = [".", "?", "!", "…", "\n"]

    /// Returns the last words of a text, after the last end of a sentence.
    private static func sentenceEnd(of text: String) -> String {
        let start = text.lastIndex { ends.contains($0) }.map(text.index(after:)) ?? text.startIndex
        return text[start...].split(whereSeparator: \.isWhitespace).suffix(mostWords).joined(separator: " ")
    }

    /// Returns the first words of a text, up to the first end of a sentence, with a space before them if the text has
    /// one.
    private static func sentenceStart(of text: String) -> String {
        let end = text.firstIndex { ends.contains($0) }.map(text.index(after:)) ?? text.endIndex
        let words = text[..<end].split(whereSeparator: \.isWhitespace).prefix(mostWords).joined(separator: " ")
        return (text.first?.isWhitespace == true ? " " : "") + words
    }
}

extension CorrectedWords.Piece {
    /// The piece as it should have been said.
    fileprivate var corrected: String {
        switch self {
        case .said(let text): text
        case .mended(let mistake): mistake.correction
        }
    }
}

extension String {
    fileprivate var words: [Substring] { split(whereSeparator: \.isWhitespace) }
}
