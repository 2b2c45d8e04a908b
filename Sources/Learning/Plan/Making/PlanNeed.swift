/// A need of the learner, with the links that serve it, best first. Imports nothing.
struct PlanNeed: Equatable {
    struct Choice: Equatable {
        var link: PlanLink
        var title: String
        /// One sentence.
        var reason: String
    }

    /// The rule that found the need.
    var rule: Rule
    var choices: [Choice]
    /// The weight of the need relative to the others.
    var weight: Int
    /// The most tasks a week.
    var most: Int

    enum Rule: String, CaseIterable {
        case due, starter, measure, criterion, mistakes, review, topics, lesson, follow, drill, aloud, test

        /// Whether the rule finds something that is weak, or will be forgotten soon.
        var isWeakness: Bool { [.due, .measure, .criterion, .mistakes, .review].contains(self) }

        /// Whether the rule introduces new material, which does not belong shortly before the test.
        var isNew: Bool { self == .topics || self == .lesson || self == .follow }
    }
}

extension PlanEvidence {
    /// Returns the pack's own title, or its id.
    func title(of pack: String) -> String { practice.pack(pack)?.title ?? pack }

    func title(of link: PlanLink) -> String {
        switch link {
        case .sit(let sitting):
            switch (sitting.format, sitting.part) {
            case (.exam, nil): "A full exam"
            case (.interview, nil): "A full interview"
            case (.exam, let part?): "Part \(part) of an exam" + (sitting.topic.map { ", about \($0)" } ?? "")
            case (.interview, let part?): "Part \(part) of an interview"
            }
        case .drill(let pack, let topic): "Drill: \(title(of: pack))" + (topic.map { ", about \($0)" } ?? "")
        case .review(let session):
            session == "last"
                ? "Review your last exam"
                : "Review your exam\(exams.first { $0.session == session }.map { " of \($0.day.text)" } ?? "")"
        case .shadow(let lesson): "Shadowing: \(title(of: lesson))"
        case .lesson(let lesson): "Lesson: \(title(of: lesson))"
        case .speak(let kind):
            switch kind {
            case .shadowing: "Shadowing"
            case .repeatAfterMe: "Repeat after me"
            case .fourThreeTwo: "4/3/2: one talk in 120, 90 and 60 seconds"
            case .oneMoreSentence: "One more sentence"
            case .pauseLess: "Pause less"
            }
        case .test(nil): "A test of ten questions"
        case .test(let id?): "The test \(id)"
        }
    }

    func choice(_ link: PlanLink, _ reason: String) -> PlanNeed.Choice {
        .init(link: link, title: title(of: link), reason: reason)
    }

    /// Returns whether the learner has not met this before: an unread lesson, a pack that was never begun, or a topic
    /// that exams never had.
    func isNew(_ link: PlanLink) -> Bool {
        switch link {
        case .lesson(let lesson): !(practice.pack(lesson)?.isRead ?? false)
        case .drill(let id, _):
            practice.pack(id).map { $0.progress == 0 && $0.lastDay == nil && !$0.isRead } ?? true
        case .shadow(let id): practice.pack(id).map { $0.progress == 0 && $0.lastDay == nil && !$0.isRead } ?? true
        case .sit(let sitting): sitting.topic != nil
        case .review, .speak, .test: false
        }
    }

    /// Returns whether some of the link's items are due.
    func isDue(_ link: PlanLink) -> Bool {
        if case .drill(let pack, nil) = link { practice.pack(pack).map { $0.due > 0 } ?? false } else { false }
    }
}

/// Finds the learner's needs from the profile and the evidence alone. Imports nothing.
struct PlanNeeds {
    let profile: LearnerProfile
    let evidence: PlanEvidence
    /// Decides which of several equal choices comes first: see `turned`.
    let turn: Int

    init(_ profile: LearnerProfile, _ evidence: PlanEvidence, version: Int) {
        self.profile = profile
        self.evidence = evidence
        turn = max(0, version - 1)
    }

    var format: PlanFormat { profile.format ?? .exam }

    /// All needs with at least one choice. Among equal weights, this order decides.
    var all: [PlanNeed] {
        ([due] + (evidence.isEmpty ? [starter] : [measure, criterion, mistakes, review, topics])
            + [lesson, follow, drill, aloud, test]).map { need in
                var need = need
                if !evidence.hasSpokenDrills { need.choices.removeAll { $0.link.kind == .speaking } }
                return need
            }.filter { !$0.choices.isEmpty }
    }

