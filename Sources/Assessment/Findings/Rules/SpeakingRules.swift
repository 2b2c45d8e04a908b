import ExamCore

extension StepRule {
    /// Answers without speech. Silence in them counts neither as a pause nor as a short answer.
    static let silent = StepRule(id: "silent") { known in
        let answers = known.answers
        let silent = answers.filter(\.record.isSilent)
        guard let first = silent.first else { return nil }
        return Found(
            weight: 80 * (0.5 + Double(silent.count) / Double(answers.count) / 2),
            advice: "Answer each question, even with a guess: silence cannot be marked.",
            evidence: "You said nothing in \(silent.count) of \(answers.count.counted("answer")), the first in "
                + "\(known.words(for: first)).",
            figure: StepFigure("silentAnswers", Double(silent.count), "answers", 0, error: MeasureError.count),
            answer: first.record.name, at: 0, action: .answerAgain(question: first.record.question))
    }

    /// Pauses of 2 s and longer, which is twice the length called long.
    static let longPauses = StepRule(id: "longPauses") { known in
        let pauses = known.clear.flatMap { answer in answer.pauses.map { (answer, $0) } }
        guard let (answer, longest) = pauses.max(by: { $0.1.length < $1.1.length }),
            longest.length > longPause + MeasureError.pause
        else { return nil }
        let long = pauses.count { $0.1.length >= Plateau.pause }
        return Found(
            weight: min(75, 65 + Double(long)),
            advice: "Answer this question again. If a word is missing, continue with other words.",
            evidence:
                "The longest pause is \(longest.length.figure(1)) s, in \(known.words(for: answer)) at \(longest.start.moment); "
                + "\(long.counted("pause")) of a second or more in the exam.",
            figure: StepFigure("longestPause", longest.length, "s", longPause, error: MeasureError.pause),
            answer: answer.record.name, at: max(0, longest.start - lead),
            action: .answerAgain(question: answer.record.question))
    }

    /// Short answers that the candidate ended. Answers cut off by a limit, and formats that allow only a few seconds,
    /// are not counted.
    static let shortAnswers = StepRule(id: "shortAnswers") { known in
        let free = known.answers.filter { $0.record.end == "finished" && !$0.record.isSilent }
        let short = free.filter { $0.delivery.measures.speech < shortAnswer - MeasureError.speech }
        // The first questions of an exam often need only a name or a place.
        guard 3 * short.count >= free.count,
            let shortest = short.min(by: { $0.delivery.measures.speech < $1.delivery.measures.speech })
        else { return nil }
        return Found(
            weight: 45 + 20 * Double(short.count) / Double(free.count),
            advice: "Say more: give a reason or an example with each answer.",
            evidence: "\(short.count) of \(free.count.counted("answer")) \(short.count == 1 ? "has" : "have") under "
                + "\(shortAnswer.figure(0)) s of speech; the shortest is \(known.words(for: shortest)) with "
                + "\(shortest.delivery.measures.speech.figure(1)) s.",
            figure: StepFigure(
                "shortestAnswer", shortest.delivery.measures.speech, "s", shortAnswer, error: MeasureError.speech),
            answer: shortest.record.name, at: 0, action: .answerAgain(question: shortest.record.question))
    }

    /// Answers that begin late. The examiner waits longer than people do in conversation.
    static let lateStarts = StepRule(id: "lateStarts") { known in
        let known = (known, known.clear.compactMap { answer in answer.latency.map { (answer, $0) } })
        let late = known.1.filter { $0.1 > lateStart + MeasureError.latency }
        guard late.count >= 2, let (answer, latest) = late.max(by: { $0.1 < $1.1 }) else { return nil }
        return Found(
            weight: 40 + 15 * Double(late.count) / Double(known.1.count),
            advice:
                "Begin with a ready phrase (\"I would say\", \"Well, it depends\"), and think while you say it.",
            evidence:
                "\(late.count) of \(known.1.count.counted("answer")) began \(lateStart.figure(0)) s or more after the "
                + "question; the latest, \(known.0.words(for: answer)), after \(latest.figure(1)) s.",
            figure: StepFigure("latestStart", latest, "s", lateStart, error: MeasureError.latency),
            answer: answer.record.name, at: 0, action: .answerAgain(question: answer.record.question))
    }

