import ExamCore

/// What the words of an exam tell, as far as there are transcripts of one source: answer by answer, and of all of them together.
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
    ///   - transcripts: those of other sources, and of recordings that are not the exam's any more, are passed over.
    ///   - sentences: that were to be said again, by their questions' ids.
    ///   - source: whose words are taken.
    public init(
        of assessment: ExamAssessment, _ transcripts: [AnswerTranscript], sentences: [String: SentenceToSay] = [:],
        source: AnswerTranscript.Source = .own
    ) {
        let texts = assessment.answers.compactMap { answer -> (AnswerRecord, TextProfile.Spoken)? in
            let transcript = transcripts.first {
                $0.source == source && $0.answer == answer.record.name && $0.recording == answer.recording
            }
            return transcript.map {
                (answer.record, TextProfile.Spoken(text: $0.text, span: answer.sound.timeline.span?.length))
            }
        }
        answers = texts.map { record, spoken in
            var profile = TextProfile(of: [spoken], source: source)
            profile.sequence = sentences[record.question].flatMap { WordSequence(of: spoken.text, $0) }
            return Answer(answer: record.name, profile: profile)
        }
        // What was given tells nothing of whose words these are.
        let own = texts.filter { record, _ in sentences[record.question] == nil }
        exam = own.isEmpty ? nil : TextProfile(of: own.map(\.1), source: source)
    }

    public subscript(answer: String) -> TextProfile? { answers.first { $0.answer == answer }?.profile }
}
