import Foundation
import HTTPClient
import LoopbackServers
import SupabaseStandIn
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The stand-in answers like the measured services, and is as strict and as surprising as they are.
@Suite(.needs(StandInProject.obstacle)) struct StandInTests {
    private let json = [("Content-Type", "application/json"), ("Content-Profile", "public")]
    private let row = [("Prefer", "return=representation")]
    private let one = [("Accept", "application/vnd.pgrst.object+json")]

    private func ask(
        _ project: StandInProject, _ method: String, _ path: String, bearer: String? = nil,
        _ headers: [(String, String)] = [], body: String = ""
    ) async throws -> HTTPResponse {
        var all = [("apikey", StandInProject.key)] + headers
        if let bearer { all.append(("Authorization", "Bearer \(bearer)")) }
        let request = HTTPRequest(
            method, StandInProject.url + path, headers: all, body: body.isEmpty ? .none : .bytes(Array(body.utf8)))
        return try await project.exchange(request, limits: HTTPLimits()) { _ in }
    }

    /// Returns a device with a session and an answer, and its user's token.
    private func ready() async throws -> (Device, String) {
        let device = try await Device.ready()
        try await device.deliver(device.answer())
        device.standIn.with { $0.complaints = [] }
        return (device, try #require(try device.store.read()).accessToken)
    }

    private let session = "test_sessions?id=eq.\(Device.session.id.name)"

    @Test func aPublishableKeyIsNotABearer() async throws {
        let answer = try await ask(
            StandInProject(), "GET", "/rest/v1/questions?select=id", bearer: StandInProject.key,
            [("Accept-Profile", "public")])
        #expect(answer.status == 401 && answer.text.contains("PGRST301"))
        #expect(answer.text.contains("Expected 3 parts in JWT; got 1"))
        #expect(answer.headers["proxy-status"] == "PostgREST; error=PGRST301")
    }

    @Test func accessNeedsTheKey() async throws {
        let project = try StandInProject()
        let answer = try await project.exchange(
            HTTPRequest("GET", StandInProject.url + "/rest/v1/questions"), limits: HTTPLimits()
        ) { _ in }
        #expect(answer.status == 401 && project.with { $0.complaints.count } == 1)
    }

    /// The answers of PostgREST 13.0.8 to these exact requests, over PostgreSQL 15.
    @Test func rowsAreAnsweredAsMeasured() async throws {
        let (device, token) = try await ready()
        let id = "0a0a0a0a-0000-4000-8000-000000000001"
        let fields = "\"test_session_id\":\"\(Device.session.id.name)\""
        let question = StandInProject.question(1, 2)
        func answer(_ method: String, _ path: String, _ headers: [(String, String)], _ body: String) async throws
            -> HTTPResponse
        {
            try await ask(device.standIn, method, "/rest/v1/\(path)", bearer: token, headers, body: body)
        }
        func expect(_ answer: HTTPResponse, _ status: Int, _ words: String) {
            #expect(
                answer.status == status && (words.isEmpty || answer.text.contains(words)),
                "\(answer.status) \(answer.text)")
        }
        let new = "{\"id\":\"\(id)\",\"question_id\":\"\(question)\",\(fields)}"
        expect(try await answer("POST", "responses", json, new), 201, "")
        expect(try await answer("POST", "responses", json, new), 409, "\"23505\"")
        let other = "{\"id\":\"\(UUID().name)\",\"question_id\":\"\(UUID().name)\",\(fields)}"
        expect(try await answer("POST", "responses", json, other), 409, "\"23503\"")
        expect(
            try await answer("POST", "responses", json + row, "{\(fields),\"upload_status\":\"gone\"}"), 400,
            "\"23514\"")
        expect(try await answer("POST", "responses", json, "{\(fields),\"colour\":\"red\"}"), 400, "PGRST204")
        expect(try await answer("POST", "answers", json, "{\"id\":\"x\"}"), 404, "PGRST205")
        expect(try await answer("POST", "responses", json, "{\(fields),\"id\":\"x\"}"), 400, "\"22P02\"")
        let exact = "{\(fields),\"duration_seconds\":12.346}"
        expect(
            try await answer("POST", "responses", json, exact), 400,
            "invalid input syntax for type integer: \\\"12.346\\\"")
        expect(
            try await answer("GET", "responses?select=id&nothing=eq.1", [("Accept-Profile", "public")], ""), 400,
            "\"42703\"")
        expect(try await answer("PATCH", session, json, "{\"completed_responses\":1}"), 204, "")
        expect(
            try await answer("PATCH", session + "&select=id", json + row, "{\"completed_responses\":1}"), 200,
            "[{\"id\":")
        expect(
            try await answer("PATCH", session + "&status=eq.failed", json + row + one, "{\"completed_responses\":1}"),
            406,
            "The result contains 0 rows")
        let strict = [("Prefer", "handling=strict,max-affected=1")]
        expect(
            try await answer(
                "PATCH", "responses?processing_status=eq.pending", json + strict, "{\"wav_file_path\":\"x\"}"),
            400, "PGRST124")
        let counted = try await answer(
            "GET", "responses?select=id&order=processing_order.asc.nullslast&limit=1",
            [("Prefer", "count=exact"), ("Accept-Profile", "public")], "")
        #expect(counted.status == 206 && counted.headers["content-range"] == "0-0/2")
        expect(
            try await answer(
                "POST", "responses?on_conflict=test_session_id,question_id",
                json
                    + [("Prefer", "return=representation,resolution=merge-duplicates")], new), 200, id)
        expect(
            try await answer(
                "POST", "responses?on_conflict=test_session_id,question_id",
                json
                    + [("Prefer", "return=representation,resolution=ignore-duplicates")], new), 201, "[]")
    }

    /// postgrest#1943: quotes are part of the value, except inside parentheses.
    @Test func quotesInFiltersAreTakenAsPostgRESTTakesThem() async throws {
        let (device, token) = try await ready()
        let path = "responses/\(Device.session.id.name)_part1_q1.opus"
        let read = [("Accept-Profile", "public")]
        for (filter, count) in [
            ("eq.\(path)", 1), ("eq.%22\(path)%22", 0), ("in.(%22\(path)%22)", 1), ("in.(%22a,b%22,\(path))", 1),
            ("neq.x", 1), ("not.eq.\(path)", 0), ("is.null", 0), ("not.is.null", 1),
        ] {
            let answer = try await ask(
                device.standIn, "GET", "/rest/v1/responses?select=id&audio_file_path=\(filter)", bearer: token, read)
            let rows = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [Any])
            #expect(rows.count == count, "\(filter)")
        }
    }

    @Test func rulesAreThoseOfPostgreSQL() async throws {
        let (device, token) = try await ready()
        let new = "{\"id\":\"\(UUID().name)\",\"test_session_id\":\"\(UUID().name)\"}"
        #expect(
            try await ask(device.standIn, "POST", "/rest/v1/responses", bearer: token, json, body: new).status == 403)
        let signedOut = try await ask(device.standIn, "POST", "/rest/v1/responses", json, body: new)
        #expect(signedOut.status == 401 && signedOut.text.contains("42501"))
        // A change that rules hide looks like a successful one.
        device.standIn.allow([.insert, .select], on: "test_sessions")
        let body = #"{"status":"completed"}"#
        #expect(
            try await ask(device.standIn, "PATCH", "/rest/v1/\(session)", bearer: token, json, body: body).status == 204
        )
        #expect(
            try await ask(device.standIn, "PATCH", "/rest/v1/\(session)", bearer: token, json + row + one, body: body)
                .status == 406)
        #expect(device.rows("test_sessions")[0]["status"] == .text("in_progress"))
        // Returning the row requires a rule for SELECT, and so does looking for duplicates.
        device.standIn.allow([.insert], on: "responses")
        for prefer in ["return=representation", "resolution=ignore-duplicates"] {
            let own =
                "{\"id\":\"\(UUID().name)\",\"test_session_id\":\"\(Device.session.id.name)\",\"question_id\":\"\(StandInProject.question(2, 2))\"}"
            let answer = try await ask(
                device.standIn, "POST", "/rest/v1/responses", bearer: token, json + [("Prefer", prefer)], body: own)
            #expect(answer.status == 403, "\(prefer): \(answer.text)")
        }
    }

    @Test func storageHidesTheTruthInTheBody() async throws {
        for (inner, status) in [("409", 400), ("503", 400), ("429", 400), ("413", 400), ("500", 500), ("544", 544)] {
            #expect(StandInStorage.error(inner, "X", "words").status == status)
        }
        let (device, token) = try await ready()
        let path = "/storage/v1/object/audio-responses/responses/\(Device.session.id.name)_part1_q1.opus"
        let sound = [("Content-Type", "audio/ogg"), ("x-upsert", "false"), ("cache-control", "max-age=3600")]
        let again = try await ask(device.standIn, "POST", path, bearer: token, sound, body: "x")
        #expect(again.status == 400 && again.text.contains("\"statusCode\":\"409\""))
        let stranger = path.replacing(Device.session.id.name, with: UUID().name)
        let refused = try await ask(device.standIn, "POST", stranger, bearer: token, sound, body: "x")
        #expect(refused.text.contains("new row violates row-level security policy"))
        let piece = try await ask(device.standIn, "GET", path, bearer: token, [("Range", "bytes=0-9")])
        #expect(piece.status == 206 && piece.body.count == 10)
        #expect(try await ask(device.standIn, "GET", path).text.contains("NoSuchKey"))
    }

    /// One shape with the header `X-Supabase-Api-Version`, and another without it.
    @Test func theSignInServiceHasTwoShapesOfErrors() async throws {
        let project = try StandInProject()
        let body = #"{"email":"candidate@example.org","password":"wrong"}"#
        let type = [("Content-Type", "application/json")]
        let path = "/auth/v1/token?grant_type=password"
        let old = try await ask(project, "POST", path, type, body: body)
        #expect(old.status == 400 && old.text.contains(#""error_code":"invalid_credentials""#))
        let new = try await ask(project, "POST", path, type + [("X-Supabase-Api-Version", "2024-01-01")], body: body)
        #expect(new.text == #"{"code":"invalid_credentials","message":"Invalid login credentials"}"#)
    }

    @Test func signingUpConfirmsByEMailIfTheProjectWantsIt() async throws {
        let project = try StandInProject { $0.auth.confirmsEmail = true }
        let type = [("Content-Type", "application/json")]
        let body = #"{"email":"New@example.org","password":"long enough"}"#
        #expect(
            try await ask(project, "POST", "/auth/v1/signup", type, body: body).text.contains("access_token") == false)
        let early = try await ask(project, "POST", "/auth/v1/token?grant_type=password", type, body: body.lowercased())
        #expect(early.text.contains("email_not_confirmed"))
        let mail = try #require(project.with { $0.auth.mails.last })
        let code = #"{"type":"email","email":"new@example.org","token":"\#(mail.token)"}"#
        let wrong = code.replacing(mail.token, with: "000000")
        #expect(try await ask(project, "POST", "/auth/v1/verify", type, body: wrong).text.contains("otp_expired"))
        let signedIn = try await ask(project, "POST", "/auth/v1/verify", type, body: code)
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(signedIn.body)) as? [String: Any])
        let token = try #require(fields["access_token"] as? String)
        #expect(try await ask(project, "GET", "/auth/v1/user", bearer: token).text.contains("new@example.org"))
        #expect(try await ask(project, "POST", "/auth/v1/logout?scope=local", bearer: token).status == 204)
        #expect(try await ask(project, "GET", "/auth/v1/user", bearer: token).text.contains("session_not_found"))
    }

    @Test func overHTTPItIsTheSameProject() async throws {
        let project = try StandInProject()
        let server = try project.serve()
        defer { server.stop() }
        let health = HTTPRequest("GET", server.url + "/auth/v1/health", headers: [("apikey", StandInProject.key)])
        #expect(try await CurlClient().exchange(health).text.contains("GoTrue"))
        let there = try SupabaseProject(url: server.url, key: StandInProject.key)
        let folder = try TemporaryFolder()
        let auth = SupabaseAuth(there, over: CurlClient(), store: CredentialFile(path: folder.path + "/credentials"))
        try await auth.signIn(email: StandInAuth.email, password: StandInAuth.password)
        let uploader = SupabaseUploader(there, auth: auth, over: CurlClient())
        let device = try Device(project)
        // In one request, and in pieces.
        let answers = [try device.answer(order: 1), try device.answer(order: 2, bytes: 7 << 20)]
        for upload in [device.sessionUpload] + answers { try await uploader.deliver(upload, with: Courier()) }
        #expect(project.rows("test_sessions").count == 1 && project.rows("responses").count == 2)
        #expect(project.objects().values.map(\.bytes.count).sorted() == [48_000, 7 << 20])
        #expect(project.with { $0.complaints }.isEmpty)
    }
}
