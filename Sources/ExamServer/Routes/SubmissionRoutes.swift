import BackendAPI
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import ServerWork
import Study
import SystemSupport

/// Routes for quizzes and practice tests. Only the owner can submit, only an attempt in progress, and submitting the
/// same answers again gives the same attempt.
struct SubmissionRoutes {
    let services: Services
    let streams: EventStreams

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.post("v1/submissions", use: open)
        routes.get("v1/submissions/:submission", use: submission)
        routes.get("v1/submissions/:submission/events", use: events)
        routes.post("v1/submissions/:submission", use: submit)
        // The path that clients of the item bank use.
        routes.post("submissions/:submission", use: submit)
    }

    private struct Standing: Encodable, Sendable {
        var id: LowercaseID
        var status: String
        var attemptId: LowercaseID?
        /// The state of a practice test, or the corresponding word for any other submission.
        var state: String
        /// Whether a grade will come. Absent until all answers are stored.
        var grading: Grading?
        var right, count, percentage: Int?

        init(_ id: UUID, _ standing: SubmissionStanding, _ test: StoredTest? = nil) {
            self.id = LowercaseID(id)
            status = standing.status.rawValue
            attemptId = standing.attempt.map(LowercaseID.init)
            state = StoredTest.State(of: standing.status, test).rawValue
            grading = Grading(standing.status, isTest: test != nil)
            let graded = standing.graded
            (right, count, percentage) = (graded?.right, graded?.count, graded?.percentage)
        }
    }

    private enum Grading: String, Encodable, Sendable {
        /// Some of its questions are not in the item bank, so there will be no grade.
        case none
        /// A worker will grade it.
        case waiting
        case done

        /// Creates the value. Nil if not all answers are stored.
        init?(_ status: Submission.Status, isTest: Bool) {
            switch status {
            case .inProgress: return nil
            case .submitted: self = isTest ? .waiting : .none
            case .graded: self = .done
            }
        }
    }

    @Sendable private func open(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let new = try await request.json(NewSubmissionRow.self, context)
        if try await owned.standing(ofSubmission: new.id.id) == nil {
            try await Quota(of: owned.user, services).admitSubmission()
        }
        switch try await owned.openSubmission(
            new.id.id, template: new.template?.id, within: services.settings.limits.forSubmissions)
        {
        case .created, .same, .changed: break
        case .refused: throw APIProblem.missing("submission")
        case .parentMissing: throw APIProblem.missing("template")
        }
        guard let standing = try await owned.standing(ofSubmission: new.id.id) else {
            throw APIProblem.missing("submission")
        }
        return Answer(Standing(new.id.id, standing), .created)
    }

    @Sendable private func submission(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("submission", of: "submission")
        guard let standing = try await owned.standing(ofSubmission: id) else { throw APIProblem.missing("submission") }
        return Answer(Standing(id, standing, try await owned.practiceTest(id)))
    }

    /// Sends one event when the submission is graded, then ends. A client that has received it is told that nothing
    /// more will come.
    @Sendable private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try context.requireCaller()
        let owned = services.owned(by: caller.user)
        let id = try context.id("submission", of: "submission")
        guard let standing = try await owned.standing(ofSubmission: id) else { throw APIProblem.missing("submission") }
        // An application's own quiz that could not be graded when it was handed in: there is nothing to wait for.
        if standing.status == .submitted, try await owned.practiceTest(id) == nil {
            return Response(status: .noContent)
        }
        // A browser's `EventSource` reconnects after every end except this status (WHATWG HTML, 9.2).
        if try EventStreams.lastEvent(request) ?? 0 >= GradeNews.graded { return Response(status: .noContent) }
        return try streams.response(GradeNews(of: id, owned), of: id, to: caller)
    }

    @Sendable private func submit(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("submission", of: "submission")
        let submitted = try await request.json(QuizSubmissionRequest.self, context)
        let test = try await owned.practiceTest(id)
        try SubmissionRules.check(submitted, mayBeEmpty: test != nil)
        try test?.test().check(submitted.answers)
        // The owner is checked first. A complete submission is accepted again, even if recordings were erased since.
        if try await owned.standing(ofSubmission: id)?.status == .inProgress {
            try await checkRecordings(of: submitted.answers, in: owned)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let answers = try submitted.answers.map { answer in
            SubmissionAnswer(
                question: answer.questionId, answer: String(decoding: try encoder.encode(answer.answer), as: UTF8.self))
        }
        let batch = SubmissionBatch(
            number: submitted.batch?.number ?? 1, of: submitted.batch?.of ?? 1, answers: answers)
        let (moment, bank) = (try request.moment(services), services.practice.bank)
        let submission = try await owned.submit(
            id, batch,
            finishing: { test, answers in
                guard var whole = try? test.test(), (try? whole.handIn(answers, at: Double(moment.seconds))) != nil
                else { return nil }
                return test.with(whole, offset: moment.offset)
            },
            grading: { GradedSubmission(ofOwnQuiz: $0, by: bank)?.json })
        switch submission {
        case .accepted(let attempt, let isWhole), .repeated(let attempt, let isWhole):
            let message =
                isWhole
                ? "Your answers are submitted and pending grading."
                : "These answers are stored. The attempt is waiting for the other batches."
            return Answer(QuizSubmissionResponse(attemptId: attempt, message: message), .accepted)
        case .conflict(.alreadySubmitted):
            throw APIProblem(
                .conflict, "already-submitted", "Already submitted",
                "Different answers were submitted before; an attempt can be submitted only once.")
        case .conflict(.otherAnswers):
            throw APIProblem(
                .conflict, "other-answers", "Different answers",
                "This batch, or one of its questions, is already stored with a different answer, which stays.")
        case .conflict(.otherCount):
            throw APIProblem(
                .conflict, "other-batches", "Different number of batches",
                "The stored batches have another number in \"of\". Send the rest with that number.")
        case .conflict(.notInProgress): throw APIProblem.notInProgress
        case .missing:
            // The interface requires 403 for other users, although that reveals that the submission exists.
            guard try await services.store.service.owner(ofSubmission: id) != nil else {
                throw APIProblem.missing("submission")
            }
            throw APIProblem(
                .forbidden, "not-yours", "Not yours", "Only the user who opened a submission can submit it.")
        }
    }

    /// Checks that each spoken answer is a recording that this user uploaded before.
    ///
    /// - Throws: `APIProblem`: 422 with the first field whose recording is missing or has other bytes.
    private func checkRecordings(of answers: [ClientAnswerInput], in owned: OwnedStore) async throws {
        for (place, answer) in answers.enumerated() {
            guard case .spoken(let audioId, _, let sha256) = answer.answer else { continue }
            let stored = try await digest(ofRecording: audioId, in: owned)
            guard stored == sha256.lowercased() else {
                throw APIProblem(
                    .unprocessableContent, "no-such-recording", "No such recording",
                    "answers[\(place)].answer.audioId: you have no recording with this id and these bytes.")
            }
        }
    }

    /// Returns the digest of a recording. Nil if the user has no recording with this id.
    ///
    /// This is a separate function because Swift 6.3.1 crashes when it optimizes this `await` inside the guard of a
    /// loop.
    private func digest(ofRecording audioId: String, in owned: OwnedStore) async throws -> String? {
        guard let id = WrittenID(audioId)?.id else { return nil }
        return try await owned.recording(id)?.sha256
    }
}

extension StoredTest.State {
    /// Creates the state of any submission in the words for practice tests.
    ///
    /// The test is read after the submission, so a worker may have graded it in between. Then the submission's status
    /// counts, because the grade was read with it.
    fileprivate init(of status: Submission.Status, _ test: StoredTest?) {
        switch (status, test?.state) {
        case (.inProgress, nil), (.inProgress, .submitted), (.inProgress, .graded): self = .inProgress
        case (.inProgress, let state?): self = state
        case (.submitted, _): self = .submitted
        case (.graded, _): self = .graded
        }
    }
}
