public import Assessment
public import Learning
public import SystemSupport

/// A learner's profile and plans: one document on the shelf, planned from exams and practice.
///
/// Each function stores its change before it returns. If another program has changed the document meanwhile, the
/// function makes its change again in the new document.
public struct Planning: Sendable {
    private let shelf: any LearnerShelf
    private let practising: Practising
    private let rules: ResultRules
    private let scope: Scope

    /// The facts that a program gathers for its plans.
    public struct Scope: Sendable {
        /// The most exams, the newest first.
        public var exams: Int
        /// The most lines of the practice log, the newest first.
        public var lines: Int
        /// Whether plans may contain spoken drills.
        public var hasSpokenDrills: Bool

        public init(exams: Int = .max, lines: Int = .max, hasSpokenDrills: Bool = true) {
            self.exams = exams
            self.lines = lines
            self.hasSpokenDrills = hasSpokenDrills
        }
    }

    /// After this many conflicts the caller must try again later.
    private static let mostTries = 20

    /// - Parameter rules: The rules for marks, which show what to practise.
    public init(on shelf: some LearnerShelf, _ practising: Practising, by rules: ResultRules, scope: Scope = Scope()) {
        self.shelf = shelf
        self.practising = practising
        self.rules = rules
        self.scope = scope
    }

    // MARK: - Facts

    /// Gathers the facts from exams and practice.
    ///
    /// - Parameter moment: The present moment by the learner's clock.
    /// - Throws: The same errors as `Practising.take`.
    public func facts(at moment: StudyMoment) async throws -> PlanFacts {
        var (exams, newest) = ([SatExam](), ExamEvidence?.none)
        let digest = rules.digest
        for entry in try await shelf.exams(limit: scope.exams, before: nil) where entry.ending != nil {
            guard let (exam, evidence) = try await sat(entry, digest, at: moment) else { continue }
            if exam.figures.part == nil, !exams.contains(where: { $0.figures.part == nil }) { newest = evidence }
            exams.append(exam)
        }
        exams.reverse()
        let lines = try await shelf.newestPractice(limit: scope.lines)
        let tests = try await shelf.openTests()
        let now = try await practising.take(at: moment) { $0 }
        var evidence = PlanEvidence(
            exams: exams.evidence,
            practice: .init(now.content.catalogue, now.history, lessons: LessonCategory.builtIn, at: moment),
            examTopics: ExamTopics.all, reviewed: now.history.reviewedSessions, openTests: tests)
        evidence.hasSpokenDrills = scope.hasSpokenDrills
        let knowledge = PlanKnowledge(
            evidence: evidence, deeds: exams.deeds + [Deed](of: lines, now.content.catalogue), rest: now.history.rest,
            now: moment)
        return PlanFacts(
            knowledge: knowledge, historyWithExams: try await practising.counted(in: now.history, at: moment),
            exams: exams.filter { $0.figures.part == nil }, newest: newest)
    }

    /// Returns an exam that is over, with its evidence if that had to be read. Nil if it has no measurements.
    ///
    /// - Parameter digest: The digest of the rules.
    private func sat(
        _ entry: ExamEntry, _ digest: String, at moment: StudyMoment
    ) async throws(Problem) -> (SatExam, ExamEvidence?)? {
        guard let format = entry.format, let began = entry.startedAt.flatMap(WallTime.init(utc:)) else { return nil }
        let start = StudyMoment(seconds: began.secondsSince1970, offset: entry.offset ?? moment.offset)
        func made(_ figures: ExamFigures) -> SatExam {
            SatExam(session: entry.id, format: format, moment: start, figures: figures)
        }
        if let kept = await shelf.keptFigures(of: entry.id), kept.rules == digest { return (made(kept), nil) }
        let evidence: ExamEvidence?
        do throws(Problem) {
            evidence = try await shelf.exam(entry.id)
        } catch {
            // A plan needs only the measurements. Something else of the exam may be unreadable.
            guard error.kind == .malformed || error.kind == .missing else { throw error }
            guard let measured = try await shelf.assessment(of: entry.id) else { return nil }
            return (made(ExamFigures(measured)), nil)
        }
        guard let evidence, !evidence.assessment.answers.isEmpty else { return nil }
        let figures = ExamFigures(ExamDossier(evidence, after: [], by: rules), rules: digest)
        await shelf.keep(figures, of: evidence)
        return (made(figures), evidence)
    }

    /// Returns the next steps that the newest exam suggests, at most `NextStep.most`.
    public func steps(after facts: PlanFacts) async throws(Problem) -> [NextStep] {
        var newest = facts.newest
        if newest == nil, let exam = facts.exams.last {
            newest = try await unlessUnreadable { () throws(Problem) in try await shelf.exam(exam.session) }
        }
        guard let newest else { return [] }
        return ExamDossier(newest, after: try await EarlierExams.of(newest.entry, on: shelf), by: rules).steps
    }

    // MARK: - The document

