/// Something that was really done, as a log tells it. Ticks come of deeds, and are stored nowhere.
public struct Deed: Hashable, Sendable {
    /// What would have asked for it.
    public var link: PlanLink
    public var moment: StudyMoment
    /// What it took, from 0.
    public var minutes: Double
    /// It was done to its end; where not, its minutes count.
    public var isWhole: Bool
    /// What an exam was about, in small letters.
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
    /// What sitting an exam was: the whole of it, or each part that was sat.
    ///
    /// - Parameters:
    ///   - moment: when it ended.
    ///   - minutes: what it took.
    public init(of exam: PlanEvidence.Exam, at moment: StudyMoment, minutes: Double) {
        let parts = Set(exam.parts).sorted()
        let sat = exam.isWhole ? [nil] : parts.map(Optional.some)
        self = sat.map { part in
            Deed(
                .sit(.init(exam.format, part: part)), at: moment, minutes: minutes / Double(sat.count),
                topics: exam.topics)
        }
    }

    /// What a practice log tells: drills that were finished or begun, what was spoken, tests that were handed in, lessons that were read.
    ///
    /// A drill is a deed for each pack that it asked. It is a whole one where it came to its end and asked of that pack alone, or five questions of it and
    /// more: who answers all that is due need not ask pack by pack.
    ///
    /// - Parameters:
    ///   - lines: in the order of the log.
    ///   - catalogue: tells what questions are about; without it no drill is known by its topic.
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
                // Who said nothing did nothing.
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
            case .weights, .opened, .minutes, .restDays, .rest, .task, .renamed, .data, .resumed: break
            }
        }
        if let open { self += open.deeds(catalogue, isFinished: false) }
    }
}

private struct OpenDrill {
    var number: Int
    var exercises: [PracticeEvent.Exercise]
    /// Of the last thing that happened in it.
    var moment: StudyMoment
    /// By memory, in seconds.
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

    /// What a small drill has.
    private static let many = 5
}
