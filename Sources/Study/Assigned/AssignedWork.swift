public import Learning

/// Work that a teacher assigns. It is written like a plan's link, or as `paper:FORMAT/PAPER`.
///
/// | written | done by |
/// |---|---|
/// | `paper:FORMAT/PAPER` | a whole exam with these questions |
/// | `sit:full`, `sit:interview` | a whole exam, or a whole job interview |
/// | `sit:part2`, `sit:interview/part2` | one part, alone or in a whole exam |
/// | `drill:PACK`, `drill:PACK/TOPIC` | a drill of a pack or of a lesson |
/// | `speak:KIND` | a spoken drill |
/// | `lesson:LESSON` | reading the lesson |
/// | `test:new` | any test that is handed in |
public enum AssignedWork: Hashable, Sendable {
    /// A whole exam with the questions of one paper.
    case paper(format: String, paper: String)
    /// Work that a plan can also link to.
    case task(PlanLink)

    /// Reads work as `text` writes it. Nil if it is invalid, or a link that cannot be assigned: a review, a topic of an
    /// exam, or a certain test, because tests belong to learners.
    public init?(_ text: String) {
        if let link = PlanLink(text), link.text == text {
            switch link {
            case .sit(let sitting) where sitting.topic == nil: break
            case .drill, .speak, .lesson, .test(nil): break
            case .sit, .review, .shadow, .test: return nil
            }
            self = .task(link)
            return
        }
        guard text.hasPrefix(Self.paperPrefix) else { return nil }
        let names = text.dropFirst(Self.paperPrefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, !names.contains("") else { return nil }
        self = .paper(format: String(names[0]), paper: String(names[1]))
    }

    /// The work as it is stored and sent: `sit:part2`.
    public var text: String {
        switch self {
        case .paper(let format, let paper): "\(Self.paperPrefix)\(format)/\(paper)"
        case .task(let link): link.text
        }
    }

    private static let paperPrefix = "paper:"

    /// The format of the exams by which the work can be done. Nil if it is not an exam.
    var examFormat: String? {
        switch self {
        case .paper(let format, _): format
        case .task(.sit(let sitting)): sitting.format.examFormat
        case .task: nil
        }
    }

    /// Whether practice that came before the assignment counts as well. A lesson is read once for each learner, and the
    /// practice log has no second reading.
    var countsEarlier: Bool {
        if case .task(.lesson) = self { true } else { false }
    }

    /// Returns how well a deed fits this work: 0 for exactly this work, more for a deed that contains it or is one of
    /// its kind. Nil if the deed does not count for this work.
    func rank(of what: WorkDone.What) -> Int? {
        switch (self, what) {
        case (.paper(let format, let paper), .exam(let exam)):
            exam.isWhole && exam.format == format && exam.paper == paper ? 0 : nil
        case (.task(.sit(let sitting)), .exam(let exam)):
            if exam.format != sitting.format.examFormat {
                nil
            } else if let part = sitting.part {
                exam.parts.contains(part) ? (exam.isWhole ? 2 : 0) : nil
            } else {
                exam.isWhole ? 1 : nil
            }
        case (.task(.test), .practice(.test)), (.task(.speak(.shadowing)), .practice(.shadow)): 1
        case (.task(let wanted), .practice(let did)): wanted == did ? 0 : nil
        default: nil
        }
    }
}
