/// The facts from which a plan is made, besides the profile: what the learner did and with what results. The reader of
/// sessions and logs fills it, and nothing in it is guessed.
public struct PlanEvidence: Equatable, Sendable {
    /// In any order.
    public var exams: [Exam]
    public var practice: Practice
    /// The possible topics of exams: words that `oracy run --topic` accepts.
    public var examTopics: [String]
    /// The sessions whose results the learner looked at.
    public var reviewed: Set<String>
    /// The tests that were made but not handed in.
    public var openTests: [String]
    /// Whether the learner's program can run and record spoken drills. A server's page cannot.
    public var hasSpokenDrills = true
    /// The moment at which the plan is made. Earlier days are over, and only the rest of that day is left. Nil if the
    /// whole week is to come.
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

    /// Whether the learner has neither sat an exam nor practised.
    public var isEmpty: Bool { exams.isEmpty && !practice.hasBegun }

    /// The latest exam. Of two on the same day, the one with the greater session id.
    public var newestExam: Exam? { exams.max { ($0.day, $0.session) < ($1.day, $1.session) } }

    public struct Exam: Equatable, Sendable {
        /// The id of the exam's session.
        public var session: String
        public var day: StudyDay
        public var format: PlanFormat
        /// The numbers of the parts that the learner sat, from 1.
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

    /// One measure of an exam, compared with the learner's own median.
    public struct Reading: Equatable, Sendable {
        public var measure: Measure
        public var value: Double
        /// The median of the learner's earlier exams. Nil before the first.
        public var median: Double?

        public init(_ measure: Measure, _ value: Double, median: Double?) {
            self.measure = measure
            self.value = value
            self.median = median
        }

        /// The share by which the value is on the wrong side of the median. 0 if it is not.
        var shortfall: Double {
            guard let median, median > 0, value.isFinite, median.isFinite else { return 0 }
            return max(0, (measure.moreIsBetter ? median - value : value - median) / median)
        }
    }

    /// A measure with the name that progress reports use for it (`ProgressMeasure` in Assessment).
    public enum Measure: String, CaseIterable, Sendable {
        case phonationTimeRatio, longestPause, pausesPerMinute, speechRate, meanLengthOfRun, speech

        public var moreIsBetter: Bool { self != .longestPause && self != .pausesPerMinute }

        /// The name and unit for use in a sentence, and the number of decimal places.
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

    /// The four criteria of the rubric (`Criterion` in Assessment).
    public enum Skill: String, CaseIterable, Sendable {
        case fluency, vocabulary, grammar, pronunciation
    }

    public struct Mark: Equatable, Sendable {
        public var skill: Skill
        /// 0 to 9. Nil if the criterion was not marked.
        public var band: Double?

        public init(_ skill: Skill, _ band: Double?) {
            self.skill = skill
            self.band = band
        }
    }

    /// The mistakes of one kind that a checker or a person found in one exam.
    public struct Mistakes: Equatable, Sendable {
        /// The checker's name for the kind: `agreement`.
        public var category: String
        public var count: Int
        public var skill: Skill

        public init(_ category: String, count: Int, skill: Skill = .grammar) {
            self.category = category
            self.count = count
            self.skill = skill
        }
    }

    /// Everything that can be practised, and what the learner has practised.
    public struct Practice: Equatable, Sendable {
        /// The packs in the order of the catalogue.
        public var packs: [Pack]
        /// The number of times that each kind of spoken drill was done.
        public var spoken: [PlanLink.Spoken: Int]
        /// Whether the learner has practised at all.
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
        /// Whether the pack is the drill of a lesson, which has the same id.
        public var isLesson: Bool
        /// Whether the learner may begin its lesson.
        public var isOpen: Bool
        /// Whether its lesson was read.
        public var isRead: Bool
        /// The share of its items that were answered right at least once, 0 to 1.
        public var progress: Double
        /// The number of items that are due.
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
    /// Derives the facts from the practice log.
    ///
    /// - Parameters:
    ///   - lessons: the ids of the packs that are a lesson's drill.
    ///   - now: the time that decides which items are due.
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

    /// Derives the facts from the practice log, for whole categories of lessons.
    public init(
        _ catalogue: PracticeCatalogue, _ history: PracticeHistory, lessons: [LessonCategory], at now: StudyMoment
    ) {
        let ids = lessons.flatMap { category in category.lessons.map { $0.packID(in: category) } }
        self.init(catalogue, history, lessons: Set(ids), at: now)
    }
}

extension PlanEvidence {
    /// Returns the learner's own median, for comparison with a new exam. Of an even number of values it is the lower of
    /// the middle two, so that it is one of the learner's values. Nil without values.
    public static func median(_ values: [Double]) -> Double? {
        let sorted = values.filter(\.isFinite).sorted()
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}
