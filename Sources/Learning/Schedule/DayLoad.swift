public import ExamCore

/// What a learner wants to practise.
public struct PracticeWish: Equatable, Sendable {
    /// Packs' and lessons' ids; any where empty.
    public var packs: [String]
    public var topics: [String]
    public var difficulty: Paper.Difficulty?
    /// At most so many items; as many as fit the day where nil.
    public var count: Int?
    /// Nothing new, and nothing that is not due.
    public var onlyDue: Bool
    /// Also what is not due, when nothing else is left: extra practice.
    public var extra: Bool
    /// Items that are asked for by name, as when a task was marked incomplete.
    public var items: [String]

    public init(
        packs: [String] = [], topics: [String] = [], difficulty: Paper.Difficulty? = nil, count: Int? = nil,
        onlyDue: Bool = false, extra: Bool = false, items: [String] = []
    ) {
        self.packs = packs
        self.topics = topics.map { $0.lowercased() }
        self.difficulty = difficulty
        self.count = count
        self.onlyDue = onlyDue
        self.extra = extra
        self.items = items
    }

    func takes(_ item: PracticeCatalogue.Item, of pack: PracticeCatalogue.Pack) -> Bool {
        (packs.isEmpty || packs.contains(pack.id)) && (topics.isEmpty || topics.contains(item.topic.lowercased()))
            && (difficulty == nil || difficulty == item.difficulty)
    }
}

/// What is to be practised on a day, capped in minutes, not in cards: what is most nearly forgotten first, then new things, if what is overdue is not
/// more than a day's load already (line 23). After a pause nothing piles up: a day's load is a day's load.
public struct DayLoad: Equatable, Sendable {
    /// Exercises in the order in which they are asked for.
    public let exercises: [PracticeEvent.Exercise]
    /// Everything that is due and wished for, whether it fits the day or not.
    public let dueCount: Int
    /// What `exercises` will take, by the learner's own pace.
    public let minutes: Double
    /// What is left of the day's load before them.
    public let minutesLeft: Double

    public init(
        _ wish: PracticeWish = .init(), of catalogue: PracticeCatalogue, _ history: PracticeHistory,
        at now: StudyMoment
    ) {
        var (due, new, rest) = ([Candidate](), [Candidate](), [Candidate]())
        for pack in catalogue.packs {
            let isOpen = catalogue.isOpen(pack, history)
            for item in pack.items where wish.takes(item, of: pack) {
                let known = history.memories[item.id]
                guard let memory = known?.memory else {
                    if isOpen { new.append(Candidate(item: item, retrievability: 0)) }
                    continue
                }
                let candidate = Candidate(
                    item: item, retrievability: history.retrievability(of: known ?? .init(), at: now))
                // What is marked incomplete is due, whatever its day.
                if memory.isDue(at: now) || history.marks[item.id] == .incomplete {
                    due.append(candidate)
                } else {
                    rest.append(candidate)
                }
            }
        }
        due.sort { ($0.retrievability, $0.item.id) < ($1.retrievability, $1.item.id) }
        rest.sort { ($0.retrievability, $0.item.id) < ($1.retrievability, $1.item.id) }

        let pace = history.secondsAnAnswer
        let today = history.days[now.day]?.seconds ?? 0
        let load = Double(history.minutesADay) * 60
        minutesLeft = max(0, load - today) / 60
        // Who asks for a number gets it, however long it takes.
        let room = wish.count ?? Int((max(0, load - today) / pace).rounded(.up))
        var taken = due.prefix(room).map { $0.exercise(.due, history) }
        let isBehind = Double(due.count) * pace > load
        if !wish.onlyDue, !isBehind {
            let places = wish.count.map { $0 - taken.count } ?? (room - taken.count) / Self.answersOfNew
            taken += new.prefix(max(0, places)).map { $0.exercise(.new, history) }
        }
        if wish.extra, !wish.onlyDue {
            let places = (wish.count ?? Self.extraCount) - taken.count
            taken += rest.prefix(max(0, places)).map { $0.exercise(.extra, history) }
        }
        exercises = taken
        dueCount = due.count
        minutes = Double(taken.count) * pace / 60
    }

    private struct Candidate {
        var item: PracticeCatalogue.Item
        var retrievability: Double

        func exercise(_ role: PracticeEvent.Role, _ history: PracticeHistory) -> PracticeEvent.Exercise {
            .init(memory: item.id, question: item.question(history.memories[item.id]).id, role: role)
        }
    }

    /// What is new is answered about three times before it is known for a day.
    private static let answersOfNew = 3
    private static let extraCount = 10
}

extension PracticeHistory {
    /// How long an answer takes this learner, in seconds; 12 until there are twenty (what a five-choice question of ours takes to read and answer at 200
    /// words a minute).
    public var secondsAnAnswer: Double {
        let answers = days.values.reduce(0) { $0 + $1.answers }
        let seconds = days.values.reduce(0) { $0 + $1.seconds }
        return answers < 20 ? 12 : max(3, seconds / Double(answers))
    }
}

extension FSRS.Memory {
    /// What waits for days is due from its day's beginning: who practises at nine and then at eight is not told to come back in an hour. Learning steps
    /// are minutes, and kept to the second.
    func isDue(at now: StudyMoment) -> Bool {
        if dueAt <= now.seconds { return true }
        return dueAt - reviewedAt >= 86_400 && StudyMoment(seconds: dueAt, offset: now.offset).day <= now.day
    }
}

extension PracticeCatalogue.Item {
    /// How it is asked next: the easiest way until it is mastered a little, then the others in turn; what is forgotten again and again (a leech) never
    /// the way it was asked last.
    func question(_ known: PracticeHistory.ItemHistory?) -> PracticeQuestion {
        guard let known, questions.count > 1 else { return questions[0] }
        if known.isLeech, let other = questions.first(where: { $0.id != known.lastQuestion }) { return other }
        return known.mastery < Self.firmly ? questions[0] : questions[known.answers % questions.count]
    }

    /// Mastery from which harder ways of asking come.
    private static let firmly = 2
}
