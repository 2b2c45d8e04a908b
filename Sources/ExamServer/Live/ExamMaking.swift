import Assessment
import ExamCore
import ExamKit
import ExamNode
import ExamStore
import Foundation
import Learning
import Logging
import Papers
import ServerWork
import Study
import SystemSupport

/// Makes the contents of exams and spoken drills that users ask for.
struct ExamMaking {
    let exams: LiveExams
    /// The learners' practice, which decides the sentences of a drill.
    let desk: PracticeDesk

    private var choice: PaperChoice { PaperChoice(services: exams.services, catalogue: exams.catalogue) }

    /// Returns an exam that is ready to be held.
    ///
    /// - Throws: `APIProblem`, `StoreError`.
    func exam(_ wanted: WantedExam, of user: UUID, at moment: StudyMoment) async throws -> PreparedExam {
        if let origin = try wanted.origin() {
            let held = try DrillExam(.again, [try await question(of: origin, user)])
            return try await prepared(held.format, held.paper, held.options, wanted.voice)
        }
        if let drill = try wanted.spokenDrill() {
            let questions = try await questions(of: drill, wanted, of: user, at: moment)
            let held = try DrillExam(drill, questions)
            return try await prepared(held.format, held.paper, held.options, wanted.voice)
        }
        guard let format = exams.catalogue.format(wanted.wish.format ?? "ielts-style") else {
            throw APIProblem.malformed("format: no format has this name.")
        }
        let options = try wanted.options(for: format)
        let paper = try await choice.paper(wanted.wish.wish(paper: wanted.paper), for: format, of: user)
        return try await prepared(format, paper, options, wanted.voice)
    }

    private func prepared(
        _ format: ExamFormat, _ paper: Paper, _ options: ExamOptions, _ voice: String?
    ) async throws -> PreparedExam {
        do {
            return try await exams.preparedExams.exam(format, paper, options, voice: voice)
        } catch let problem as Problem where problem.kind == .malformed {
            throw APIProblem.malformed("paper: does not go with this format.")
        } catch let problem as Problem {
            exams.services.logger.error("exam", metadata: ["what": "\(problem.sentence)"])
            throw APIProblem.busy
        }
    }

    /// Returns the question of an answer to give again.
    private func question(of origin: DrillOrigin, _ user: UUID) async throws -> Paper.Question {
        let owned = exams.services.owned(by: user)
        guard let session = try await owned.session(origin.session) else {
            throw APIProblem.malformed("again.session: you have no exam with this id.")
        }
        let evidence = try await StoredExam(session, of: owned, in: exams.services.store.service).evidence
        guard
            let loop = QuestionLoop(
                ExamDossier(evidence, after: [], by: exams.services.panel.rules), answer: origin.answer)
        else {
            let names = evidence.answers.counted.assessed.map(\.record.name)
            throw APIProblem.malformed(
                names.isEmpty
                    ? "again.session: has no answer to give again." : "again.answer: must be \(names.spoken).")
        }
        guard let asked = loop.asked else {
            throw APIProblem.malformed("again.session: its questions are unknown, so none can be asked again.")
        }
        return asked
    }

    /// Returns the questions of a drill: sentences of the learner's next lesson, or drawn questions.
    private func questions(
        of drill: SpokenDrill, _ wanted: WantedExam, of user: UUID, at moment: StudyMoment
    ) async throws -> [Paper.Question] {
        let found: DrillQuestions?
        if drill.hasModel {
            found = try await desk.take(of: user, at: moment) { step in
                func sentences(_ lesson: String?) -> DrillQuestions? {
                    DrillQuestions(sentencesOf: lesson, count: nil, in: step.content.catalogue, after: step.history)
                }
                // A learner who has done every lesson begins again.
                return sentences(nil) ?? sentences(DrillQuestions.lessonIDs.first)
            }
        } else if let format = exams.catalogue.format(SpokenDrill.paperFormat) {
            let paper = try await choice.drawn(wanted.wish.wish(), for: format, of: user)
            found = DrillQuestions(drill, from: paper)
        } else {
            found = nil
        }
        guard let found else { throw APIProblem.malformed("topics: the bank has no question on them.") }
        return found.questions
    }
}