    /// Returns the profile and plans. Nil if the learner has no profile.
    public func book() async throws(Problem) -> PlanBook? { try await shelf.planBook()?.book }

    /// Returns the profile and plans.
    ///
    /// - Throws: `PlanRefusal.noProfile`; `Problem` as `LearnerShelf`.
    public func neededBook() async throws -> PlanBook {
        guard let book = try await book() else { throw PlanRefusal.noProfile }
        return book
    }

    /// Stores a profile. The first profile gets a plan at once, and days without time become rest days of practice.
    ///
    /// - Returns: The document and the facts with which it was planned.
    public func use(_ profile: LearnerProfile, at moment: StudyMoment) async throws -> (book: PlanBook, PlanFacts) {
        try await practising.take(at: moment) { $0.rest(by: profile) }
        let facts = try await facts(at: moment)
        let book = try await replace { old in
            var book = old ?? PlanBook(profile)
            book.profile = profile
            if old == nil, let first = book.proposal(facts.knowledge) { try book.accept(first) }
            return book
        }
        return (book, facts)
    }

    /// Accepts the plan that the learner saw.
    ///
    /// - Parameters:
    ///   - version: The plan's version.
    ///   - anew: As in `PlanBook.proposal(anew:_:)`.
    /// - Throws: `PlanRefusal.changed` if another plan would be proposed by now.
    public func accept(version: Int, anew: Bool, _ facts: PlanFacts) async throws -> PlanBook {
        try await change { book in
            guard let proposal = book.proposal(anew: anew, facts.knowledge), proposal.plan.version == version else {
                throw PlanRefusal.changed
            }
            try book.accept(proposal)
        }
    }

    /// Takes over a plan made outside this package that obeys the rules for plans.
    ///
    /// - Throws: `Problem.differs` if the plan was changed meanwhile.
    public func take(_ plan: StudyPlan) async throws -> PlanBook { try await change { try $0.take(plan) } }

    /// Makes one section of the present plan again.
    ///
    /// - Throws: `PlanRefusal.noPlan`.
    public func reroll(_ section: StudyPlan.Section, _ facts: PlanFacts) async throws -> PlanBook {
        try await change { book in
            guard try book.reroll(section, facts.knowledge) != nil else { throw PlanRefusal.noPlan }
        }
    }

    /// Undoes the latest change of this week's plan.
    ///
    /// - Throws: `PlanRefusal.nothingToUndo`.
    public func undo(_ facts: PlanFacts) async throws -> (book: PlanBook, undone: PlanHistory.Undone) {
        var last: PlanHistory.Undone?
        let book = try await change { book in last = book.undo(facts.knowledge) }
        guard let last else { throw PlanRefusal.nothingToUndo }
        return (book, last)
    }

    private func change(_ change: (inout PlanBook) throws -> Void) async throws -> PlanBook {
        try await replace { old in
            guard var book = old else { throw PlanRefusal.noProfile }
            try change(&book)
            return book
        }
    }

    /// Replaces the document. Tries again if another program has changed it meanwhile.
    private func replace(_ change: (PlanBook?) throws -> PlanBook) async throws -> PlanBook {
        for _ in 0..<Self.mostTries {
            let known = try await shelf.planBook()
            let book = try change(known?.book)
            if book == known?.book { return book }
            if try await shelf.put(book, for: known) { return book }
        }
        throw PlanRefusal.busy
    }
}

/// The facts with which plans are made and ticked.
public struct PlanFacts: Sendable {
    /// The facts in the form for plans.
    public let knowledge: PlanKnowledge
    /// The history of the practice log, with the days and the speech of exams: see `PracticeDay`.
    public let historyWithExams: PracticeHistory
    /// The measured exams without single parts, the oldest first.
    public let exams: [SatExam]
    /// Everything that the shelf keeps of the newest of them. Nil if it was not read, or cannot be.
    let newest: ExamEvidence?

    /// Returns the band that the learner wants, compared with the estimates of the exams that have the newest exam's
    /// format. Nil if the profile names none.
    public func goal(of profile: LearnerProfile?) -> GoalProgress? {
        let format = exams.last?.format
        return GoalProgress(
            wanted: profile?.goalBand, exams.filter { $0.format == format }.map(\.figures.estimates))
    }
}

/// The reasons why a plan was not changed. Nothing was stored then.
public enum PlanRefusal: Error, Equatable, Sendable {
    /// The learner has no profile.
    case noProfile
    /// This week has no plan.
    case noPlan
    /// The plan has changed since the learner saw it.
    case changed
    /// This week's plan was not changed yet.
    case nothingToUndo
    /// Other programs changed the document at each attempt. The same change may succeed later.
    case busy
}

extension PlanBook {
    /// Returns the plan to propose. Nil if the present plan still holds.
    ///
    /// - Parameter anew: Whether to plan the rest of the week again even if nothing was missed.
    public func proposal(anew: Bool, _ knowledge: PlanKnowledge) -> Proposal? {
        anew ? self.anew(knowledge) : proposal(knowledge)
    }
}
