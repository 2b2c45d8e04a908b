import ExamCore
import ExamKit
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Papers
import ServerWork
import Study
import SystemSupport
import UploadQueue

/// Routes that create live exams and serve their sounds. The exams themselves use the WebSocket.
struct LiveRoutes {
    let exams: LiveExams
    private let making: ExamMaking
    private let sounds: ClipSounds

    /// - Parameter desk: The learners' practice, which decides the sentences of a drill.
    init(exams: LiveExams, desk: PracticeDesk) {
        self.exams = exams
        making = ExamMaking(exams: exams, desk: desk)
        sounds = ClipSounds(folder: exams.settings.folder + "/clips")
    }

    /// Adds routes.
    ///
    /// - Parameter routes: a group in which bearer tokens are checked.
    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/exams/choices", use: choices)
        routes.get("v1/exams/greeting", use: greeting)
        routes.post("v1/exams", use: make)
        routes.post("v1/exams/:session/live", use: live)
        routes.get("v1/live", use: noUpgrade)
    }

    /// Adds the routes of clips and pictures.
    ///
    /// - Parameter routes: a group in which bearer tokens are not checked, because these are fetched with the live
    ///   token.
    func addClips(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/exams/:session/clips/:clip", use: clip)
        routes.get("v1/exams/:session/pictures/:picture", use: picture)
    }

    // MARK: Choices

    private struct Choices: Encodable, Sendable {
        struct Format: Encodable, Sendable {
            var id, title: String
            /// The papers that fit the format.
            var papers: [String]
            /// Whether a paper can be drawn if none is named.
            var drawn: Bool
            /// Whether a model can write part of a paper.
            var written: Bool
            /// The maximum length of an exam without pauses.
            var seconds: Double
            var parts: [Part]
        }
        struct Part: Encodable, Sendable {
            var number: Int
            var title: String
        }
        struct Drill: Encodable, Sendable {
            var name, title, summary: String
            /// The usual length.
            var seconds: Double
        }
        struct Paper: Encodable, Sendable {
            var id, title: String
            var description, difficulty: String?
        }
        /// A topic for drawn papers.
        struct Topic: Encodable, Sendable {
            var id, title, difficulty: String
            /// The formats whose papers may have this topic.
            var formats: [String]
        }
        /// A model that writes papers.
        struct Writer: Encodable, Sendable {
            var model: String
            /// The recipient of topics. Absent if they stay here.
            var recipient: String?
            /// The statement to which `agreedTo` agrees. Absent if nothing is sent.
            var words: String?
        }
        var formats: [Format]
        var papers: [Paper]
        var topics: [Topic]
        var drills = SpokenDrill.chosen.map {
            Drill(name: $0.rawValue, title: $0.title, summary: $0.summary, seconds: $0.usualSeconds)
        }
        var modes = ["test", "practice"]
        /// The names of the examiner's voices, the usual one first.
        var voices: [String]
        /// The model that writes papers. Nil if this server has none.
        var writer: Writer?
        /// The statement to which `consent` agrees.
        var consent: String
    }

    @Sendable private func choices(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let caller = try context.requireCaller()
        let catalogue = exams.catalogue
        let formats = catalogue.formats.map { format in
            Choices.Format(
                id: format.id, title: format.title, papers: catalogue.fitting(format).map(\.id),
                drawn: ItemBank.builtIn.canFill(format),
                written: !ItemBank.sections(of: format).isDisjoint(with: PaperMaking.writtenSections),
                seconds: format.hardCap.duration.inSeconds,
                parts: format.parts.map { .init(number: $0.number, title: $0.title) })
        }
        let papers = catalogue.papers.map {
            Choices.Paper(
                id: $0.id, title: $0.title, description: $0.description, difficulty: $0.difficulty?.rawValue)
        }
        let sections = catalogue.formats.map { (id: $0.id, drawn: ItemBank.sections(of: $0)) }
        let topics = ItemBank.builtIn.items.map { item in
            Choices.Topic(
                id: item.id, title: item.about.title, difficulty: item.about.difficulty.rawValue,
                formats: sections.filter { $0.drawn.contains(item.section) }.map(\.id))
        }
        return Answer(
            Choices(
                formats: formats, papers: papers, topics: topics, voices: exams.settings.voices.names,
                writer: exams.services.panel.writer.map {
                    .init(model: $0.name, recipient: $0.recipient, words: $0.words)
                },
                consent: LiveExams.consentWords(in: caller.groupsAsLearner)))
    }

    // MARK: Making

    private struct Live: Encodable, Sendable {
        var path: String
        var token: String

        /// Creates the description.
        ///
        /// - Parameter session: included in the path for a proxy in front of several nodes, which sends all connections
        ///   of an exam to one node. The server itself uses only the token.
        init(_ session: UUID, _ token: LiveToken) {
            path = "\(WebSocketChannel.path)?session=\(session.name)"
            self.token = token.text
        }
    }

    private struct Made: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            var number: Int
            var title: String
        }
        var session: UUID
        var live: Live
        var format, paper, title: String
        var parts: [Part]
        var lostLineEndsAnswer: Bool
        /// The language spoken and read in the exam, as a language tag.
        var language: String

        init(_ session: UUID, _ token: LiveToken, _ prepared: PreparedExam) {
            self.session = session
            live = Live(session, token)
            (format, paper, title) = (prepared.format.id, prepared.paper.id, prepared.paper.title)
            parts = prepared.script.parts.map { .init(number: $0.number, title: $0.title) }
            lostLineEndsAnswer = prepared.script.lostLineEndsAnswer
            language = prepared.format.language ?? "en"
        }

        enum Key: CodingKey { case session, live, format, paper, title, parts, lostLineEndsAnswer, language }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(session.name, forKey: .session)
            try container.encode(live, forKey: .live)
            try container.encode(format, forKey: .format)
            try container.encode(paper, forKey: .paper)
            try container.encode(title, forKey: .title)
            try container.encode(parts, forKey: .parts)
            try container.encode(lostLineEndsAnswer, forKey: .lostLineEndsAnswer)
            try container.encode(language, forKey: .language)
        }
    }

    @Sendable private func make(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let caller = try context.requireCaller()
        let wanted = try await request.json(WantedExam.self, context)
        guard wanted.consent else {
            throw APIProblem.malformed("consent: must be true: an exam is recorded only with consent.")
        }
        let voices = exams.settings.voices.names
        guard wanted.voice.map(voices.contains) ?? true else {
            throw APIProblem.malformed("voice: must be \(voices.spoken).")
        }
        try await admit(wanted.kind, of: caller.user)
        let prepared = try await making.exam(wanted, of: caller.user, at: request.moment(exams.services))
        let made = try await exams.make(
            prepared, for: caller.user, in: caller.groupsAsLearner, after: wanted.origin(), asked: context.asked)
        context.trail.session = made.session
        return Answer(
            Made(made.session, made.token, made.prepared), .created, headers: [.cacheControl: "no-store"])
    }

    /// Checks quotas and the space for the answers before the candidate begins to speak.
    private func admit(_ kind: SessionKind, of user: UUID) async throws {
        guard !exams.registry.isDraining else {
            throw APIProblem(
                .serviceUnavailable, "no-room", "No room at this moment",
                "This server is about to stop and begins no more exams. Try again in a moment.", retryAfter: 5)
        }
        let quota = try await Quota(of: user, toBegin: kind, exams.services)
        try quota.admitExam()
        try quota.admitSession()
        try quota.admit(recording: 0)
        do {
            try exams.queue.admitSession(within: exams.settings.room)
        } catch {
            exams.services.logger.error("room", metadata: ["what": "\(error.sentence)"])
            throw APIProblem(
                .serviceUnavailable, "no-room", "No room at this moment",
                "This server's disk has no room for another exam.", retryAfter: 60)
        }
    }

    @Sendable private func live(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let session = try context.id("session", of: "exam")
        let token = try await exams.renewToken(session, of: user)
        // A session held elsewhere cannot be continued here.
        guard let prepared = try await exams.preparedExam(of: session, token) else { throw APIProblem.missing("exam") }
        return Answer(Made(session, token, prepared), headers: [.cacheControl: "no-store"])
    }

    // MARK: Beside the WebSocket

    /// Answers a request to the WebSocket's address that doesn't open a WebSocket.
    @Sendable private func noUpgrade(_ request: Request, _ context: ServerContext) async throws -> Response {
        throw APIProblem(
            .upgradeRequired, "upgrade", "This is a WebSocket",
            "Ask for it with the subprotocol \(Wire.subprotocol), from a page of this server or of an origin that is allowed.",
            headers: [.upgrade: "websocket"])
    }

    /// Returns the exam that a request's live token opens.
    private func prepared(for request: Request, _ context: ServerContext, of what: String) async throws -> PreparedExam
    {
        let session = try context.id("session", of: what)
        let words = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer", let token = LiveToken(words[1]),
            let prepared = try await exams.preparedExam(of: session, token)
        else { throw APIProblem.noToken }
        return prepared
    }

    /// Answers with a picture of the paper. Browsers show it only as a picture, even if it contains something else.
    @Sendable private func picture(_ request: Request, _ context: ServerContext) async throws -> Response {
        let prepared = try await prepared(for: request, context, of: "picture")
        guard let digest = context.parameters.get("picture"), let picture = prepared.script.picture(digest) else {
            throw APIProblem.missing("picture")
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: picture.mediaType, .cacheControl: "private, max-age=86400",
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    @Sendable private func clip(_ request: Request, _ context: ServerContext) async throws -> Response {
        let prepared = try await prepared(for: request, context, of: "clip")
        guard let id = context.parameters.get("clip")?.removingPercentEncoding else { throw APIProblem.missing("clip") }
        guard let prompt = prepared.recordings.first(where: { $0.key.id == id })?.value else {
            throw APIProblem.missing("clip")
        }
        return try await sounds.response(of: prompt.path, for: request, context)
    }

    /// Answers with the examiner's greeting, with which candidates test whether they hear the examiner.
    @Sendable private func greeting(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        return try await exams.said(
            "Hello. If you can hear me, you are ready to begin.", by: sounds, for: request, context)
    }
}

extension LiveExams {
    /// Returns an exam's contents if the live token is valid, and otherwise nil.
    func preparedExam(of session: UUID, _ token: LiveToken) async throws -> PreparedExam? {
        if let exam = registry[session], exam.isOpened(by: token) { return exam.prepared }
        let store = services.store.service
        guard try await store.session(byLiveToken: token.digest)?.session == session,
            case let files = try await store.files(of: session), let exam = files["exam.json"]
        else { return nil }
        return try await preparedExams.exam(frozen: exam, record: files["session.json"])
    }
}
