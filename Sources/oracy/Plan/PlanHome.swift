import Assessment
import ExamCore
import Glibc
import Learning
import SessionFolders
import Study
import StudyFolders
import SystemSupport

/// The place of a learner's profile and plans, and of the evidence for them.
///
/// ```
/// plan.json       the profile and all plans so far; only its owner can read it
/// ```
struct PlanHome {
    static var file: String { UserFolders.data + "/plan.json" }

    /// Reads the book; nil if the learner has not set up a profile.
    ///
    /// - Throws: `Problem.malformed` with the field.
    static func book() throws(Problem) -> PlanBook? {
        guard access(file, F_OK) == 0 else { return nil }
        return try PlanBook.read(from: PrivateFile.read(file), name: file)
    }

    /// - Throws: `Problem.missing` if there is no profile.
    static func needed() throws(Problem) -> PlanBook {
        guard let book = try book() else {
            throw Problem(.missing, "you have no profile yet; make one with oracy plan setup")
        }
        return book
    }

    static func write(_ book: PlanBook) throws(Problem) {
        try PrivateFile.createFolder(UserFolders.data)
        try PrivateFile.replace(file, with: book.json)
    }

    /// Returns the evidence from sessions and the practice log. Exams that have not been measured yet are measured
    /// first.
    static func knowledge(at now: StudyMoment = .now) throws(Problem) -> PlanKnowledge { try known(at: now).knowledge }

    /// Like `knowledge`, with the practice log's history and the newest measured exam.
    static func known(
        at now: StudyMoment = .now
    ) throws(Problem) -> (knowledge: PlanKnowledge, history: PracticeHistory, newest: SessionFolder?) {
        let shelf = SessionShelf()
        for problem in SessionAssessing.measureAll(on: shelf) { complain("note: \(problem.sentence)") }
        let assessed = shelf.assessed()
        let rules = try RulesArguments.own()
        let exams = assessed.compactMap { SatExam($0, by: rules) }
        let folder = FolderShelf()
        let catalogue = try folder.practiceContent().catalogue
        let lines = try folder.log.stretch(after: PracticePlace())?.lines ?? []
        var history = PracticeHistory(lines)
        for exam in exams { exam.count(in: &history) }
        let tests = try TestShelf().tests().filter { [.ready, .inProgress].contains($0.status) }.map(\.id)
        let evidence = PlanEvidence(
            exams: exams.evidence,
            practice: .init(catalogue, history, lessons: LessonCategory.builtIn, at: now),
            examTopics: ExamTopics.all, reviewed: history.reviewedSessions, openTests: tests)
        let knowledge = PlanKnowledge(
            evidence: evidence, deeds: exams.deeds + [Deed](of: lines, catalogue), rest: history.rest, now: now)
        return (knowledge, history, assessed.last?.summary.folder)
    }

    /// Returns the next steps that an exam suggests, at most three; empty if it can't be read.
    static func points(of exam: SessionFolder?) async -> [StepReport] {
        guard let exam else { return [] }
        return (try? await ToldDossier(exam, on: SessionShelf(), by: RulesArguments.own()))?.steps ?? []
    }

    /// Shows what a plan would change, asks the user, and stores it if the user agrees.
    ///
    /// - Parameter take: Puts the plan into the book.
    static func offer(
        _ plan: StudyPlan, _ preview: PlanPreview, notes: [PlanNote] = [], in book: PlanBook, yes: Bool,
        _ take: (inout PlanBook) throws(Problem) -> Void
    ) throws(Problem) {
        for line in preview.lines { print(line.cleaned) }
        for note in notes where note.about != .empty && note.about != .free { print("note: \(note.text)".cleaned) }
        guard try Asking.agrees("Use this plan?", yes: yes) else { return print("The plan was not changed.") }
        var book = book
        try take(&book)
        try write(book)
        print("This is version \(plan.version). To see it: oracy plan")
    }

    /// Records that the user looked at an exam's results, once for each exam.
    static func noteReview(of session: String) async {
        // Another window that practises has the log open. Viewing results must not fail because of that.
        try? await Practising.own.take(at: .now) { $0.review(session) }
    }
}

extension SatExam {
    fileprivate init?(_ session: AssessedSession, by rules: ResultRules) {
        let summary = session.summary
        guard let began = summary.startedAt, let format = summary.format else { return nil }
        // A plan can be made of the measurements alone, if a file beside them is unreadable.
        let evidence = try? FolderShelf().evidence(of: summary.folder, measuring: false)
        let dossier = evidence.map { ExamDossier($0, after: [], by: rules) }
        self.init(
            session: summary.id, format: format,
            moment: StudyMoment(seconds: began.secondsSince1970, offset: began.secondsEast),
            assessment: session.assessment, marks: dossier?.result, transcripts: dossier?.transcripts ?? [],
            topics: ExamTopics.topics(of: evidence?.frozen?.paper.origin?.items ?? []))
    }
}
