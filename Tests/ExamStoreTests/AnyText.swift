import ExamCore
import ExamStore
import Foundation
import StoreTrials
import Testing

/// Any text is stored as a value. It is read back letter by letter, and has no other effect.
@Suite(.bothStores) struct AnyText {
    static let texts = [
        "'; DROP TABLE test_sessions; --", "' OR '1'='1", "\" OR 1=1 --", #"\'; SELECT 1; \x00 \\ \u0041"#,
        "$1 ? :a @b %s %00",
        "{now} {seconds} {uuid} {lock}", "NULL", "", " \t\r\n ",
        "é e\u{301} ß Ω 漢字 👩‍👩‍👧 \u{202E}rtl\u{202C} \u{FEFF}\u{7F}",
        "$$; COMMIT; $$", "/* */ -- #", "../../etc/passwd", String(repeating: "a'\"\\", count: 5_000),
    ]

    @Test func everyTextComesBackAsItWas() async throws {
        try await withStore { store in
            for text in Self.texts { try await Self.write(text, store) }
            // All of them are still there.
            #expect(try await store.service.sessionCounts().values.reduce(0, +) == Self.texts.count)
        }
    }

    private static func write(_ text: String, _ store: ExamDatabase) async throws {
        let (mine, service) = (store.owned(by: UUID()), store.service)
        let template = TestTemplate(id: UUID(), title: text, description: text, format: text, paper: text)
        let question = TestQuestion(
            id: UUID(), part: 1, order: 1, text: text, question: text, audioURL: text, transcript: text,
            topicKeywords: [text])
        try await service.put(template, questions: [question])
        let found = try #require(try await mine.template(template.id))
        #expect([found.title, found.description, found.format, found.paper] == [text, text, text, text])
        #expect(try await mine.questions(of: template.id) == [question])

        var session = Sample.session()
        (session.name, session.format, session.paper) = (text, text, text)
        #expect(try await mine.put(session) == .created)
        #expect(try await mine.put(session) == .same)

        var recording = Sample.recording(session.id, sha256: text)
        (recording.key, recording.mediaType) = (text, text)
        _ = try await mine.put(recording)
        var stored = try #require(try await mine.recording(recording.id))
        stored.storedAt = nil
        #expect(stored == recording)
        var response = Sample.response(recording, question: text)
        (response.record.end, response.path) = (text, text)
        _ = try await mine.put(response)
        #expect(try await mine.put(response) == .same)

        let completion = Completion(id: UUID(), completedAt: "2026-11-21T09:26:02Z", outcome: text, answers: 1)
        _ = try await mine.complete(session.id, completion)
        #expect(try await mine.session(session.id)?.outcome == text)
        let job = try #require(try await service.claim(worker: text, seconds: 60))
        let jsonText = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
        let result = ResponseResult(
            response: recording.id, transcript: text, azureResponse: jsonText, wavPath: text, error: text)
        try await service.show(result, isDone: true)
        let answer = try #require(try await mine.response(recording.id))
        #expect([answer.transcript, answer.wavPath, answer.error] == [text, text, text])
        #expect(try JSONDecoder().decode([String].self, from: Data(answer.azureResponse!.utf8)) == [text])

        let call = ServiceStore.Call(response: recording.id, assessor: text, version: text, name: text)
        #expect(try await service.begin(call, for: job, seconds: 1, cost: 0) { _ in true } == .ask)
        try await service.keep(text, to: call)
        #expect(try await service.answer(to: call) == text)
        #expect(try await service.answers(by: text, version: text, about: recording.id) == [text: text])
        try await mine.agree(to: text, words: text)
        #expect(try await mine.consents().map { [$0.recipient, $0.words] } == [[text, text]])
        #expect(try await service.complete(job, StoredResult(overallBand: 6), by: text))
        #expect(try await service.queueEvaluation(of: session.id, by: text))
        let other = try #require(try await service.claim(worker: text, assessor: text, seconds: 60))
        #expect(other.key.hasSuffix(text))
        #expect(try await service.fail(other, text, retryIn: 3_600) == .retry(after: 3_600))

        try await service.append([text, text], to: session.id, from: 1)
        #expect(try await service.lines(of: session.id) == [text, text])
        try await service.put(text, Array(text.utf8), session: session.id)
        #expect(try await service.files(of: session.id) == [text: Array(text.utf8)])
        _ = try await service.setLiveToken("hash" + text, session: session.id)
        #expect(try await service.session(byLiveToken: "hash" + text)?.session == session.id)
        #expect(try await service.takeLease(session.id, node: text, url: text, seconds: 60) == .taken)
        #expect(try await service.takeLease(session.id, node: "b", url: "b", seconds: 60) == .heldBy(url: text))

        let submission = UUID()
        _ = try await mine.openSubmission(submission)
        _ = try await mine.submit(submission, .init(answers: [SubmissionAnswer(question: text, answer: text)]))
        #expect(try await mine.submission(submission)?.answers == [SubmissionAnswer(question: text, answer: text)])

        var upload = Uploads.upload()
        (upload.metadata, upload.key) = (text, text)
        _ = try await mine.create(upload)
        #expect(try await mine.resumableUpload(upload.id) == upload)
    }

    @Test func invalidValuesAreRefusedByBothDatabases() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            var named = Sample.session()
            named.name = "a\u{0}b"
            await expect(.invalid) { [named] in _ = try await mine.put(named) }
            for date in ["now", "infinity", "2026-11-21", "2026-11-21 09:12:29", "2026-13-21T09:12:29Z", "'"] {
                await expect(.invalid) { _ = try await mine.put(Sample.session(startedAt: date)) }
            }
            let (session, _) = try await store.hold(mine.user)
            let recording = Sample.recording(session)
            _ = try await mine.put(recording)
            var response = Sample.response(recording, question: "q9")
            response.record.part = 0
            await expect(.invalid) { _ = try await mine.put(response) }
            #expect(try await mine.session(named.id) == nil)
            #expect(try await mine.session(session)?.completedResponses == 1)
        }
    }

    @Test func errorsContainNoValues() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let secret = "what-a-candidate-said"
            let (session, _) = try await store.hold(mine.user, answers: 0)
            _ = try await store.service.setLiveToken(secret, session: session)
            let (other, _) = try await store.hold(mine.user, answers: 0)
            var words = await expect(.conflict) { _ = try await store.service.setLiveToken(secret, session: other) }
            #expect(!words.contains(secret))
            words = await expect(.invalid) { _ = try await mine.put(Sample.session(startedAt: secret)) }
            #expect(!words.contains(secret))
        }
    }
}
