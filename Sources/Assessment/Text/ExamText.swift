import ExamCore

/// What the words of an exam tell, as far as there are transcripts of one source: answer by answer, and of all of them together.
public struct ExamText: Codable, Equatable, Sendable {
    public var answers: [Answer]
    /// Of all transcripts in the order of the exam; nil where there are none.
    public var exam: TextProfile?

    public struct Answer: Codable, Equatable, Sendable {
        /// `part1_q3`
        public var answer: String
        public var profile: TextProfile
    }

    /// - Parameters:
    ///   - transcripts: those of other sources, and of recordings that are not the exam's any more, are passed over.
    ///   - source: whose words are taken.
    public init(
        of assessment: ExamAssessment, _ transcripts: [AnswerTranscript], source: AnswerTranscript.Source = .own
    ) {
        let texts = assessment.answers.compactMap { answer -> (String, TextProfile.Spoken)? in
            let transcript = transcripts.first {
                $0.source == source && $0.answer == answer.record.name && $0.recording == answer.recording
            }
            return transcript.map {
                (answer.record.name, TextProfile.Spoken(text: $0.text, span: answer.sound.timeline.span?.length))
            }
        }
        answers = texts.map { Answer(answer: $0, profile: TextProfile(of: [$1], source: source)) }
        exam = texts.isEmpty ? nil : TextProfile(of: texts.map(\.1), source: source)
    }

    public subscript(answer: String) -> TextProfile? { answers.first { $0.answer == answer }?.profile }
}
