import Foundation
import HTTPClient
import Synchronization
import Testing
import UploadQueue

@testable import Backends

/// Errors as each service sends them, and what each one means for an upload.
@Suite struct ErrorTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var service: ServerError.Service
        var status: Int
        var body: String
        var headers: [String: String] = [:]
        var verdict: ErrorTable.Verdict
        var label: String

        var testDescription: String { "\(service.rawValue) \(status) \(label)" }
        var response: HTTPResponse { HTTPResponse(status: status, headers: headers, body: Array(body.utf8)) }
    }

    private static func rest(_ status: Int, _ code: String, _ verdict: ErrorTable.Verdict) -> Case {
        let body = "{\"code\":\"\(code)\",\"details\":null,\"hint\":null,\"message\":\"words\"}"
        return Case(service: .postgrest, status: status, body: body, verdict: verdict, label: "\(status)/\(code)")
    }

    private static func missing(_ constraint: String, from table: String, _ verdict: ErrorTable.Verdict) -> Case {
        let fields = [
            "code": "23503", "details": "Key is not present in table \"\(table)\".",
            "message": "insert or update on table \"test_sessions\" violates foreign key constraint \"\(constraint)\"",
        ]
        let data = (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
        return Case(
            service: .postgrest, status: 409, body: String(decoding: data, as: UTF8.self), verdict: verdict,
            label: "409/23503")
    }

    /// Returns an error from Supabase Storage. The service sends 500 and 544 as they are. For all other errors it sends
    /// HTTP 400, with the real status in the body.
    private static func stored(
        _ inner: Int, _ code: String, _ verdict: ErrorTable.Verdict, words: String = "words"
    ) -> Case {
        let fields = ["statusCode": String(inner), "error": "Error", "message": words, "code": code]
        let data = try? JSONSerialization.data(withJSONObject: fields)
        let status = [500, 544].contains(inner) ? inner : 400
        let label = code.isEmpty ? "\(inner)/Error" : "\(inner)/\(code)"
        return Case(
            service: .storage, status: status, body: String(decoding: data ?? Data(), as: UTF8.self), verdict: verdict,
            label: label)
    }

    private static func tus(_ status: Int, _ words: String, _ verdict: ErrorTable.Verdict) -> Case {
        Case(service: .tus, status: status, body: words, verdict: verdict, label: String(status))
    }

    /// Returns an error in two forms: as the service sends it with `X-Supabase-Api-Version`, and without that header.
    private static func auth(_ status: Int, _ code: String, _ verdict: ErrorTable.Verdict) -> [Case] {
        let new = "{\"code\":\"\(code)\",\"message\":\"words\"}"
        let old = "{\"code\":\(status),\"error_code\":\"\(code)\",\"msg\":\"words\"}"
        return [new, old].map {
            Case(service: .auth, status: status, body: $0, verdict: verdict, label: "\(status)/\(code)")
        }
    }

    private static func s3(_ status: Int, _ code: String, _ verdict: ErrorTable.Verdict, words: String = "words")
        -> Case
    {
        let body = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>\(words)</Message></Error>"
        return Case(service: .s3, status: status, body: body, verdict: verdict, label: "\(status)/\(code)")
    }

    private static func plain(
        _ service: ServerError.Service, _ status: Int, _ verdict: ErrorTable.Verdict, _ headers: [String: String] = [:]
    ) -> Case {
        Case(service: service, status: status, body: "", headers: headers, verdict: verdict, label: String(status))
    }

    static let cases: [Case] = {
        var cases: [Case] = [
            rest(409, "23505", .alreadyThere), rest(409, "23503", .refused),
            missing("responses_test_session_id_fkey", from: "somewhere", .failed(.parentMissing)),
            missing("of_a_session", from: "test_sessions", .failed(.parentMissing)),
            missing("test_sessions_test_template_id_fkey", from: "test_templates", .refused),
            missing("responses_question_id_fkey", from: "questions", .refused),
            Case(
                service: .postgrest, status: 401, body: #"{"message":"Invalid API key"}"#, verdict: .refused,
                label: "401"),
            rest(400, "23514", .refused), rest(400, "23502", .refused), rest(400, "22P02", .refused),
            rest(400, "PGRST204", .onceMore), rest(404, "PGRST205", .onceMore), rest(404, "42P01", .refused),
            rest(403, "42501", .refused), rest(401, "42501", .signIn), rest(401, "PGRST301", .refreshToken),
            rest(401, "PGRST303", .refreshToken), rest(401, "PGRST302", .signIn), rest(500, "57014", .retry),
            rest(500, "40001", .retry), rest(409, "40001", .retry), rest(500, "40P01", .retry),
            rest(400, "40P01", .retry), rest(503, "53300", .retry), rest(500, "53100", .retry),
            rest(500, "53200", .retry), rest(503, "57P03", .retry), rest(500, "57P01", .retry),
            rest(503, "PGRST000", .retry), rest(503, "PGRST001", .retry), rest(503, "PGRST002", .retry),
            rest(504, "PGRST003", .retry), rest(406, "PGRST116", .refused), rest(400, "PGRST124", .refused),
            rest(400, "PGRST100", .refused), rest(500, "XX000", .retry),

            stored(409, "KeyAlreadyExists", .alreadyThere), stored(409, "ResourceAlreadyExists", .alreadyThere),
            stored(409, "Duplicate", .alreadyThere), stored(404, "NoSuchBucket", .refused),
            stored(404, "NoSuchKey", .refused),
            stored(403, "AccessDenied", .refused, words: "new row violates row-level security policy"),
            stored(403, "AccessDenied", .refreshToken, words: "\"exp\" claim timestamp check failed"),
            stored(403, "AccessDenied", .refreshToken, words: "jwt expired"),
            stored(403, "AccessDenied", .refreshToken, words: "Invalid Compact JWS"),
            stored(400, "InvalidJWT", .refreshToken, words: "signature verification failed: invalid signature"),
            stored(401, "InvalidJWT", .refreshToken), stored(413, "EntityTooLarge", .refused),
            stored(415, "InvalidMimeType", .refused), stored(400, "InvalidKey", .refused),
            stored(400, "InvalidRequest", .refused), stored(423, "ResourceLocked", .retry),
            stored(503, "LockTimeout", .retry), stored(503, "DatabaseReadOnly", .retry),
            stored(429, "SlowDown", .retry), stored(500, "InternalError", .retry),
            stored(544, "DatabaseTimeout", .late), stored(503, "", .retry), stored(504, "", .late),

            tus(409, "The resource already exists", .alreadyThere), tus(404, "Not found", .refused),
            tus(410, "The file for this url no longer exists", .refused),
            tus(403, "new row violates row-level security policy", .refused),
            tus(403, "\"exp\" claim timestamp check failed", .refreshToken), tus(400, "jwt expired", .refreshToken),
            tus(401, "", .refreshToken), tus(413, "Maximum size exceeded", .refused),
            tus(415, "mime type not supported", .refused), tus(412, "Tus-Resumable Required", .refused),
            tus(423, "the object is locked", .retry), tus(460, "Checksum Mismatch", .retry),
            tus(500, "Something went wrong", .retry), tus(503, "", .retry),

            s3(412, "PreconditionFailed", .alreadyThere), s3(503, "SlowDown", .retry), s3(500, "InternalError", .retry),
            s3(409, "OperationAborted", .retry), s3(409, "ConditionalRequestConflict", .retry),
            s3(409, "BucketAlreadyExists", .refused), s3(403, "SignatureDoesNotMatch", .refused),
            s3(403, "AccessDenied", .refused), s3(403, "AccessDenied", .refreshToken, words: "Request has expired"),
            s3(403, "ExpiredToken", .refreshToken), s3(403, "RequestTimeTooSkewed", .refreshToken),
            s3(400, "RequestTimeout", .late), s3(400, "BadDigest", .retry), s3(400, "IncompleteBody", .retry),
            s3(404, "NoSuchBucket", .refused), s3(400, "EntityTooLarge", .refused),

            plain(.plain, 200, .retry), plain(.plain, 302, .retry), plain(.plain, 308, .retry),
            plain(.plain, 503, .refused, ["x-should-retry": "false"]),
            plain(.plain, 409, .retry, ["x-should-retry": "true"]), plain(.plain, 400, .refused),
            plain(.plain, 404, .refused), plain(.plain, 409, .refused), plain(.plain, 413, .refused),
            plain(.plain, 422, .refused), plain(.plain, 401, .refreshToken), plain(.plain, 1_000_000, .refused),
            plain(.plain, 0, .refused), plain(.plain, -1, .refused),
        ]
        for code in [
            "invalid_credentials", "refresh_token_not_found", "refresh_token_already_used", "session_expired",
            "session_not_found", "user_banned",
        ] {
            cases += auth(400, code, .signIn)
        }
        cases += auth(403, "user_banned", .signIn) + auth(401, "no_authorization", .signIn)
        cases += auth(429, "over_request_rate_limit", .retry) + auth(400, "over_request_rate_limit", .retry)
        cases += auth(500, "unexpected_failure", .retry) + auth(504, "request_timeout", .late)
        cases += auth(408, "request_timeout", .late)
        // Old servers use OAuth's names.
        cases.append(
            Case(
                service: .auth, status: 400,
                body: #"{"error":"invalid_grant","error_description":"Invalid Refresh Token: Already Used"}"#,
                verdict: .signIn, label: "400/invalid_grant"))
        // Answers of any gateway in front of any of the services.
        for service in ServerError.Service.allCases {
            cases += [425, 429, 500, 502, 503, 520, 521, 523, 530].map { status in
                // The sign-in service treats 425 as a timeout.
                plain(service, status, service == .auth && status == 425 ? .late : .retry)
            }
            cases += [408, 504, 522, 524, 544].map { plain(service, $0, .late) }
            cases.append(plain(service, 511, .failed(.unreachable)))
        }
        return cases
    }()

    @Test(arguments: cases)
    func eachErrorMeansWhatTheContractsSay(_ example: Case) {
        let error = ServerError(example.service, example.response)
        #expect(ErrorTable.verdict(error) == example.verdict)
        #expect(error.label == example.label)
    }

    /// If a row decided no case, these tests would not notice that it is wrong.
    @Test func everyRowDecidesACase() {
        let errors = Self.cases.map { ServerError($0.service, $0.response) }
        for (index, row) in ErrorTable.rows.enumerated() {
            let decided = errors.filter { error in ErrorTable.rows.firstIndex { $0.fits(error) } == index }
            #expect(!decided.isEmpty, "row \(index): \(row.source)")
        }
        print("row 8: error table, \(Self.cases.count) cases, \(ErrorTable.rows.count) rows")
    }

    @Test func aNetworkFailureKeepsItsMeaning() {
        let kinds: [HTTPFailure.Kind: DeliveryFailure.Kind] = [
            .networkUnavailable: .unreachable, .connectionLost: .transient, .timeout: .timedOut,
            .untrusted: .unreachable, .malformed: .transient, .invalidURL: .refused, .unreadable: .fileMissing,
            .cancelled: .cancelled, .unknown: .transient,
        ]
        #expect(kinds.count == HTTPFailure.Kind.allCases.count)
        for (kind, meaning) in kinds { #expect(DeliveryFailure(HTTPFailure(kind, "words")).kind == meaning) }
        #expect(DeliveryFailure(HTTPFailure(.connectionLost, code: 56, "words")).code == "curl 56")
        #expect(DeliveryFailure(HTTPFailure(.timeout, "words")).code == "timeout")
    }

    @Test func permanentFailuresNeedAPerson() {
        let error = ServerError(.postgrest, HTTPResponse(status: 401))
        #expect(error.failure(because: .refreshToken).kind == .signInNeeded)
        #expect(error.failure(because: .onceMore).kind == .refused)
        #expect(error.failure(because: .alreadyThere).kind == .refused)
    }

    @Test func aPageIsNotWords() {
        let page = HTTPResponse(status: 502, body: Array("<html><body>Bad gateway for key 12</body></html>".utf8))
        for service in ServerError.Service.allCases where service != .s3 {
            #expect(ServerError(service, page).message == "an HTML page")
        }
    }
}

@Suite struct RetryAfterTests {
    private static let now = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let cases: [(String, Duration?)] = [
        ("120", .seconds(120)), (" 7 ", .seconds(7)), ("0", .zero), ("3600", .seconds(3_600)),
        ("3601", .seconds(3_600)), ("1000000000", .seconds(3_600)),
        ("99999999999999999999999999", .seconds(3_600)), ("-1", .zero), ("-99999999999999999999", .zero),
        // The three forms of a date, each 90 s from now.
        ("Sun, 06 Nov 1994 08:51:07 GMT", .seconds(90)), ("Sunday, 06-Nov-94 08:51:07 GMT", .seconds(90)),
        ("Sun Nov  6 08:51:07 1994", .seconds(90)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .zero), ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
        ("Fri, 31 Dec 2199 23:59:59 GMT", .seconds(3_600)), ("Mon, 07 Nov 1994 08:49:37 GMT", .seconds(3_600)),
        // Invalid values.
        ("", nil), ("soon", nil), ("1e9", nil), ("1.5", nil), ("12 seconds", nil), ("٣", nil), ("-", nil), ("+5", nil),
        ("Sun, 06 Nov 1994 08:51:07", nil), ("Sun, 06 Foo 1994 08:51:07 GMT", nil),
        ("Sun, 06 Nov 1994 25:51:07 GMT", nil),
        ("Sun, 06 Nov 1994 08:51 GMT", nil), ("Sun, 99 Nov 1994 08:51:07 GMT", nil),
        ("Sun, 06 Nov 19941 08:51:07 GMT", nil), ("Sun Nov 6 1994", nil),
    ]

    @Test(arguments: cases.indices)
    func bothFormsOfRetryAfterAreReadAndNoOther(_ index: Int) {
        let (text, expected) = Self.cases[index]
        #expect(RetryAfter.read(["retry-after": text, "date": Self.now]) == expected, "\(text)")
    }

    /// This machine's clock may be ten years off.
    @Test func aDateCountsFromTheServersClock() {
        let text = "Sun, 06 Nov 1994 08:51:07 GMT"
        #expect(RetryAfter.read(["retry-after": text]) == nil)
        #expect(RetryAfter.read(["retry-after": text, "date": "yesterday"]) == nil)
        #expect(RetryAfter.read(["retry-after": text, "date": "Sun, 06 Nov 1994 08:51:02 GMT"]) == .seconds(5))
        #expect(RetryAfter.read(["date": Self.now]) == nil)
        print("row 8: Retry-After, \(Self.cases.count + 4) cases")
    }

    @Test func twoDigitsOfAYearAreNearThisOne() throws {
        let now = try #require(HTTPDate("Sat, 21 Nov 2026 09:00:00 GMT"))
        #expect(HTTPDate("Saturday, 21-Nov-26 09:00:10 GMT", near: now)?.secondsSince1970 == now.secondsSince1970 + 10)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", near: now)?.secondsSince1970 == 784_111_777)
        #expect(HTTPDate("Tue, 29 Feb 2028 00:00:00 GMT")?.secondsSince1970 == 1_835_395_200)
        #expect(HTTPDate("Thu, 01 Jan 1970 00:00:00 GMT")?.secondsSince1970 == 0)
    }

    @Test func theDelayComesWithTheFailure() {
        let response = HTTPResponse(
            status: 400, headers: ["retry-after": "11"],
            body: Array(#"{"statusCode":"503","error":"x","message":"read only","code":"DatabaseReadOnly"}"#.utf8))
        let error = ServerError(.storage, response)
        let expected = DeliveryFailure(
            .transient, code: "503/DatabaseReadOnly", message: "read only", retryAfter: .seconds(11))
        #expect(error.failure(because: ErrorTable.verdict(error)) == expected)
    }
}

@Suite struct SafeWordsTests {
    @Test func secretsAreNotRepeated() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123"
        let said = [
            "JWT \(token) is bad", "key sb_publishable_Abc123 and sb_secret_Xyz789",
            "Authorization: Bearer abc.def/ghi=",
            "user candidate@example.org is banned", "GET https://a.b/c?token=t0ps3cret&x=1 failed",
            "eyJhbGciOiJIUzI1NiJ9 alone",
        ].joined(separator: "; ")
        let words = RedactedText.of(said)
        for secret in ["eyJ", "Abc123", "Xyz789", "abc.def", "candidate@", "t0ps3cret", "DEF_123"] {
            #expect(!words.contains(secret), "\(words)")
        }
        #expect(words.contains("is banned") && words.contains("https://a.b/c"))
    }

    @Test func otherWordsStayUnchanged() {
        for words in [
            "duplicate key value violates unique constraint \"responses_pkey\"", "The resource already exists",
            "Key (id)=(11111111-2222-4333-8444-555555555555) already exists.", "Expected 3 parts in JWT; got 1",
        ] {
            #expect(RedactedText.of(words) == words)
        }
    }
}
