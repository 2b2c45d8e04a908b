/// Needs that exams show.
extension PlanNeeds {
    /// The two measures of the newest exam that are furthest on the wrong side of the learner's own median.
    var measure: PlanNeed {
        guard let exam = evidence.newestExam else { return none(.measure) }
        let under = exam.readings.enumerated().filter { $0.element.shortfall > 0 }
            .sorted { ($1.element.shortfall, $0.offset) < ($0.element.shortfall, $1.offset) }.prefix(2).map(\.element)
        let choices = under.flatMap { reading in
            let (name, unit, digits) = reading.measure.words
            let median = reading.median ?? 0
            let reason =
                "In your exam of \(exam.day.text) \(name) was \(reading.value.figure(digits))\(unit); your median is \(median.figure(digits))."
            return Self.exercises(for: reading.measure).map { evidence.choice($0, reason) }
        }
        return PlanNeed(rule: .measure, choices: choices.unique, weight: 6, most: 4)
    }

    /// The criterion with the lowest mark in the newest exam with at least two marks. Empty if all marks are equal.
    var criterion: PlanNeed {
        let marked = evidence.exams.filter { $0.marks.count { $0.band != nil } > 1 }
        guard let exam = marked.max(by: { ($0.day, $0.session) < ($1.day, $1.session) }) else {
            return none(.criterion)
        }
        let marks = exam.marks.compactMap { mark in mark.band.map { (mark.skill, $0) } }
        guard let least = marks.map(\.1).min(), let greatest = marks.map(\.1).max(), least < greatest,
            let skill = PlanEvidence.Skill.allCases.first(where: { one in marks.contains { $0 == (one, least) } })
        else { return none(.criterion) }
        let goal = profile.goalBand.map { least < $0 ? ", and your goal is \($0.figure(1))" : "" } ?? ""
        let reason =
            "\(skill.rawValue.prefix(1).uppercased() + skill.rawValue.dropFirst()) has the lowest mark of your exam of \(exam.day.text), \(least.figure(1))\(goal)."
        return PlanNeed(
            rule: .criterion, choices: exercises(for: skill).map { evidence.choice($0, reason) }, weight: 6, most: 4)
    }

    /// The most frequent kind of mistake in the last three exams, if it occurred at least twice.
    var mistakes: PlanNeed {
        let recent = evidence.exams.sorted { ($1.day, $1.session) < ($0.day, $0.session) }.prefix(3)
        var counts: [(category: String, skill: PlanEvidence.Skill, count: Int)] = []
        for mistake in recent.flatMap(\.mistakes) {
            if let place = counts.firstIndex(where: { $0.category == mistake.category }) {
                counts[place].count += mistake.count
            } else {
                counts.append((mistake.category, mistake.skill, mistake.count))
            }
        }
        guard let worst = counts.max(by: { ($0.count, $1.category) < ($1.count, $0.category) }), worst.count > 1 else {
            return none(.mistakes)
        }
        let shown = recent.first { $0.mistakes.contains { $0.category == worst.category } }
        let reason =
            "\(worst.count) mistakes of one kind in your last \(recent.count == 1 ? "exam" : "\(recent.count) exams"): \(worst.category)."
        let look = shown.flatMap { $0.session.isPlanID ? [PlanLink.review(session: $0.session)] : nil } ?? []
        return PlanNeed(
            rule: .mistakes,
            choices: (look + exercises(for: worst.skill)).map { evidence.choice($0, reason) }, weight: 5, most: 3)
    }

    /// The newest exam, if the learner has not looked at its results.
    var review: PlanNeed {
        guard let exam = evidence.newestExam, exam.session.isPlanID, !evidence.reviewed.contains(exam.session) else {
            return none(.review)
        }
        return PlanNeed(
            rule: .review,
            choices: [
                evidence.choice(
                    .review(session: exam.session), "You sat it on \(exam.day.text), and have not reviewed it yet.")
            ], weight: 8, most: 1)
    }

    /// The possible topics that the learner's exams never had.
    var topics: PlanNeed {
        guard !evidence.exams.isEmpty else { return none(.topics) }
        let met = Set(evidence.exams.flatMap(\.topics).map { $0.lowercased() })
        let never = turned(evidence.examTopics.filter { $0.isPlanTopic && !met.contains($0.lowercased()) })
        let choices = never.enumerated().flatMap { place, topic in
            let reason =
                "None of your \(evidence.exams.count == 1 ? "exams" : "\(evidence.exams.count) exams") was about \(topic)."
            let packs = evidence.practice.packs.filter { $0.isOpen && $0.topics.contains(topic) }
            let drill = packs.first.map { PlanLink.drill(pack: $0.id, topic: $0.topics.count > 1 ? topic : nil) }
            let sit = profile.format == .interview ? nil : PlanLink.sit(.init(.exam, part: place % 3 + 1, topic: topic))
            return [sit, drill].compactMap(\.self).map { evidence.choice($0, reason) }
        }
        return PlanNeed(rule: .topics, choices: choices.unique, weight: 3, most: 3)
    }

    private func none(_ rule: PlanNeed.Rule) -> PlanNeed { PlanNeed(rule: rule, choices: [], weight: 1, most: 0) }

    /// Returns the spoken drills whose target matches the measure (`SpokenDrill`): time, seconds of speech, or
    /// syllables between two pauses.
    private static func exercises(for measure: PlanEvidence.Measure) -> [PlanLink] {
        switch measure {
        case .phonationTimeRatio, .longestPause, .pausesPerMinute:
            [.speak(.pauseLess), .speak(.shadowing), .speak(.fourThreeTwo)]
        case .meanLengthOfRun: [.speak(.pauseLess), .speak(.fourThreeTwo), .speak(.repeatAfterMe)]
        case .speechRate: [.speak(.fourThreeTwo), .speak(.shadowing), .speak(.repeatAfterMe)]
        case .speech: [.speak(.oneMoreSentence), .speak(.fourThreeTwo)]
        }
    }

    /// Returns the drills of the built-in packs for a skill, which are known by the beginnings of their ids, if they
    /// are present and open.
    private func exercises(for skill: PlanEvidence.Skill) -> [PlanLink] {
        func drills(_ beginnings: String...) -> [PlanLink] {
            turned(
                evidence.practice.packs.filter { pack in pack.isOpen && beginnings.contains { pack.id.hasPrefix($0) } }
            ).map { .drill(pack: $0.id, topic: nil) }
        }
        return switch skill {
        case .fluency:
            [.speak(.fourThreeTwo), .speak(.pauseLess), .speak(.oneMoreSentence)] + drills("discourse-markers")
        case .vocabulary: drills("vocabulary", "idioms", "phrasal-verbs")
        case .grammar: [.speak(.repeatAfterMe)] + drills("spoken-english", "phrasal-verbs", "discourse-markers")
        case .pronunciation: drills("pronunciation") + [.speak(.shadowing), .speak(.repeatAfterMe)]
        }
    }
}

extension [PlanNeed.Choice] {
    /// The choices without repeated links.
    var unique: Self {
        var seen: Set<PlanLink> = []
        return filter { seen.insert($0.link).inserted }
    }
}