    /// Answers that become slower, if the whole exam does: the last thirds of all answers together are slower than the
    /// first ones. Both thirds must be long enough to have a rate.
    static let slowerEnd = StepRule(id: "slowerEnd") { known in
        let whole = known.assessment.delivery.measures
        guard let began = whole.firstThird.rate, let ended = whole.lastThird.rate,
            ended < began * (1 - MeasureError.rate)
        else { return nil }
        let falls = known.clear.compactMap { answer -> (AnswerAssessment, Double, Double)? in
            let (first, last) = (answer.delivery.measures.firstThird, answer.delivery.measures.lastThird)
            guard min(first.seconds, last.seconds) >= longThird, let a = first.rate, let b = last.rate, b <= 0.75 * a
            else { return nil }
            return (answer, a, b)
        }
        guard let (answer, first, last) = falls.min(by: { $0.2 / $0.1 < $1.2 / $1.1 }) else { return nil }
        return Found(
            weight: 38, advice: "Save one example for the end, so that you do not run out of things to say.",
            evidence: "In the exam the last thirds of your answers have \(ended.figure(1)) syllables a second, the "
                + "first \(began.figure(1)); in \(known.words(for: answer)), \(last.figure(1)) and \(first.figure(1)).",
            figure: StepFigure(
                "lastThird", ended, "syllables a second", from: .beginning, began, error: MeasureError.rate * began),
            answer: answer.record.name, at: answer.sound.timeline.lastThird,
            action: .answerAgain(question: answer.record.question))
    }

    /// An exam with a smaller share of speech than all earlier ones of the learner.
    static let fellBack = StepRule(id: "fellBack") { known in
        let delivery = known.assessment.delivery
        guard delivery.gates.isEmpty, let now = delivery.measures.phonationTimeRatio,
            let rank = known.earlier.percentile(of: now, { $0.trusted?.phonationTimeRatio }), rank == 0,
            let least = known.earlier.compactMap({ $0.delivery.trusted?.phonationTimeRatio }).min(),
            now <= least - 0.05,
            let usual = known.earlier.median({ $0.measures.phonationTimeRatio })
        else { return nil }
        let parts = known.assessment.parts.filter { $0.delivery.measures.answers > 0 }
        let weakest = parts.min { ($0.delivery.ratio ?? 1) < ($1.delivery.ratio ?? 1) }
        return Found(
            weight: 42, advice: "Sit the part with the most pauses again.",
            evidence:
                "\(now.percent) of the time was speech, less than in all earlier exams (\(least.percent) and more)"
                + (weakest.map { "; part \($0.part) had \(($0.delivery.ratio ?? 0).percent)" } ?? "") + ".",
            figure: StepFigure(
                "phonationTimeRatio", now * 100, "%", from: .median, usual * 100, error: MeasureError.phonation),
            action: .sit(part: weakest?.part))
    }

    /// Seconds. Twice the length called long.
    private static let longPause = 2 * Plateau.pause
    /// The seconds to play before the place.
    private static let lead = 2.0
    /// Seconds of speech. Half of the minimum for judging an answer (`DeliveryGate.tooShort`).
    static let shortAnswer = 5.0
    /// Seconds.
    private static let lateStart = 3.0
    /// Seconds.
    private static let longThird = 5.0
}

extension AnswerAssessment {
    /// Seconds from the examiner's last word to the first of the answer, if known.
    fileprivate var latency: Double? {
        delivery.measures.responseLatency ?? record.responseLatency.map { Double($0.duration.milliseconds) / 1_000 }
    }
}

extension SoundTimeline {
    /// The beginning of the span's last third, in seconds.
    fileprivate var lastThird: Double? { span.map { $0.end - $0.length / 3 } }
}

extension DeliveryProfile {
    /// The measures. Nil if a gate makes them unreliable.
    fileprivate var trusted: DeliveryMeasures? { gates.isEmpty ? measures : nil }
    fileprivate var ratio: Double? { measures.phonationTimeRatio }
}
