import Assessment
import ExamCore
public import Learning
public import SystemSupport

/// Something that a learner did, by which assigned work is done: an exam that is over, or complete practice.
public struct WorkDone: Equatable, Sendable {
    /// The kind of deed.
    public enum What: Equatable, Sendable {
        /// A session of speaking.
        case exam(Exam)
        /// A drill, a spoken drill, a lesson or a test, as a plan links to it.
        case practice(PlanLink)
    }

    /// An exam, or some parts of one.
    public struct Exam: Equatable, Sendable {
        /// The session's id.
        public var session: String
        /// The format's id.
        public var format: String
        /// The paper's id. Nil if it cannot be read.
        public var paper: String?
        /// The numbers of the parts with an answer that counts.
        public var parts: Set<Int>
        /// Whether these are all parts of the format.
        public var isWhole: Bool

        public init(session: String, format: String, paper: String?, parts: Set<Int>, isWhole: Bool) {
            (self.session, self.format, self.paper) = (session, format, paper)
            (self.parts, self.isWhole) = (parts, isWhole)
        }
    }

    /// The exam or the practice.
    public var what: What
    /// The beginning of an exam, or the end of practice, by the learner's clock.
    public var moment: StudyMoment

    /// Creates a deed.
    public init(_ what: What, at moment: StudyMoment) {
        self.what = what
        self.moment = moment
    }

    /// The study day of `moment`.
    public var day: StudyDay { moment.day }

    /// The exam's session. Nil for practice.
    public var session: String? {
        if case .exam(let exam) = what { exam.session } else { nil }
    }

    /// An order of deeds that does not depend on the order in which they were read.
    static func isEarlier(_ a: WorkDone, _ b: WorkDone) -> Bool {
        (a.moment.seconds, a.name) < (b.moment.seconds, b.name)
    }

    private var name: String {
        switch what {
        case .exam(let exam): exam.session
        case .practice(let link): link.text
        }
    }
}

extension LearnerShelf {
    /// Returns the states of assignments by their ids, from the learner's own exams and practice.
    ///
    /// - Parameters:
    ///   - partCounts: The number of parts of each format, by its id.
    ///   - moment: The present moment by the clock of the person who asks.
    /// - Throws: `Problem`, as the shelf's functions.
    public func states(
        of assignments: [Assignment], partCounts: [String: Int], at moment: StudyMoment
    ) async throws(Problem) -> [Assignment.ID: Assignment.State] {
        guard let first = assignments.map(\.madeAt).min() else { return [:] }
        let formats = Set(assignments.compactMap(\.work.examFormat))
        var done = try await exams(of: formats, since: first, partCounts, at: moment)
        let lines = try await newestPractice(limit: mostLines)
        let deeds = [Deed](of: lines, try practiceContent(with: nil).catalogue)
        done += deeds.filter(\.isWhole).map { WorkDone(.practice($0.link), at: $0.moment) }
        return assignments.states(after: done, on: moment.day)
    }

    /// Returns the exams of some formats that are over and measured, and began at a moment or later.
    private func exams(
        of formats: Set<String>, since first: Int, _ partCounts: [String: Int], at moment: StudyMoment
    ) async throws(Problem) -> [WorkDone] {
        if formats.isEmpty { return [] }
        var done: [WorkDone] = []
        for entry in try await exams(limit: mostExams, before: nil) where entry.ending != nil {
            guard let format = entry.format, formats.contains(format),
                let began = entry.startedAt.flatMap(WallTime.init(utc:)), began.secondsSince1970 >= first,
                let assessment = try await assessment(of: entry.id)
            else { continue }
            let parts = Set(assessment.answers.counted.map(\.record.part))
            let exam = WorkDone.Exam(
                session: entry.id, format: format, paper: entry.paper, parts: parts,
                isWhole: parts.count >= partCounts[format] ?? .max)
            let start = StudyMoment(seconds: began.secondsSince1970, offset: entry.offset ?? moment.offset)
            done.append(WorkDone(.exam(exam), at: start))
        }
        return done
    }
}

/// The most exams to look through, the newest: some months of them.
private let mostExams = 200
/// The most lines of the practice log, the newest: some months of practice.
private let mostLines = 10_000
