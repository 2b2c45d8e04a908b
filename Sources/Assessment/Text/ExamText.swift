import ExamCore

/// The measures of an exam's words, for each transcript and for all together. If the candidate typed an answer, that
/// transcript is used rather than a recogniser's.
public struct ExamText: Codable, Equatable, Sendable {
    public var answers: [Answer]
    /// The profile of all transcripts in the order of the exam, without sentences to repeat. Nil without transcripts.
    public var exam: TextProfile?

    public struct Answer: Codable, Equatable, Sendable {
        /// The answer's name, such as `part1_q3`.
        public var answer: String
        public var profile: TextProfile
    }

    /// Measures the transcripts of an exam.
    ///
    /// - Parameters:
    ///   - transcripts: the transcripts. Those of recordings that no longer belong to the exam are ignored.
    ///   - sentences: the sentences to repeat, by their questions' ids.
    ///   - readings: how texts were read, by the recordings' SHA-256.
    public init(
        of assessment: ExamAssessment, _ transcripts: [AnswerTranscript], sentences: [String: SentenceToSay] = [:],
        readings: [String: HeardReading] = [:]
    ) {
        let texts = assessment.answers.compactMap {
            answer -> (AnswerAssessment, TextProfile.Spoken, AnswerTranscript.Source)? in
            let own = transcripts.filter { $0.answer == answer.record.name && $0.recording == answer.recording }
            return own.told.first.map {
                // With words missing, a rate would be too low.
                let span = $0.isPartial == true ? nil : answer.sound.timeline.span?.length
                return (answer, TextProfile.Spoken(text: $0.text, span: span), $0.source)
            }
        }
        answers = texts.map { answer, spoken, source in
            var profile = TextProfile(of: [spoken], source: source)
            if let sentence = sentences[answer.record.question] {
                profile.sequence = WordSequence(of: spoken.text, sentence)
                let reading = readings[answer.recording].flatMap { $0.isOf(sentence.text) ? $0 : nil }
                profile.reading = reading.map { TextReading($0, answer, said: spoken.text) }
            }
            return Answer(answer: answer.record.name, profile: profile)
        }
        // Sentences to repeat do not show the candidate's own vocabulary.
        let own = texts.filter { answer, _, _ in sentences[answer.record.question] == nil }
        // If any of it comes from a recogniser, the whole is only as reliable as the recogniser.
        let source: AnswerTranscript.Source = own.contains { $0.2 == .recogniser } ? .recogniser : .own
        exam = own.isEmpty ? nil : TextProfile(of: own.map(\.1), source: source)
    }

    public subscript(answer: String) -> TextProfile? { answers.first { $0.answer == answer }?.profile }
}