    // MARK: - From practice

    private var due: PlanNeed {
        let packs = evidence.practice.packs.filter { $0.due > 0 }
        let sorted = packs.enumerated().sorted { ($1.element.due, $0.offset) < ($0.element.due, $1.offset) }
        return PlanNeed(
            rule: .due,
            choices: sorted.map(\.element).map { pack in
                evidence.choice(
                    .drill(pack: pack.id, topic: nil),
                    "\(pack.due == 1 ? "One item is" : "\(pack.due) items are") due for review.")
            }, weight: 9, most: 7)
    }

    /// The open lessons that were not read, in the order of the catalogue.
    private var unread: [PlanEvidence.Pack] {
        turned(evidence.practice.packs.filter { $0.isLesson && $0.isOpen && !$0.isRead && $0.progress < 1 })
    }

    private var lesson: PlanNeed {
        PlanNeed(
            rule: .lesson,
            choices: unread.map { evidence.choice(.lesson($0.id), "It is open, and you have not read it yet.") },
            weight: 3, most: 3)
    }

    /// The drills of lessons that are read earlier in the week.
    private var follow: PlanNeed {
        PlanNeed(
            rule: .follow,
            choices: unread.map {
                evidence.choice(
                    .drill(pack: $0.id, topic: nil), "You read its lesson earlier this week. Now practise it.")
            }, weight: 4, most: 3)
    }

    private var drill: PlanNeed {
        let begun = evidence.practice.packs.filter {
            $0.isOpen && $0.due == 0 && $0.progress < 1 && ($0.isRead || $0.progress > 0 || !$0.isLesson)
        }
        return PlanNeed(
            rule: .drill,
            choices: turned(begun).map {
                evidence.choice(
                    .drill(pack: $0.id, topic: nil),
                    $0.progress > 0
                        ? "You answered \(Int($0.progress * 100)) % of it right at least once."
                        : $0.isRead ? "You have read it. Now practise it." : "It is open, and you have not started it.")
            }, weight: 4, most: 5)
    }

    private var aloud: PlanNeed {
        let kinds = turned(PlanLink.Spoken.allCases).enumerated().sorted { a, b in
            let (left, right) = (evidence.practice.spoken[a.element] ?? 0, evidence.practice.spoken[b.element] ?? 0)
            return (left, a.offset) < (right, b.offset)
        }.map(\.element)
        return PlanNeed(
            rule: .aloud,
            choices: kinds.map {
                let times = evidence.practice.spoken[$0] ?? 0
                return evidence.choice(
                    .speak($0),
                    times == 0
                        ? "You learn speaking by speaking, and you have not tried this drill."
                        : "You learn speaking by speaking. You did this drill \(times == 1 ? "once" : "\(times) times") so far."
                )
            }, weight: 4, most: 7)
    }

    private var test: PlanNeed {
        let open = evidence.openTests.filter(\.isPlanID).map {
            evidence.choice(.test($0), "It is ready, and not handed in yet.")
        }
        let isAny = evidence.practice.packs.contains { !$0.isLesson }
        return PlanNeed(
            rule: .test,
            choices: open + (isAny ? [evidence.choice(.test(nil), "A weekly test shows what you know.")] : []),
            weight: 1, most: 1)
    }

    private var starter: PlanNeed {
        let reason = "You have no results yet. This shows where you stand."
        return PlanNeed(
            rule: .starter,
            choices: (1...PlanLink.Sitting.partCount(of: format)).map {
                evidence.choice(.sit(.init(format, part: $0)), reason)
            }, weight: 6, most: 2)
    }

    /// Returns the elements beginning with a different one for each version, so that a re-roll changes the plan but a
    /// version always gives the same plan.
    func turned<Element>(_ elements: [Element]) -> [Element] {
        guard !elements.isEmpty else { return [] }
        let by = turn % elements.count
        return Array(elements[by...] + elements[..<by])
    }
}

extension Double {
    /// Returns the number with this many decimal places.
    func figure(_ digits: Int) -> String {
        let scale = digits == 0 ? 1.0 : 10
        let value = (self * scale).rounded() / scale
        guard value.isFinite, abs(value) < 1e9 else { return "\(self)" }
        return digits == 0 ? "\(Int(value))" : "\(value)"
    }
}
