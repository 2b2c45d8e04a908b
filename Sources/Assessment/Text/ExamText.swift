import ExamCore

/// What the words of an exam tell, as far as there are transcripts: answer by answer, and of all of them together. Of an answer the candidate's own
/// words count, else a recogniser's.
public struct ExamText: Codable, Equatable, Sendable {
    public var answers: [Answer]
    /// Of all transcripts in the order of the exam, but those of sentences that were said again; nil where there are none.
    public var exam: TextProfile?

    public struct Answer: Codable, Equatable, Sendable {
        /// `part1_q3`
        public var answer: String
        public var profile: TextProfile
    }

    /// - Parameters:
    ///   - transcripts: those of recordings that are not the exam's any more are passed over.
    ///   - sentences: that were to be said again, by their questions' ids.
    public init(
        of assessment: ExamAssessment, _ transcripts: [AnswerTranscript], sentences: [String: SentenceToSay] = [:]
    ) {
        let texts = assessment.answers.compactMap {
            answer -> (AnswerRecord, TextProfile.Spoken, AnswerTranscript.Source)? in
            let own = transcripts.filter { $0.answer == answer.record.name && $0.recording == answer.recording }
            return own.told.first.map {
                let span = answer.sound.timeline.span?.length
                return (answer.record, TextProfile.Spoken(text: $0.text, span: span), $0.source)
            }
        }
        answers = texts.map { record, spoken, source in
            var profile = TextProfile(of: [spoken], source: source)
            profile.sequence = sentences[record.question].flatMap { WordSequence(of: spoken.text, $0) }
            return Answer(answer: record.name, profile: profile)
        }
        // What was given tells nothing of whose words these are.
        let own = texts.filter { record, _, _ in sentences[record.question] == nil }
        // One word of a recogniser's, and all of it is only as right as that.
        let source: AnswerTranscript.Source = own.contains { $0.2 == .recogniser } ? .recogniser : .own
        exam = own.isEmpty ? nil : TextProfile(of: own.map(\.1), source: source)
    }

    public subscript(answer: String) -> TextProfile? { answers.first { $0.answer == answer }?.profile }
}
