import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Learning
import Study
import SystemSupport

/// A learner's profile and plans on the server: a document in the store, combined with facts from sessions and the
/// practice log.
struct LearnerPlan: Sendable {
    let services: Services
    let desk: PracticeDesk

    /// The maximum number of exams that a plan considers: enough to show a change, and some more.
    private static let mostExams = 15
    /// The maximum number of lines of the practice log: several months, which is as far back as the habit's score
    /// looks.
    private static let mostLines = 10_000

    // MARK: - Facts

    /// The facts about a learner from sessions and practice, and the exams to show.
    struct Known: Sendable {
        var knowledge: PlanKnowledge
        var streak: Streak
        /// The exams, oldest first.
        var exams: [ToldPlan.Exam]
        fileprivate var newest: ExamEvidence?
    }

    func known(of user: UUID, at moment: StudyMoment) async throws -> Known {
        let owned = services.owned(by: user)
        var (sat, exams, newest) = ([SatExam](), [ToldPlan.Exam](), ExamEvidence?.none)
        for session in try await owned.sessions(limit: Self.mostExams, papers: .exams)
        where session.completedAt != nil {
            let evidence = try await StoredExam(session, of: owned, in: services.store.service).evidence
            guard !evidence.assessment.answers.isEmpty, let began = WallTime(utc: session.startedAt) else { continue }
            let start = StudyMoment(seconds: began.secondsSince1970, offset: moment.offset)
            newest = newest ?? evidence
            let dossier = ExamDossier(evidence, after: [], by: services.panel.rules)
            sat.append(
                SatExam(
                    session: session.id.name, format: session.format, moment: start,
                    assessment: dossier.assessment, marks: dossier.result, transcripts: dossier.transcripts,
                    topics: ExamTopics.topics(of: evidence.frozen?.paper.origin?.items ?? [])))
            exams.append(ToldPlan.Exam(session, on: start.day, dossier.assessment.delivery))
        }
        let lines = try await owned.newestPracticeLines(limit: Self.mostLines).compactMap(PracticeLine.init)
        let tests = try await owned.practiceTests(limit: services.settings.limits.practiceTests)
            .filter { [.ready, .inProgress].contains($0.state) }.map(\.id.name)
        let (all, open) = (sat, tests)
        let taken = try await desk.take(of: user, at: moment) { step in
            var evidence = PlanEvidence(
                exams: all.evidence,
                practice: .init(step.content.catalogue, step.history, lessons: LessonCategory.builtIn, at: moment),
                examTopics: ExamTopics.all, reviewed: step.history.reviewedSessions, openTests: open)
            evidence.hasSpokenDrills = false
            return (evidence, step.history.rest, Streak(step.history, today: moment.day))
        }
        let knowledge = PlanKnowledge(
            evidence: taken.0, deeds: all.deeds + [Deed](of: lines, PracticeContent.builtIn.catalogue), rest: taken.1,
            now: moment)
        return Known(knowledge: knowledge, streak: taken.2, exams: exams.reversed(), newest: newest)
    }

    /// Returns the plan in the form that its learner gets.
    ///
    /// - Parameter book: nil if the learner has no profile.
    func told(_ book: PlanBook?, _ known: Known, to user: UUID) async throws(Problem) -> ToldPlan {
        var points: [String] = []
        if let newest = known.newest {
            let shelf = StoreShelf(services, services.owned(by: user))
            let earlier = try await EarlierExams.of(newest.entry, on: shelf)
            let dossier = ExamDossier(newest, after: earlier, by: services.panel.rules)
            points = dossier.steps.prefix(NextStep.most).map(\.advice)
        }
        return ToldPlan(book, known, points)
    }

    // MARK: - Storage

    /// Returns the profile and plans. Nil if the learner has no profile.
    ///
    /// - Throws: `StoreError.unusable` if a newer version wrote it.
    func book(of user: UUID) async throws(StoreError) -> PlanBook? { try await read(user)?.book }

    private func read(_ user: UUID) async throws(StoreError) -> (book: PlanBook, text: String)? {
        guard let text = try await services.owned(by: user).planBook() else { return nil }
        do throws(Problem) {
            return (try PlanBook.read(from: Array(text.utf8), name: "plan"), text)
        } catch {
            throw StoreError(.unusable, error.sentence)
        }
    }

    /// Changes the document, and tries again if another node was faster.
    ///
    /// - Parameter change: takes the current document, if any, and returns the new one.
    /// - Throws: the errors of `change`, and `APIProblem` 503 after too many conflicts.
    func change(of user: UUID, _ change: (PlanBook?) throws -> PlanBook) async throws -> PlanBook {
        for _ in 0..<Self.mostTries {
            let known = try await read(user)
            let book = try change(known?.book)
            if book == known?.book { return book }
            let text = String(decoding: book.json, as: UTF8.self)
            if try await services.owned(by: user).put(planBook: text, for: known?.text) { return book }
        }
        throw APIProblem.busy
    }

    private static let mostTries = 20
}
