import Foundation
import HTTPClient
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// The fake is as strict, and as sly, as what it stands for.
@Suite struct FakeSupabaseTests {
    private func ask(
        _ fake: FakeSupabase, _ method: String, _ path: String, bearer: String?, _ headers: [(String, String)] = [],
        body: String = ""
    ) async throws -> HTTPResponse {
        var all = [("apikey", FakeSupabase.key)] + headers
        if let bearer { all.append(("Authorization", "Bearer \(bearer)")) }
        let request = HTTPRequest(
            method, FakeSupabase.url + path, headers: all, body: body.isEmpty ? .none : .bytes(Array(body.utf8)))
        return try await fake.exchange(request, limits: HTTPLimits()) { _ in }
    }

    private let json = [("Content-Type", "application/json"), ("Content-Profile", "public")]

    @Test func aPublishableKeyIsNoBearer() async throws {
        let answer = try await ask(
            FakeSupabase(), "GET", "/rest/v1/questions?select=id", bearer: FakeSupabase.key,
            [("Accept-Profile", "public")])
        #expect(answer.status == 401 && answer.text.contains("PGRST301"))
        #expect(answer.text.contains("Expected 3 parts in JWT; got 1"))
    }

    @Test func withoutTheKeyNobodyComesIn() async throws {
        let fake = FakeSupabase()
        let answer = try await fake.exchange(
            HTTPRequest("GET", FakeSupabase.url + "/rest/v1/questions"), limits: HTTPLimits()
        ) { _ in }
        #expect(answer.status == 401 && fake.with { $0.complaints.count } == 1)
    }

    @Test func aChangeThatRulesHideLooksLikeOne() async throws {
        let device = try await Device.ready()
        device.fake.with { $0.tables.tables["test_sessions"]!.rules = [.insert, .select] }
        let token = try #require(try device.store.read()).accessToken
        let path = "/rest/v1/test_sessions?id=eq.\(Device.session.id.name)"
        let body = #"{"status":"completed"}"#
        let answer = try await ask(device.fake, "PATCH", path, bearer: token, json, body: body)
        #expect(answer.status == 204 && device.complaints.count == 1)
        let asked = [("Prefer", "return=representation"), ("Accept", "application/vnd.pgrst.object+json")]
        #expect(try await ask(device.fake, "PATCH", path, bearer: token, json + asked, body: body).status == 406)
        #expect(device.rows("test_sessions")[0]["status"] == .text("in_progress"))
    }

    @Test func whatNoContractHasIsRefused() async throws {
        let device = try await Device.ready()
        let token = try #require(try device.store.read()).accessToken
        let minimal = [("Prefer", "return=minimal")]
        let cases: [(String, [(String, String)], String, String)] = [
            ("/rest/v1/responses", json + minimal, #"{"id":"x","colour":"red"}"#, "PGRST204"),
            ("/rest/v1/answers", json + minimal, #"{"id":"x"}"#, "PGRST205"),
            ("/rest/v1/responses", json, #"{"id":"x"}"#, "PGRST122"),
            ("/rest/v1/responses", json + [("Prefer", "resolution=merge-duplicates")], "{}", "PGRST122"),
        ]
        for (path, headers, body, code) in cases {
            let answer = try await ask(device.fake, "POST", path, bearer: token, headers, body: body)
            #expect(answer.text.contains(code), "\(path) \(answer.text)")
        }
        #expect(device.complaints.count == cases.count)
    }

    @Test func storageHidesTheTruthInTheBody() async throws {
        for (inner, status) in [("409", 400), ("503", 400), ("429", 400), ("413", 400), ("500", 500), ("544", 544)] {
            #expect(FakeStorage.error(inner, "X", "words").status == status)
        }
    }
}
