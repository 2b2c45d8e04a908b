/// What a learner really did, and what it showed: all that a plan is made from beside the profile. Whoever reads sessions and logs fills it; nothing in
/// it is guessed.
public struct PlanEvidence: Equatable, Sendable {
    /// In any order.
    public var exams: [Exam]
    public var practice: Practice
    /// What exams can be about: words that `oracy run --topic` takes.
    public var examTopics: [String]
    /// Sessions whose results were looked at.
    public var reviewed: Set<String>
    /// Tests that are made and not handed in.
    public var openTests: [String]
    /// Spoken drills can be done where the plan is for, and are noticed: a server's page has none.
    public var hasSpokenDrills = true
    /// The moment at which the plan is made: days before it are over, and of its own day only the rest is left. Nil if the whole week is to come.
    public var asOf: StudyMoment?

    public init(
        exams: [Exam] = [], practice: Practice = Practice(), examTopics: [String] = [], reviewed: Set<String> = [],
        openTests: [String] = [], asOf: StudyMoment? = nil
    ) {
        self.exams = exams
        self.practice = practice
        self.examTopics = examTopics
        self.reviewed = reviewed
        self.openTests = openTests
        self.asOf = asOf
    }

    /// Nobody sat an exam or practised.
    public var isEmpty: Bool { exams.isEmpty && !practice.hasBegun }

    /// The last one, and of two of one day the later session.
    public var newestExam: Exam? { exams.max { ($0.day, $0.session) < ($1.day, $1.session) } }

    public struct Exam: Equatable, Sendable {
        /// Its session's id.
        public var session: String
        public var day: StudyDay
        public var format: PlanFormat
        /// From 1, those that were sat.
        public var parts: [Int]
        public var readings: [Reading]
        public var marks: [Mark]
        public var mistakes: [Mistakes]
        public var topics: [String]

        public init(
            session: String, day: StudyDay, format: PlanFormat = .exam, parts: [Int], readings: [Reading] = [],
            marks: [Mark] = [], mistakes: [Mistakes] = [], topics: [String] = []
        ) {
            self.session = session
            self.day = day
            self.format = format
            self.parts = parts
            self.readings = readings
            self.marks = marks
            self.mistakes = mistakes
            self.topics = topics
        }

        public var isWhole: Bool { Set(parts).count >= PlanLink.Sitting.partCount(of: format) }
    }

    /// One measure of an exam beside the learner's own.
    public struct Reading: Equatable, Sendable {
        public var measure: Measure
        public var value: Double
        /// Of the learner's exams before; nil where there were none.
        public var median: Double?

        public init(_ measure: Measure, _ value: Double, median: Double?) {
            self.measure = measure
            self.value = value
            self.median = median
        }

        /// By how much it is on the wrong side of the median, as a share of it; 0 where it is not.
        var shortfall: Double {
            guard let median, median > 0, value.isFinite, median.isFinite else { return 0 }
            return max(0, (measure.moreIsBetter ? median - value : value - median) / median)
        }
    }

    /// By the names that progress has for them (`ProgressMeasure` in Assessment).
    public enum Measure: String, CaseIterable, Sendable {
        case phonationTimeRatio, longestPause, pausesPerMinute, speechRate, meanLengthOfRun, speech

        public var moreIsBetter: Bool { self != .longestPause && self != .pausesPerMinute }

        /// In a sentence, with `digits` digits behind the point and its unit.
        var words: (name: String, unit: String, digits: Int) {
            switch self {
            case .phonationTimeRatio: ("time speaking", " %", 0)
            case .longestPause: ("the longest pause", " s", 1)
            case .pausesPerMinute: ("the number of pauses", " a minute", 1)
            case .speechRate: ("speech rate", " syllables a second", 1)
            case .meanLengthOfRun: ("the length of a run", " syllables", 1)
            case .speech: ("speech", " s", 0)
            }
        }
    }

    /// The four of the rubric (`Criterion` in Assessment).
    public enum Skill: String, CaseIterable, Sendable {
        case fluency, vocabulary, grammar, pronunciation
    }

    public struct Mark: Equatable, Sendable {
        public var skill: Skill
        /// 0 … 9; nil where nobody marked it.
        public var band: Double?

