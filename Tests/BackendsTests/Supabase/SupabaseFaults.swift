import Foundation
import HTTPClient
import SupabaseStandIn
import SystemSupport
import TestSupport
import Testing
import UploadQueue

/// Faults of real servers during deliveries, and their effects.
@Suite(.needs(StandInProject.obstacle), .endsIfItHangs) struct SupabaseFaults {
    private let path = "responses/\(Device.session.id.name)_part1_q1.opus"

    private func posts(_ device: Device, _ table: String) -> Int {
        device.lines.count { $0 == "POST /rest/v1/\(table)" }
    }

    // MARK: - Rows

    /// The reference schema has an integer. The project refuses the exact value once, so it is tried only once per run
    /// of the program.
    @Test func secondsAreWholeInAnIntegerColumn() async throws {
        let device = try await Device.ready()
        let uploader = try device.uploader()
        try await device.deliver(device.answer(order: 1), by: uploader)
        #expect(posts(device, "responses") == 2)
        try await device.deliver(device.answer(order: 2, seconds: 0.2), by: uploader)
        try await device.deliver(device.answer(order: 3, seconds: 0), by: uploader)
        try await device.deliver(device.answer(order: 4, seconds: 12.5), by: uploader)
        #expect(posts(device, "responses") == 5)
        let seconds = device.standIn.sql("SELECT duration_seconds FROM responses ORDER BY processing_order")
        // An answer with sound never has zero seconds.
        #expect(seconds.map { $0[0] } == ["12", "1", "0", "13"])
        // A later attempt changes the row by the same rule.
        try await device.deliver(device.answer(order: 1, attempt: 2, bytes: 50_000, seconds: 7.8))
        #expect(device.standIn.sql("SELECT duration_seconds FROM responses WHERE processing_order = 101") == [["8"]])
        #expect(device.complaints.isEmpty)
    }

    @Test func secondsAreExactInANumericColumn() async throws {
        let device = try await Device.ready()
        device.standIn.alter("ALTER TABLE responses ALTER duration_seconds TYPE numeric")
        try await device.deliver(device.answer())
        #expect(posts(device, "responses") == 1)
        #expect(device.standIn.sql("SELECT duration_seconds FROM responses") == [["12.346"]])
    }

    @Test func otherInvalidNumbersAreRefused() async throws {
        let device = try await Device.ready()
        device.standIn.alter("ALTER TABLE responses ALTER upload_status DROP DEFAULT")
        device.standIn.alter("ALTER TABLE responses DROP CONSTRAINT responses_upload_status_check")
        device.standIn.alter("ALTER TABLE responses ALTER upload_status TYPE boolean USING true")
        let failure = try #require(await device.failure(of: device.answer(seconds: 12)))
        #expect(failure.kind == .refused && failure.message.contains("type boolean"))
        #expect(device.objects.isEmpty)
    }

    /// A proxy answers 200 to everything.
    @Test(arguments: ["<html>Hello</html>", "[]", "", "{}", #"{"id":"00000000-0000-4000-8000-000000000000"}"#])
    func aCompletionBelievesOnlyItsOwnRow(_ body: String) async throws {
        let device = try await Device.ready()
        device.standIn.fault { _, request in request.method == "PATCH" ? .answer(.text(200, body)) : nil }
        let failure = try #require(await device.failure(of: device.completion()))
        #expect(failure.kind == .transient)
        #expect(device.rows("processing_queue").isEmpty)
        device.standIn.mend()
        try await device.deliver(device.completion())
        #expect(device.rows("test_sessions")[0]["status"] == .text("completed"))
    }

    @Test func aPageIsNotANewRow() async throws {
        let device = try await Device.ready()
        device.standIn.fault { _, request in
            request.line.hasPrefix("POST /rest/") ? .answer(.text(201, "<html>Hello</html>")) : nil
        }
        #expect(await device.failure(of: try device.answer())?.kind == .transient)
    }

    /// Waiting would not bring the question.
    @Test func aQuestionThatWasDeletedIsRefusedWithTheServersWords() async throws {
        let device = try await Device.ready()
        let uploader = try device.uploader()
        try await device.deliver(device.answer(order: 1), by: uploader)
        device.standIn.sql("DELETE FROM questions WHERE question_order = 2")
        let failure = try #require(await device.failure(of: device.answer(order: 2), by: uploader))
        #expect(failure.kind == .refused && failure.code == "409/23503")
        #expect(failure.message.contains("responses_question_id_fkey"))
        #expect(device.objects.count == 1)
    }

    // MARK: - Hidden rows

    /// PostgreSQL reports the oldest constraint, which need not be the primary key.
    @Test func anAnswersOwnRowCountsForAnyConstraint() async throws {
        let device = try await Device.ready()
        device.standIn.alter(
            "ALTER TABLE responses DROP CONSTRAINT responses_pkey; ALTER TABLE responses ADD PRIMARY KEY (id)")
        device.standIn.allow([.insert], on: "responses")
        let upload = try device.answer(seconds: 12)
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .answerLost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.mend()
        try await device.deliver(upload)
        #expect(device.rows("responses").count == 1 && device.objects.keys.sorted() == [path])
    }

    @Test func anObjectThatAHiddenRowMayNameStays() async throws {
        let device = try await Device.ready()
        device.standIn.allow([.insert], on: "responses")
        let upload = try device.answer(seconds: 12)
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .answerLost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.mend()
        device.standIn.allow([], on: "responses")
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .refused)
        #expect(failure.message.hasSuffix("(its object was kept, because an unreadable row may name it)"))
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
    }

    // MARK: - Tokens and keys

    /// Each service has its own words for a token with an old signature.
    @Test(arguments: [48_000, 7 << 20], [true, false])
    func aRotatedSecretCostsOneRefresh(_ bytes: Int, _ wraps: Bool) async throws {
        let device = try await Device.ready(StandInProject { $0.storage.wrapsErrors = wraps })
        let uploader = try device.uploader()
        device.standIn.with { $0.auth.rotateSecret() }
        try await device.deliver(device.answer(bytes: bytes), by: uploader)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        #expect(device.rows("responses").count == 1 && device.complaints.isEmpty)
    }

    @Test func anExpiredTokenIsToldFromJSONWithEscapedQuotes() async throws {
        let device = try await Device.ready(StandInProject { $0.storage.wrapsErrors = true })
        let uploader = try device.uploader()
        device.standIn.with { $0.now += 3_610 }
        try await device.deliver(device.answer(bytes: 7 << 20), by: uploader)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        let said = HTTPResponse.json(400, ["statusCode": "403", "message": "\"exp\" claim timestamp check failed"])
        #expect(said.text.contains(#"\"exp\" claim"#))
    }

    /// The answer to a HEAD has no text.
    @Test func anExpiredTokenIsNotMistakenForAMissingUpload() async throws {
        let device = try await Device.ready(StandInProject { $0.storage.headNeedsToken = true })
        let upload = try device.answer(bytes: 7 << 20)
        device.standIn.fault { _, request in request["Upload-Offset"] == String(6 << 20) ? .lost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.mend()
        device.standIn.with { $0.now += 3_610 }
        try await device.deliver(upload, by: device.uploader())
        #expect(device.standIn.with { ($0.auth.refreshes, $0.storage.resumables.count) } == (1, 1))
    }

    @Test func aRefusedKeyIsReported() async throws {
        let device = try await Device.ready()
        let refusal = HTTPResponse.json(401, ["message": "Invalid API key", "hint": "Double check it"])
        device.standIn.fault { _, _ in .answer(refusal) }
        for upload in [device.sessionUpload, try device.answer(), try device.answer(bytes: 7 << 20)] {
            let failure = try #require(await device.failure(of: upload))
            #expect(failure.kind == .refused)
            #expect(failure.message == "the project refuses the key: Invalid API key")
        }
        #expect(device.standIn.with { $0.auth.refreshes } == 0)
    }

    // MARK: - Places of large uploads

    private func isPlace(_ request: HTTPRequest) -> Bool {
        request.url.contains("/upload/resumable/") && request.method != "OPTIONS"
    }

    /// The server answers, but sends uploads to an unreachable place. That costs this upload an attempt, and holds up
    /// nothing else.
    @Test func anUnreachablePlaceIsNotALostNetwork() async throws {
        let device = try await Device.ready()
        let upload = try device.answer(bytes: 7 << 20)
        let away = HTTPFailure(.networkUnavailable, code: 7, "no server listens")
        device.standIn.fault { _, request in isPlace(request) ? .fails(away) : nil }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .transient)
        #expect(failure.message == "the address that the server gave for the upload does not answer")
        #expect(!device.lines.contains { $0.hasPrefix("PATCH /storage/") })
        // If nothing answers at all, the network is lost.
        device.standIn.fault { _, _ in .fails(away) }
        #expect(await device.failure(of: upload)?.kind == .unreachable)
    }

    @Test func aKeptPlaceThatCannotBeReachedIsForgotten() async throws {
        let device = try await Device.ready()
        let upload = try device.answer(bytes: 7 << 20)
        device.standIn.fault { _, request in request["Upload-Offset"] == String(6 << 20) ? .lost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        let kept = try #require(device.standIn.with { $0.storage.resumables.keys.first })
        device.standIn.fault { _, request in
            request.url.hasSuffix(kept) ? .fails(HTTPFailure(.networkUnavailable, code: 7, "no server listens")) : nil
        }
        try await device.deliver(upload)
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
        #expect(device.standIn.with { $0.storage.resumables.count } == 2)
    }

    /// storage#339: behind a proxy the service forgets its own path.
    @Test func aPlaceWithoutItsPathIsRepaired() async throws {
        let device = try await Device.ready(
            StandInProject { $0.storage.location = StandInProject.url + "/upload/resumable/" })
        try await device.deliver(device.answer(bytes: 7 << 20))
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
        #expect(device.lines.count { $0.hasPrefix("PATCH /storage/v1/upload/resumable/") } == 2)
        #expect(!device.lines.contains { $0.hasPrefix("PATCH /upload/") })
    }

    @Test func anInvalidPlaceGetsNoBytes() async throws {
        let device = try await Device.ready(
            StandInProject { $0.storage.location = StandInProject.url + "/elsewhere/" })
        device.standIn.fault { _, request in
            isPlace(request) && request.method == "HEAD" ? .answer(.text(404)) : nil
        }
        let failure = try #require(await device.failure(of: device.answer(bytes: 7 << 20)))
        #expect(failure.kind == .refused)
        #expect(
            failure.message.hasPrefix("the address that the server gave for the upload does not exist: /elsewhere/"))
        #expect(!device.lines.contains { $0.hasPrefix("PATCH /elsewhere") })
    }

    // MARK: - Objects

    /// Storage that encrypts with the keys of a key management service has etags of 32 digits that aren't MD5.
    @Test func anEtagThatIsNotADigestCostsOneRepetition() async throws {
        let device = try await Device.ready(StandInProject { $0.storage.hasForeignETags = true })
        let upload = try device.answer()
        #expect(await device.failure(of: upload)?.code == "differs")
        // The row does not arrive, but the object is known from now on.
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .lost : nil }
        for _ in 0..<3 { #expect(await device.failure(of: upload)?.kind == .transient) }
        device.standIn.mend()
        try await device.deliver(upload)
        #expect(device.standIn.with { $0.storage.writes } == 2)
        #expect(device.rows("responses").count == 1)
    }

    @Test func objectsAreKeptByPlayersForAnHour() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer())
        #expect(device.standIn.sql("SELECT metadata ->> 'cacheControl' FROM storage.objects") == [["max-age=3600"]])
    }

    // MARK: - The session's count

    @Test func aSessionCountsItsAnswersAsTheyArrive() async throws {
        let device = try await Device.ready()
        func count() -> String? { device.standIn.sql("SELECT completed_responses FROM test_sessions")[0][0] }
        try await device.deliver(device.answer(order: 1))
        #expect(count() == "1")
        try await device.deliver(device.answer(order: 2))
        #expect(count() == "2")
        // Another attempt at a question isn't another answer.
        try await device.deliver(device.answer(order: 1, attempt: 2, bytes: 50_000))
        #expect(count() == "2")
        // If the count can't be changed, or the session is complete, the answer has still arrived.
        device.standIn.allow([.insert, .select], on: "test_sessions")
        try await device.deliver(device.answer(order: 3))
        #expect(count() == "2" && device.rows("responses").count == 3)
        device.standIn.allow(.all, on: "test_sessions")
        device.standIn.sql("UPDATE test_sessions SET status = 'evaluated'")
        try await device.deliver(device.answer(order: 4))
        #expect(count() == "2" && device.complaints.isEmpty)
    }
}
