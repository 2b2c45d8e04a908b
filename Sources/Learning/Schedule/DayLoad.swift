public import ExamCore

/// The learner's wishes for a practice session.
public struct PracticeWish: Equatable, Sendable {
    /// The ids of packs and lessons. Any if empty.
    public var packs: [String]
    public var topics: [String]
    public var difficulty: Paper.Difficulty?
    /// The most items. If nil, as many as fit the day.
    public var count: Int?
    /// Whether to leave out new items and items that are not due.
    public var onlyDue: Bool
    /// Whether to add items that are not due when nothing else is left: extra practice.
    public var extra: Bool
    /// Items to ask for by id, for example because a task was marked incomplete.
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

/// The exercises of a day, limited in minutes rather than in cards. The items most nearly forgotten come first, then
/// new ones, unless the overdue items already fill a day. After a pause nothing piles up: the load of a day stays the
/// same.
public struct DayLoad: Equatable, Sendable {
    /// The exercises in the order in which they are asked.
    public let exercises: [PracticeEvent.Exercise]
    /// The number of due items that match the wish, including those that do not fit the day.
    public let dueCount: Int
    /// The minutes that `exercises` will take at the learner's own pace.
    public let minutes: Double
    /// The minutes of the day's load that are left before these exercises are done.
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
                // A task that is marked incomplete is due regardless of its date.
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
        // A learner who asks for a number of items gets it, however long it takes.
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

    /// A new item is answered about three times before it is known for a day.
    private static let answersOfNew = 3
    private static let extraCount = 10
}

extension PracticeHistory {
    /// The seconds that an answer takes this learner. Before twenty answers it is 12, the time to read and answer a
    /// five-choice question at 200 words a minute.
    public var secondsAnAnswer: Double {
        let answers = days.values.reduce(0) { $0 + $1.answers }
        let seconds = days.values.reduce(0) { $0 + $1.seconds }
        return answers < 20 ? 12 : max(3, seconds / Double(answers))
    }
}

extension FSRS.Memory {
    /// Returns whether the memory is due. An interval of days ends at the beginning of the due day, so that a learner
    /// who practises at nine one day and at eight the next need not come back in an hour. Learning steps take minutes
    /// and are exact to the second.
    func isDue(at now: StudyMoment) -> Bool {
        if dueAt <= now.seconds { return true }
        return dueAt - reviewedAt >= 86_400 && StudyMoment(seconds: dueAt, offset: now.offset).day <= now.day
    }
}

extension PracticeCatalogue.Item {
    /// Returns the question to ask next. Until the item is known firmly, it is the easiest one. After that the
    /// questions take turns. A leech is never asked with the question that was asked last.
    func question(_ known: PracticeHistory.ItemHistory?) -> PracticeQuestion {
        guard let known, questions.count > 1 else { return questions[0] }
        if known.isLeech, let other = questions.first(where: { $0.id != known.lastQuestion }) { return other }
        return known.mastery < Self.firmly ? questions[0] : questions[known.answers % questions.count]
    }

    /// The mastery from which harder questions are asked.
    private static let firmly = 2
}