        public init(_ skill: Skill, _ band: Double?) {
            self.skill = skill
            self.band = band
        }
    }

    /// Mistakes of one kind that a checker or a person found in one exam.
    public struct Mistakes: Equatable, Sendable {
        /// As the checker calls it: `agreement`.
        public var category: String
        public var count: Int
        public var skill: Skill

        public init(_ category: String, count: Int, skill: Skill = .grammar) {
            self.category = category
            self.count = count
            self.skill = skill
        }
    }

    /// What can be practised, and what was.
    public struct Practice: Equatable, Sendable {
        /// In the order of the catalogue.
        public var packs: [Pack]
        /// How often each kind of spoken drill was done.
        public var spoken: [PlanLink.Spoken: Int]
        /// Anything was done at all.
        public var hasBegun: Bool

        public init(packs: [Pack] = [], spoken: [PlanLink.Spoken: Int] = [:], hasBegun: Bool = false) {
            self.packs = packs
            self.spoken = spoken
            self.hasBegun = hasBegun
        }

        public func pack(_ id: String) -> Pack? { packs.first { $0.id == id } }
    }

    public struct Pack: Equatable, Sendable {
        public var id: String
        public var title: String
        public var topics: [String]
        /// The drill of a lesson, which has the same id.
        public var isLesson: Bool
        /// Its lesson may be begun.
        public var isOpen: Bool
        /// Its lesson was read.
        public var isRead: Bool
        /// What was answered right once, 0 … 1.
        public var progress: Double
        /// Items that are due.
        public var due: Int
        /// The last day on which one of its questions was answered.
        public var lastDay: StudyDay?

        public init(
            id: String, title: String, topics: [String] = [], isLesson: Bool = false, isOpen: Bool = true,
            isRead: Bool = false, progress: Double = 0, due: Int = 0, lastDay: StudyDay? = nil
        ) {
            self.id = id
            self.title = title
            self.topics = topics
            self.isLesson = isLesson
            self.isOpen = isOpen
            self.isRead = isRead
            self.progress = progress
            self.due = due
            self.lastDay = lastDay
        }
    }
}

extension PlanEvidence.Practice {
    /// What the practice log says of a catalogue.
    ///
    /// - Parameters:
    ///   - lessons: ids of those packs that are a lesson's drill.
    ///   - now: what is due by then.
    public init(
        _ catalogue: PracticeCatalogue, _ history: PracticeHistory, lessons: Set<String>, at now: StudyMoment
    ) {
        self.init(hasBegun: !history.days.isEmpty || !history.readLessons.isEmpty)
        for pack in catalogue.packs where pack.id.isPlanID && !pack.items.isEmpty {
            var topics: [String] = []
            for item in pack.items where !topics.contains(item.topic) && item.topic.isPlanTopic {
                topics.append(item.topic)
            }
            let known = pack.items.compactMap { history.memories[$0.id] }
            packs.append(
                .init(
                    id: pack.id, title: pack.title, topics: topics, isLesson: lessons.contains(pack.id),
                    isOpen: catalogue.isOpen(pack, history), isRead: history.readLessons.contains(pack.id),
                    progress: history.progress(of: pack),
                    due: known.count { $0.memory?.isDue(at: now) ?? false },
                    lastDay: known.map(\.lastAnswered.day).max()))
        }
        for kind in PlanLink.Spoken.allCases {
            if let totals = history.spoken[kind.rawValue] { spoken[kind] = totals.count }
        }
    }

    /// The same for lessons as they come.
    public init(
        _ catalogue: PracticeCatalogue, _ history: PracticeHistory, lessons: [LessonCategory], at now: StudyMoment
    ) {
        let ids = lessons.flatMap { category in category.lessons.map { $0.packID(in: category) } }
        self.init(catalogue, history, lessons: Set(ids), at: now)
    }
}

extension PlanEvidence {
    /// A learner's own median, which a new exam is held against: of an even number of values the lower one of the middle two, so that it is a value that
    /// the learner had. Nil where there are none.
    public static func median(_ values: [Double]) -> Double? {
        let sorted = values.filter(\.isFinite).sorted()
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}
