import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Reports
import ServerWork
import Study
import SystemSupport

/// Routes for an exam's findings that need no model: measurements of its sound, the candidate's typed words, and the
/// report of both.
struct AssessmentRoutes: Sendable {
    let services: Services
    let exams: LiveExams
    /// The turns for reports: four at a time, one for each reader. A report takes megabytes of memory, and a second or
    /// two of a processor's time.
    private let desk = FairDesk<UUID>(places: 4, mostEach: 1)
    private let sounds: ClipSounds

    init(services: Services, exams: LiveExams) {
        self.services = services
        self.exams = exams
        sounds = ClipSounds(folder: exams.settings.folder + "/clips")
    }

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions/:session/assessment", use: assessment)
        routes.get("v1/sessions/:session/voice/:question", use: voice)
        routes.get("v1/sessions/:session/report", use: report)
        routes.put("v1/sessions/:session/answers/:answer/transcript", use: putTranscript)
    }

    private func exam(
        _ matter: SessionAccess.Matter, _ context: ServerContext
    ) async throws -> (StoredExam, OwnedStore) {
        let id = try context.id("session", of: "session")
        let owned = try await SessionAccess(services: services).reading(id, matter, by: context.requireCaller())
        guard let session = try await owned.session(id) else { throw APIProblem.missing("session") }
        return (try await StoredExam(session, of: owned, in: services.store.service), owned)
    }

    @Sendable private func assessment(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (exam, owned) = try await exam(.assessment, context)
        let evidence = exam.evidence
        // Clients that wait for measurements ask often. They get the comparison only when all measurements are
        // complete.
        let isComplete = exam.unmeasured.isEmpty
        let earlier = isComplete ? try await EarlierExams.of(evidence.entry, on: StoreShelf(services, owned)) : []
        var answer = AssessmentAnswer(exam, ExamDossier(evidence, after: earlier, by: services.panel.rules))
        answer.drill = try await exam.heldDrill(of: owned, in: exams).map { DrillAnswer($0, of: exam) }
        return Answer(answer)
    }

    /// Answers with a sentence of a drill in the voice that the learner followed.
    @Sendable private func voice(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (exam, _) = try await exam(.assessment, context)
        let question = context.parameters.get("question")?.removingPercentEncoding
        guard SpokenDrill(paper: exam.session.paper)?.hasModel == true,
            let sentence = exam.evidence.frozen?.script?.turns.first(where: { $0.id == question })?.question
        else { throw APIProblem.missing("sentence of a drill") }
        let record = try await services.store.service.files(of: exam.session.id)["session.json"]
        return try await exams.said(sentence, inVoiceOf: record, by: sounds, for: request, context)
    }

    // MARK: - The report

    /// The report runs its own script. It may do nothing else, and does not belong to this origin.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src data: blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"

    @Sendable private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (exam, owned) = try await exam(.report, context)
        let reader = try context.requireUser()
        let shelf = StoreShelf(services, owned, prompts: exams.preparedExams, for: reader)
        let html = try await desk.run(for: reader) {
            let evidence = exam.evidence
            let earlier = try await EarlierExams.of(evidence.entry, on: shelf)
            let dossier = ExamDossier(evidence, after: earlier, by: services.panel.rules)
            let content = try await dossier.report(from: shelf, withSound: true)
            return await runBlocking { ReportPage(content).html }
        }
        var headers: HTTPFields = [:]
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = Self.policy
        headers[.contentDisposition] = "inline; filename=\"report-\(exam.session.startedAt.prefix(10)).html\""
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    // MARK: - The candidate's typed words

    /// The maximum number of characters in a transcript: about twenty minutes of fast speech.
    static let longest = 20_000

    @Sendable private func putTranscript(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Typed: Decodable { var text: String }
        let owned = services.owned(by: try context.requireUser())
        let (session, answer) = (try context.id("session", of: "session"), try context.id("answer", of: "answer"))
        let typed = try await request.json(Typed.self, context)
        guard let response = try await owned.responses(of: session).first(where: { $0.id == answer }) else {
            throw APIProblem.missing("answer")
        }
        guard response.record.purpose == .assessed else {
            throw APIProblem(
                .conflict, "introduction", "An introduction has no transcript",
                "This answer introduces you. Only you can play its recording, and it is not assessed.")
        }
        guard typed.text.unicodeScalars.count <= Self.longest else {
            throw APIProblem.malformed("text: must have at most \(Self.longest) characters.")
        }
        let words = String(String.UnicodeScalarView(typed.text.unicodeScalars.map { $0.isControl ? " " : $0 }))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.isEmpty {
            try await services.store.service.removeFinding(of: answer, by: StoredExam.Finder.candidate)
        } else {
            let transcript = AnswerTranscript(
                answer: response.record.name, recording: response.sha256, source: .own, writtenAt: WallTime.now.utc,
                text: words)
            try await services.store.service.keep(transcript, of: answer, by: StoredExam.Finder.candidate)
        }
        return HTTPResponse.Status.noContent
    }
}
/// The answer to `GET /v1/sessions/{session}/assessment`.
struct AssessmentAnswer: Encodable, Sendable {
    var session: LowercaseID
    /// The measurements. Absent if nothing was measured.
    var delivery: DeliveryReport?
    var parts: [Part]
    var answers: [Measured]
    /// The ids of answers that were not measured.
    var unmeasured: [LowercaseID]
    var transcripts: [AnswerTranscript]
    /// The words of the transcripts, in the same order, with their times and marks.
    var words: [AnswerWords]
    /// The assessors' findings in the order of the exam.
    var said: [AssessorFinding]
    /// The assessors' gaps with the reasons.
    var gaps: [AssessorGap]
    /// The result of all marks. Absent without marks.
    var marks: ExamResult?
    /// Whether the marked evidence is the sealed evidence.
    var evidence: EvidenceStanding
    /// The markers' remarks on moments.
    var comments: [MarkComment]
    /// The findings on the words of the transcripts.
    var text: TextReport
    /// The result of a spoken drill. Absent for exams, and until it is complete.
    var drill: DrillAnswer?
    /// The estimates, the overall band first.
    var estimate: [AspectEstimate]
    /// A strength that the exam shows. Absent if none is known.
    var strength: Strength?
    var next: [NextStep]
    var notAssessed: [ReportContent.NotAssessed]

