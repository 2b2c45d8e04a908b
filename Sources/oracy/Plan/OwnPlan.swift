import Assessment
import Learning
import SessionFolders
import Study
import StudyFolders
import SystemSupport

/// The user's own profile and plans.
struct OwnPlan {
    let planning: Planning
    let practising: Practising
    private let sessions = SessionShelf()

    /// - Throws: `Problem` if the user's own rules cannot be read.
    init() throws(Problem) {
        let shelf = FolderShelf(sessions)
        practising = Practising(on: shelf)
        planning = Planning(on: shelf, practising, by: try RulesArguments.own())
    }

    /// Gathers the facts for plans. Exams that have not been measured yet are measured first.
    func facts() async throws -> PlanFacts {
        measure()
        return try await planning.facts(at: .now)
    }

    /// Measures the exams that have not been measured yet.
    func measure() {
        for problem in SessionAssessing.measureAll(on: sessions) { complain("note: \(problem.sentence)") }
    }

    /// Returns the next steps that the newest exam suggests, at most three; empty if it can't be read.
    func points(_ facts: PlanFacts) async -> [StepReport] {
        guard let exam = newest(facts) else { return [] }
        let name = exam.name(on: sessions)
        return ((try? await planning.steps(after: facts)) ?? []).map { StepReport($0, of: name) }
    }

    /// Returns the newest measured exam.
    func newest(_ facts: PlanFacts) -> SessionSummary? {
        guard let exam = facts.exams.last else { return nil }
        return (try? SessionFolder.open(at: "\(sessions.path)/\(exam.session)")).map { SessionSummary($0) }
    }

    /// Shows what a plan would change, asks the user, and stores it if the user agrees.
    ///
    /// - Parameter take: Stores the plan.
    static func offer(
        _ plan: StudyPlan, _ preview: PlanPreview, notes: [PlanNote] = [], yes: Bool, _ take: () async throws -> Void
    ) async throws {
        for line in preview.lines { print(line.cleaned) }
        for note in notes where note.about != .empty && note.about != .free { print("note: \(note.text)".cleaned) }
        guard try Asking.agrees("Use this plan?", yes: yes) else { return print("The plan was not changed.") }
        try await take()
        print("This is version \(plan.version). To see it: oracy plan")
    }
}

extension Problem {
    /// Returns the problem in the words of this tool. Nil for an error that is not about the user's doing.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as PlanRefusal: self.init(refusal)
        case is PracticeRefusal: self.init(.occupied, "you are practising in another window; finish there first")
        default: return nil
        }
    }

    private init(_ refusal: PlanRefusal) {
        switch refusal {
        case .noProfile: self.init(.missing, "you have no profile yet; make one with oracy plan setup")
        case .noPlan: self.init(.missing, "this week has no plan yet; make one with oracy plan make")
        case .nothingToUndo: self.init(.missing, "there is nothing to undo in this week")
        case .changed: self.init(.differs, "the plan was changed meanwhile; look at it again with oracy plan")
        case .busy: self.init(.occupied, "the plan is being changed in another window; try again")
        }
    }
}
