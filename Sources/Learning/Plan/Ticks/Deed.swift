/// Something that the learner did, as a log records it. Ticks are computed from deeds and stored nowhere.
public struct Deed: Hashable, Sendable {
    /// The link of a task that this deed fulfils.
    public var link: PlanLink
    public var moment: StudyMoment
    /// The minutes that it took, at least 0.
    public var minutes: Double
    /// Whether it was completed. If not, its minutes count.
    public var isWhole: Bool
    /// The topics of an exam, in lower case.
    public var topics: [String]

    public init(
        _ link: PlanLink, at moment: StudyMoment, minutes: Double, isWhole: Bool = true, topics: [String] = []
    ) {
        self.link = link
        self.moment = moment
        self.minutes = max(0, minutes.isFinite ? minutes : 0)
        self.isWhole = isWhole
        self.topics = topics.map { $0.lowercased() }
    }

    public var day: StudyDay { moment.day }
}

extension [Deed] {
    /// Creates the deeds of an exam: the whole of it, or each part that the learner sat.
    ///
    /// - Parameters:
    ///   - moment: when it ended.
    ///   - minutes: the minutes that it took.
    public init(of exam: PlanEvidence.Exam, at moment: StudyMoment, minutes: Double) {
        let parts = Set(exam.parts).sorted()
        let sat = exam.isWhole ? [nil] : parts.map(Optional.some)
        self = sat.map { part in
            Deed(
                .sit(.init(exam.format, part: part)), at: moment, minutes: minutes / Double(sat.count),
                topics: exam.topics)
        }
    }

    /// Creates the deeds in a practice log: drills that were begun or finished, spoken drills, tests that were handed
    /// in, lessons that were read, and reviews.
    ///
    /// A drill is one deed for each pack that it asked. The deed is complete if the drill was finished and asked that
    /// pack alone, or at least five questions of it. A learner may therefore answer everything that is due in one
    /// drill, instead of pack by pack.
    ///
    /// - Parameters:
    ///   - lines: in the order of the log.
    ///   - catalogue: has the topics of questions. Without it, drills have no topic.
    public init(of lines: some Sequence<PracticeLine>, _ catalogue: PracticeCatalogue? = nil) {
        self.init()
        var open: OpenDrill?
        for line in lines {
            switch line.event {
            case .began(let drill, let exercises):
                if let open { self += open.deeds(catalogue, isFinished: false) }
                open = OpenDrill(number: drill, exercises: exercises, moment: line.moment)
            case .answered(let answered):
                if open?.number == answered.drill {
                    open?.add(answered, at: line.moment)
                } else {
                    var single = OpenDrill(number: answered.drill, exercises: [], moment: line.moment)
                    single.add(answered, at: line.moment)
                    self += single.deeds(catalogue, isFinished: false)
                }
            case .finished(let drill):
                guard var done = open, done.number == drill else { continue }
                done.moment = line.moment
                self += done.deeds(catalogue, isFinished: true)
                open = nil
            case .spoke(let spoke):
                guard let kind = PlanLink.Spoken(rawValue: spoke.kind) else { continue }
                let link =
                    kind == .shadowing && spoke.item.isPlanID ? PlanLink.shadow(lesson: spoke.item) : .speak(kind)
                // A drill with less than a second of speech is not complete.
                append(Deed(link, at: line.moment, minutes: spoke.speech / 60, isWhole: spoke.speech >= 1))
            case .tested(let test, _, _, let seconds):
                guard test.isPlanID else { continue }
                append(Deed(.test(test), at: line.moment, minutes: seconds / 60))
            case .read(let lesson):
                guard lesson.isPlanID else { continue }
                append(Deed(.lesson(lesson), at: line.moment, minutes: 0))
            case .reviewed(let session):
                guard session.isPlanID else { continue }
                append(Deed(.review(session: session), at: line.moment, minutes: 0))
            case .weights, .opened, .retold, .minutes, .restDays, .rest, .task, .renamed, .forgot, .data, .resumed:
                break
            }
        }
        if let open { self += open.deeds(catalogue, isFinished: false) }
    }
}

private struct OpenDrill {
    var number: Int
    var exercises: [PracticeEvent.Exercise]
    /// The time of the drill's latest event.
    var moment: StudyMoment
    /// The seconds spent on each memory.
    private var seconds: [String: Double] = [:]

    init(number: Int, exercises: [PracticeEvent.Exercise], moment: StudyMoment) {
        self.number = number
        self.exercises = exercises
        self.moment = moment
    }

    mutating func add(_ answered: PracticeEvent.Answered, at moment: StudyMoment) {
        if !exercises.contains(where: { $0.memory == answered.exercise.memory }) { exercises.append(answered.exercise) }
        seconds[answered.exercise.memory, default: 0] += min(answered.seconds, PracticeHistory.longestSeconds)
        self.moment = moment
    }

    func deeds(_ catalogue: PracticeCatalogue?, isFinished: Bool) -> [Deed] {
        var links: [PlanLink] = []
        var (minutes, counts) = ([PlanLink: Double](), [PlanLink: Int]())
        for exercise in exercises where exercise.pack.isPlanID {
            let topic = catalogue?.item(exercise.memory)?.topic
            for link in [
                PlanLink.drill(pack: exercise.pack, topic: nil),
                topic.flatMap { $0.isPlanTopic ? PlanLink.drill(pack: exercise.pack, topic: $0) : nil },
            ].compactMap(\.self) {
                if counts[link] == nil { links.append(link) }
                counts[link, default: 0] += 1
                minutes[link, default: 0] += (seconds[exercise.memory] ?? 0) / 60
            }
        }
        return links.compactMap { link in
            let isWhole = isFinished && (counts[link] == exercises.count || (counts[link] ?? 0) >= Self.many)
            let took = minutes[link] ?? 0
            return isWhole || took > 0 ? Deed(link, at: moment, minutes: took, isWhole: isWhole) : nil
        }
    }

    /// The number of questions in a small drill.
    private static let many = 5
}