    struct Part: Encodable, Sendable {
        var part: Int
        var delivery: DeliveryReport
    }

    struct Measured: Encodable, Sendable {
        /// The answer's id.
        var id: LowercaseID
        /// The answer's name, such as `part1_q3`.
        var answer: String
        /// The SHA-256 of the recording.
        var recording: String
        var delivery: DeliveryReport
        /// Silences of 0.25 s and longer.
        var pauses: [Pause]
    }

    /// A pause in seconds from the recording's beginning.
    struct Pause: Encodable, Sendable {
        var start: Double
        var end: Double
    }

    init(_ exam: StoredExam, _ dossier: ExamDossier) {
        session = LowercaseID(exam.session.id)
        let assessment = dossier.assessment
        delivery = assessment.answers.isEmpty ? nil : DeliveryReport(assessment.delivery)
        parts = assessment.parts.map { Part(part: $0.part, delivery: DeliveryReport($0.delivery)) }
        let ids = Dictionary(exam.responses.map { ($0.record.name, $0.id) }) { first, _ in first }
        answers = assessment.answers.compactMap { answer in
            ids[answer.record.name].map {
                Measured(
                    id: LowercaseID($0), answer: answer.record.name, recording: answer.recording,
                    delivery: DeliveryReport(answer.delivery),
                    pauses: answer.sound.timeline.pauses.map { Pause(start: $0.start, end: $0.end) })
            }
        }
        unmeasured = exam.unmeasured.map { LowercaseID($0.id) }
        transcripts = dossier.transcripts
        words = dossier.transcripts.words(in: assessment)
        said = dossier.evidence.said
        gaps = exam.gaps
        marks = dossier.result
        evidence = exam.standing
        comments = exam.marking.shown.flatMap(\.comments)
        text = TextReport(dossier.text)
        estimate = dossier.estimates
        strength = dossier.strength
        next = dossier.steps
        notAssessed = dossier.notAssessed.compactMap(\.reported)
    }
}
