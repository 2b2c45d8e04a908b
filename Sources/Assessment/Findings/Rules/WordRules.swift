import ExamCore

// Rules about transcripts, including a missing one.

extension StepRule {
    /// The most frequent kind of mistake, if it occurs at least twice.
    static let mistakes = StepRule(id: "mistakes") { known in
        let all = known.told.flatMap { transcript in transcript.checks.flatMap(\.mistakes).map { (transcript, $0) } }
        let kinds = Dictionary(grouping: all) { $0.1.category ?? $0.1.type ?? "" }.filter {
            $0.key != "" && $0.value.count >= 2
        }
        // Equally frequent kinds are ordered by name, so that the same exam always gives the same advice.
        guard let (kind, found) = kinds.min(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }),
            let (transcript, mistake) = found.first
        else { return nil }
        let place = known.answer(transcript.answer)
        return Found(
            weight: min(70, 44 + 4 * Double(found.count)),
            advice: "Say each corrected sentence aloud, then answer the question again.",
            evidence:
                "\(kind): \(found.count) times in what you said, first \"\(mistake.original)\" for \"\(mistake.correction)\""
                + (place.map { " in \(known.words(for: $0))" } ?? "") + ".",
            figure: StepFigure("mistakes", Double(found.count), "mistakes", 0, error: MeasureError.mistakes),
            answer: transcript.answer, at: 0, action: place.map { .answerAgain(question: $0.record.question) })
    }

    /// Words repeated immediately, as in "I I think", if one answer has at least three of them.
    static let repetitions = StepRule(id: "repetitions") { known in
        let found = known.own.map { transcript in
            let rows = Repetition.all(in: transcript.text.spokenWords)
            return (transcript: transcript, rows: rows, again: rows.reduce(0) { $0 + $1.times - 1 })
        }
        guard let most = found.max(by: { $0.again < $1.again }), most.again >= 3,
            let answer = known.answer(most.transcript.answer)
        else { return nil }
        return Found(
            weight: 43, advice: "Pause instead of repeating a word: a short silence is not a fault.",
            evidence:
                "You repeated \(most.again) words at once in \(known.words(for: answer)), as in \"\(most.rows[0].words)\".",
            figure: StepFigure("repetitions", Double(most.again), "words", 0, error: MeasureError.repetitions),
            answer: answer.record.name, at: 0, action: .answerAgain(question: answer.record.question))
    }

    /// Suggests the longest answer, which offers the most to learn from.
    static let noTranscript = StepRule(id: "noTranscript") { known in
        guard known.own.isEmpty,
            let answer = known.answers.max(by: { $0.delivery.measures.speech < $1.delivery.measures.speech }
            ),
            answer.delivery.measures.speech >= enoughToType
        else { return nil }
        return Found(
            weight: 10,
            advice: "Type what you said in one answer, and read it while you listen: mistakes show in writing.",
            evidence:
                "You typed none yet. There is \(answer.delivery.measures.speech.figure(0)) s of speech in \(known.words(for: answer)).",
            figure: StepFigure(
                "speech", answer.delivery.measures.speech, "s", 0, error: MeasureError.speech),
            answer: answer.record.name, at: answer.sound.timeline.span?.start ?? 0,
            action: .transcribe(answer: answer.record.name))
    }

    /// Seconds of speech. The minimum for judging an answer (`DeliveryGate.tooShort`).
    private static let enoughToType = 10.0
}
