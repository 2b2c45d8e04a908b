import ExamCore

// What transcripts show, and that there is none yet.

extension StepRule {
    /// The kind of mistake that comes most often, from twice on.
    static let mistakes = StepRule(id: "mistakes") { known in
        let all = known.told.flatMap { transcript in transcript.checks.flatMap(\.mistakes).map { (transcript, $0) } }
        let kinds = Dictionary(grouping: all) { $0.1.category ?? $0.1.type ?? "" }.filter {
            $0.key != "" && $0.value.count >= 2
        }
        // By name where two come equally often, so that the same exam gives the same advice.
        guard let (kind, found) = kinds.min(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }),
            let (transcript, mistake) = found.first
        else { return nil }
        let place = known.answer(transcript.answer)
        return Found(
            weight: min(70, 44 + 4 * Double(found.count)),
            advice: "Say each corrected sentence aloud, then answer the question again.",
            evidence:
                "\(kind): \(found.count) times in what you said, first \"\(mistake.original)\" for \"\(mistake.correction)\""
                + (place.map { " in \($0.record.words)" } ?? "") + ".",
            answer: transcript.answer, at: 0, link: place.map(known.again))
    }

    /// Words said again at once, as in "I I think": from three on in one answer.
    static let repetitions = StepRule(id: "repetitions") { known in
        let found = known.own.map { transcript in
            let rows = Repetition.all(in: transcript.text.spokenWords)
            return (transcript: transcript, rows: rows, again: rows.reduce(0) { $0 + $1.times - 1 })
        }
        guard let most = found.max(by: { $0.again < $1.again }), most.again >= 3,
            let answer = known.answer(most.transcript.answer)
        else { return nil }
        return Found(
            weight: 43, advice: "Pause instead of saying a word again: a short silence is no fault.",
            evidence:
                "\(most.again) words are said again at once in \(answer.record.words), as in \"\(most.rows[0].words)\".",
            answer: answer.record.name, at: 0, link: known.again(answer))
    }

    /// The longest answer, which has the most to tell.
    static let noTranscript = StepRule(id: "noTranscript") { known in
        guard known.own.isEmpty,
            let answer = known.assessment.answers.max(by: { $0.delivery.measures.speech < $1.delivery.measures.speech }
            ),
            answer.delivery.measures.speech >= enoughToType
        else { return nil }
        return Found(
            weight: 10,
            advice: "Type what you said in one answer, and read it beside the sound: mistakes show in writing.",
            evidence:
                "You have typed none yet; \(answer.record.words) has \(answer.delivery.measures.speech.figure(0)) s of speech.",
            answer: answer.record.name, at: answer.sound.timeline.span?.start ?? 0,
            link: "oracy transcribe \(known.assessment.session) \(answer.record.name)")
    }

    /// Seconds of speech; what an answer needs to be judged (`DeliveryGate.tooShort`).
    private static let enoughToType = 10.0
}
