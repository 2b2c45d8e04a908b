import Assessment
import Foundation
import Learning
import Testing

@testable import Study

/// Sentences of an answer that come back in drills, each with a blank at a mistake.
@Suite struct MendedSentencesTests {
    /// - Parameter mistakes: The words that were said, the right ones, and the checker's type.
    private static func questions(
        of text: String, _ mistakes: (String, String, type: String?)...
    ) throws -> [PracticeQuestion] {
        let placed = try mistakes.map { said, right, type in
            let range = try #require(text.range(of: said))
            let start = text.unicodeScalars.distance(from: text.startIndex, to: range.lowerBound)
            return Mistake(
                original: said, correction: right, type: type, start: start, end: start + said.unicodeScalars.count)
        }
        let transcript = AnswerTranscript(
            answer: "part1_q5", recording: "hash", source: .own, writtenAt: "", text: text,
            checks: [LanguageCheck(source: "checker", mistakes: placed)])
        return MendedSentences.questions(of: CorrectedWords(transcript), in: "Part 1, question 5")
    }

    @Test func aMistakeIsABlankInItsOwnSentence() throws {
        let question = try #require(
            try Self.questions(of: "It rained. Yesterday I goed home. Then we ate.", ("goed", "went", nil)).first)
        #expect(question.prompt == "Yesterday I ___ home. (You said: goed.)")
        #expect(question.key == .fillInTheBlank(.init(accepted: ["went"])))
        #expect(question.explanation.contains("Part 1, question 5") && question.explanation.contains("can be wrong"))
        #expect(question.verdict(on: .fillInTheBlank(textAnswer: "Went")).isRight)
        #expect(!question.verdict(on: .fillInTheBlank(textAnswer: "goed")).isRight)
    }

    @Test func theOtherMistakesOfTheSentenceAreMendedInIt() throws {
        let questions = try Self.questions(
            of: "She don't likes é cats", ("don't", "doesn't", nil), ("likes", "like", nil))
        #expect(
            questions.map(\.prompt) == [
                "She ___ like é cats (You said: don't.)", "She doesn't ___ é cats (You said: likes.)",
            ])
        #expect(Set(questions.map(\.id)).count == 2)
    }

    /// A mistake is not asked if it has no single short answer, or no words around it.
    @Test func whatCannotBeAskedIsLeftOut() throws {
        #expect(try Self.questions(of: "I went to to school.", ("to to", "to", "style")).isEmpty)
        #expect(try Self.questions(of: "I am agree with it.", ("am ", "", nil)).isEmpty)
        #expect(try Self.questions(of: "Goed!", ("Goed", "Went", nil)).isEmpty)
        #expect(
            try Self.questions(of: "I like it more better.", ("more better", "it more than I did at first", nil))
                .isEmpty)
        #expect(try Self.questions(of: "I like it.", ("like", "like", nil)).isEmpty)
    }

    /// Typed words may have no ends of sentences.
    @Test func aLongTextIsCutAroundTheBlank() throws {
        let many = Array(repeating: "word", count: 40).joined(separator: " ")
        let prompt = try #require(try Self.questions(of: "\(many) goed \(many)", ("goed", "went", nil)).first?.prompt)
        #expect(prompt.split(separator: " ").count { $0 == "word" } == 2 * MendedSentences.mostWords)
    }

    /// The learner's progress is kept under the id.
    @Test func theSameSentenceHasTheSameIdInEveryExam() throws {
        let one = try Self.questions(of: "Well. I goed home.", ("goed", "went", nil))
        let two = try Self.questions(of: "So. I goed home.", ("goed", "went", nil))
        #expect(one.map(\.id) == two.map(\.id) && one.count == 1)
        #expect(one.allSatisfy { $0.id.wholeMatch(of: /[a-z0-9-]+/) != nil })
    }
}
