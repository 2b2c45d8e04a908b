import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServerWork
import SessionFolders
import Study

/// Routes for markers, who take exams, hear the answers and mark them. They learn neither the candidates' names nor the
/// dates. Findings of machines and other markers stay hidden until their own marks are saved.
struct MarkingRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/marking", use: tasks)
        routes.post("v1/marking", use: takeNext)
        routes.get("v1/agreement", use: agreement)
        routes.get("v1/marking/:task", use: task)
        routes.delete("v1/marking/:task", use: giveBack)
        routes.get("v1/marking/:task/answers/:answer/recording", use: recording)
        routes.put("v1/marking/:task/draft", use: putDraft)
        routes.put("v1/marking/:task/sheet", use: putSheet)
    }

    private var service: ServiceStore { services.store.service }

    private func marker(_ context: ServerContext) throws(APIProblem) -> ServiceStore.Marker {
        let caller = try context.require(.marker)
        let isAlone = services.settings.development
        return .init(caller.user, groups: isAlone ? [] : caller.groups, marksOwn: isAlone)
    }

    // MARK: - The queue of work

    @Sendable private func tasks(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Told: Encodable, Sendable {
            var taken, marked: [MarkingTaskAnswer]
            var waiting: Int
        }
        let marker = try marker(context)
        let (taken, marked) = try await service.tasks(of: marker.user)
        let waiting = try await service.waitingPlaces(for: marker)
        return Answer(
            Told(taken: try await told(taken), marked: try await told(marked), waiting: waiting))
    }

    @Sendable private func takeNext(_ request: Request, _ context: ServerContext) async throws -> Response {
        let marker = try marker(context)
        let most = services.settings.limits.takenExams
        guard try await service.tasks(of: marker.user).taken.count < most else {
            throw APIProblem(
                .conflict, "enough-taken", "Enough is taken",
                "You have taken \(most) exams. Mark one of them, or give one back.")
        }
        guard let task = try await service.takeNext(for: marker, most: most) else {
            return Response(status: .noContent)
        }
        return try Answer(try await told([task])[0], .created).response(from: request, context: context)
    }

    @Sendable private func giveBack(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (task, marker) = try await theirs(context)
        guard try await service.giveBack(task: task.id, by: marker.user) else { throw Self.alreadyMarked }
        return HTTPResponse.Status.noContent
    }

    private func told(_ tasks: [MarkingTask]) async throws -> [MarkingTaskAnswer] {
        var told: [MarkingTaskAnswer] = []
        for task in tasks {
            told.append(MarkingTaskAnswer(task, title: try await services.frozenExam(of: task.session)?.title))
        }
        return told
    }

    // MARK: - One exam

    private func theirs(_ context: ServerContext) async throws -> (MarkingTask, ServiceStore.Marker) {
        let marker = try marker(context)
        guard let task = try await service.task(try context.id("task", of: "task"), of: marker.user) else {
            throw APIProblem.missing("task")
        }
        return (task, marker)
    }

    /// Returns the owner's rows for reading by a marker, after writing a line to the audit log.
    private func reading(
        _ task: MarkingTask, _ what: String, by marker: ServiceStore.Marker
    ) async throws -> OwnedStore {
        let reader = Reader(marker.user, .marker)
        guard let owned = try await service.reading(task.session, by: reader) else { throw APIProblem.missing("task") }
        try await SessionAccess(services: services).note(what, of: [(task.session, owned.user)], by: reader)
        return owned
    }

    @Sendable private func task(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let (task, marker) = try await theirs(context)
        let owned = try await reading(task, "answers to mark", by: marker)
        let exam = try await services.frozenExam(of: task.session)
        let template = TemplateIDs.template(task.format, task.paper)
        let questions = Dictionary(
            try await owned.questions(of: template).map { ($0.question, $0.text) }
        ) { first, _ in first }
        let responses = try await owned.responses(of: task.session).assessed
        var told = MarkingDeskAnswer(
            task: MarkingTaskAnswer(task, title: exam?.title),
            answers: responses.counted.map { MarkedAnswer($0, in: task, exam?.script, questions) },
            draft: task.draft,
            sheet: task.sheet)
        if task.sheet != nil {
            guard let session = try await owned.session(task.session) else { throw APIProblem.missing("task") }
            let stored = try await StoredExam(session, of: owned, in: service)
            var evidence = stored.evidence
            // Markers see all marks as soon as their own are final.
            evidence.sheets = stored.marking.sheets
            told.result = ExamDossier(evidence, after: [], by: services.panel.rules).result
        }
        return Answer(told)
    }

    @Sendable private func recording(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (task, marker) = try await theirs(context)
        let name = context.parameters.get("answer") ?? ""
        let reader = Reader(marker.user, .marker)
        guard let owned = try await service.reading(task.session, by: reader),
            let response = try await owned.responses(of: task.session).first(where: { $0.record.name == name }),
            let recording = try await owned.recording(response.id)
        else { throw APIProblem.missing("recording") }
        try await SessionAccess(services: services).note(
            SessionAccess.Matter.recording(name).words, of: [(task.session, owned.user)], by: reader)
        return try await RecordingAnswer(recording, in: services.audio).response(to: request, name: name)
    }

    // MARK: - Marks

    @Sendable private func putDraft(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (task, marker) = try await theirs(context)
        let draft = try await given(request, context, task)
        guard try await service.keep(draft: draft, of: task.id, by: marker.user) else { throw Self.alreadyMarked }
        return HTTPResponse.Status.noContent
    }

    @Sendable private func putSheet(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (task, marker) = try await theirs(context)
        let sheet = try await given(request, context, task)
        guard !sheet.bands.isEmpty || sheet.topicRelevance != nil else {
            throw APIProblem.malformed("bands: mark one criterion at least.")
        }
        let kept = try await service.keep(
            sheet: sheet, of: task.id, by: marker.user, rubric: Rubric.ieltsStyle.id, assessor: services.panel.version,
            needsThird: services.panel.rules.needsThird)
        switch kept {
        case .saved:
            services.note(.marked, task.session, ["place": "\(task.place)"])
            return HTTPResponse.Status.created
        case .same: return HTTPResponse.Status.noContent
        case .otherBefore: throw Self.alreadyMarked
        case .notTheirs: throw APIProblem.missing("task")
        }
    }

    /// Reads marks.
    ///
    /// - Throws: `APIProblem` 400 with the field, according to the rules for sheets.
    private func given(
        _ request: Request, _ context: ServerContext, _ task: MarkingTask
    ) async throws -> MarksGiven {
        let given = try await request.json(MarksGiven.self, context)
        guard given.comments.count <= MarksGiven.mostComments else {
            throw APIProblem.malformed("comments: at most \(MarksGiven.mostComments).")
        }
        for (number, comment) in given.comments.enumerated() {
            try Field.text(comment.text, "comments[\(number)].text", atMost: MarkSheet.longestComment)
        }
        let owner = try await service.owner(of: task.session)
        let responses = try await owner.map(services.owned)?.responses(of: task.session).assessed ?? []
        let lengths = Dictionary(responses.map { ($0.record.name, $0.record.duration?.duration.inSeconds ?? 0) }) { $1 }
        if let mistake = given.sheet.mistake(lengths: lengths) { throw APIProblem.malformed(mistake + ".") }
        return given
    }

    private static let alreadyMarked = APIProblem(
        .conflict, "already-marked", "Already marked",
        "Your marks of this exam are saved. They are final, since others' marks are shown after that.")

    // MARK: - Agreement

    @Sendable private func agreement(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let caller = try context.requireCaller()
        let sheets: [[ServiceStore.SheetOf]]
        var only: UUID?
        if caller.roles.contains(.service) {
            sheets = try await service.sheets(of: nil, by: nil)
        } else if caller.roles.contains(.teacher) {
            sheets = try await service.sheets(of: caller.groups, by: nil)
        } else {
            only = try context.require(.marker).user
            sheets = try await service.sheets(of: nil, by: only)
        }
        let found = AgreementAnswer(
            sheets, only: only, asker: caller.user, needed: services.panel.rules.leastExamsForAgreement)
        return Answer(try await found.named(by: services))
    }
}
