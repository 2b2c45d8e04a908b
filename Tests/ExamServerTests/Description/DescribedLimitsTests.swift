import BackendAPI
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// The server accepts the values that its description allows, and no others. These tests make values just inside and
/// just outside of the described limits, for every address with a body.
@Suite(.bothStores(quick: .postgres)) struct DescribedLimitsTests {
    private let user = UUID()

    /// The statuses for invalid requests. A request that names another user or a missing object gets 403 or 404, one
    /// that names other bytes 409 or 460.
    private static let refusals: Set<Int> = [400, 412, 413, 415, 422]
    private static let strangers: Set<Int> = [403, 404, 409, 460]

    private func withServer(_ body: (RunningServer, GoodRequests) async throws -> Void) async throws {
        let server = try await RunningServer(
            classes: .unguarded, rights: .init(roles: ["marker", "teacher"], groups: ["7b"])
        ) {
            $0.limits.takenExams = 1_000_000
            $0.limits.requestsPerMinute = 100_000_000
            $0.limits.examsPerDay = 1_000_000
            $0.limits.papers = 1_000_000
            $0.limits.practiceTests = 1_000_000
            $0.limits.storedBytes = 1 << 40
        }
        try await body(server, GoodRequests(server: server, user: user))
        await server.stop()
    }

    private static func bodies(_ described: Described) -> [Described.Operation] {
        described.operations.filter { $0.body != nil }
    }

    private static func json(_ operation: Described.Operation) -> JSONValue? {
        operation.body?["content"]?["application/json"]?["schema"]
    }

    @Test func bodiesAreTakenOrRefusedAsTheDescriptionSays() async throws {
        let described = try Described()
        var (inside, outside) = (0, 0)
        try await withServer { _, requests in
            for operation in Self.bodies(described) {
                guard let schema = Self.json(operation) else { continue }
                let name = "\(operation.method) \(operation.path)"
                let good = try await requests.make(operation.method, operation.path)
                #expect(described.complaints(good.body, schema) == [], "\(name)")
                // Refused requests change nothing, so one good request serves for all of them. The good request comes
                // last.
                let neighbours = Neighbours(described: described).all(of: good.body, schema)
                for neighbour in Thoroughness.some(of: neighbours, oneIn: 21) {
                    let isAllowed = described.complaints(neighbour.value, schema).isEmpty
                    if isAllowed {
                        if try await Self.isTaken(neighbour, operation, requests) == false { continue }
                        inside += 1
                    } else {
                        let answer = try await Self.sent(neighbour.value, good, operation, requests)
                        let isFixed = good.fixed.contains(neighbour.field)
                        #expect(
                            Self.refusals.union(isFixed ? Self.strangers : []).contains(answer.status),
                            "\(name) took \(neighbour): \(answer.status)")
                        outside += 1
                    }
                }
                // Made again: a drill has advanced, and new drills displaced older ones.
                let answer = try await requests.send(
                    operation.method, requests.make(operation.method, operation.path))
                #expect((200..<300).contains(answer.status), "\(name): \(answer.status) \(answer.text)")
            }
        }
        print("bodies: \(inside) values just inside what is described, \(outside) just outside")
        #expect(inside > Thoroughness.count(9, check: 200) && outside > Thoroughness.count(45, check: 1_000))
    }

    /// Sends a change that the description allows, and expects success.
    ///
    /// - Returns: Whether it was sent. A change to a field that must name an existing object is not.
    private static func isTaken(
        _ neighbour: Neighbours.Neighbour, _ operation: Described.Operation, _ requests: GoodRequests
    ) async throws -> Bool {
        let fresh = try await requests.make(operation.method, operation.path)
        guard let value = moved(neighbour, to: fresh) else { return false }
        let answer = try await sent(value, fresh, operation, requests)
        #expect(
            (200..<300).contains(answer.status),
            "\(operation.method) \(operation.path) refused \(neighbour.field): \(answer.status) \(answer.text) \(value)"
        )
        return true
    }

    private static func sent(
        _ value: JSONValue, _ good: GoodRequests.Good, _ operation: Described.Operation, _ requests: GoodRequests
    ) async throws -> HTTPClient.HTTPResponse {
        try await requests.server.ask(
            operation.method, good.path, as: requests.user, headers: good.headers.map { ($0, $1) }, bytes: value.bytes)
    }

    /// Returns another good body with the same change. Nil if the changed field must keep its value.
    private static func moved(_ neighbour: Neighbours.Neighbour, to good: GoodRequests.Good) -> JSONValue? {
        var value = neighbour.value
        for field in good.fixed {
            let path = field.split { ".[]".contains($0) }.map(String.init)
            guard
                let own = path.reduce(
                    JSONValue?.some(good.body), { whole, step in whole.flatMap { Self.step($0, step) } })
            else { continue }
            let there = path.reduce(JSONValue?.some(value), { whole, step in whole.flatMap { Self.step($0, step) } })
            // A missing field, or null if that is allowed, is a value of its own.
            if neighbour.field == field {
                guard there == nil || there == .null else { return nil }
                continue
            }
            if there != nil { value = replaced(value, path[...], by: own) }
        }
        return value
    }

    private static func step(_ value: JSONValue, _ step: String) -> JSONValue? {
        Int(step).map { value[$0] } ?? value[step]
    }

    private static func replaced(_ value: JSONValue, _ path: ArraySlice<String>, by new: JSONValue) -> JSONValue {
        guard let first = path.first else { return new }
        var value = value
        if let place = Int(first) {
            if let there = value[place] { value[place] = replaced(there, path.dropFirst(), by: new) }
        } else if let there = value[first] {
            value[first] = replaced(there, path.dropFirst(), by: new)
        }
        return value
    }

    // MARK: - Bytes and kinds

    @Test func bodiesMayBeAsLongAsTheDescriptionSaysAndNoLonger() async throws {
        let described = try Described()
        try await withServer { server, requests in
            for operation in Self.bodies(described) {
                let name = "\(operation.method) \(operation.path)"
                let most = try #require(operation.body?["x-max-bytes"]?.number.map { Int($0) }, "\(name)")
                let isSmall = ["/v1/line-check", "/v1/profile/picture"].contains(operation.path)
                guard Self.json(operation) != nil || isSmall else {
                    #expect(most == server.services.settings.limits.recordingBytes, "\(name)")
                    continue
                }
                for (length, isTaken) in [(most + 1, false), (most, true)] {
                    let good = try await requests.make(operation.method, operation.path)
                    let bytes = good.body == .null ? GoodRequests.sound : good.body.bytes
                    let answer = try await server.ask(
                        operation.method, good.path, as: user, headers: good.headers.map { ($0, $1) },
                        bytes: bytes + [UInt8](repeating: 32, count: length - bytes.count))
                    #expect(
                        isTaken ? (200..<300).contains(answer.status) : [400, 413].contains(answer.status), "\(name)")
                }
            }
            let (put, direct) = (
                try await requests.make("PUT", "/v1/sessions/{session}/answers/{answer}/recording"),
                try await requests.make("PUT", "/v1/uploads/direct/{ticket}")
            )
            let most = server.services.settings.limits.recordingBytes
            for length in [most + 1, most] {
                let bytes = [UInt8](repeating: 7, count: length)
                for var good in [put, direct] {
                    if good.headers["Repr-Digest"] != nil {
                        good.headers["Repr-Digest"] = ReprDigest(sha256: SHA256.hexadecimal(of: bytes))?.field
                    }
                    let answer = try await server.ask(
                        "PUT", good.path, as: user, headers: good.headers.map { ($0, $1) }, bytes: bytes)
                    #expect(answer.status == (length == most ? 201 : 413), "\(good.path)")
                }
            }
        }
    }

    @Test func theKindsOfSoundAreThoseOfTheDescription() async throws {
        let described = try Described()
        let path = "/v1/sessions/{session}/answers/{answer}/recording"
        let kinds = Set(try #require(described.operation("PUT", path)?.body?["content"]).fields.keys)
        #expect(kinds == Set(AudioMediaType.suffixes.keys))
        #expect(
            Set(try #require(described.operation("PUT", "/v1/uploads/direct/{ticket}")?.body?["content"]).fields.keys)
                == kinds)
        try await withServer { server, requests in
            for kind in kinds.union([
                "audio/svg+xml", "audio/", "audio/x", "audio/*", "text/html", "video/mp4", "application/ogg",
                "image/svg+xml",
            ]) {
                var good = try await requests.make("PUT", path)
                good.headers["Content-Type"] = kind
                #expect(try await requests.send("PUT", good).status == (kinds.contains(kind) ? 201 : 415), "\(kind)")
            }
        }
    }

    // MARK: - Headers and queries

    @Test func headersAreTakenOrRefusedAsTheDescriptionSays() async throws {
        let described = try Described()
        var (inside, outside) = (0, 0)
        try await withServer { _, requests in
            for operation in Self.bodies(described) {
                for parameter in operation.parameters where parameter["in"] == "header" {
                    let header = try #require(parameter["name"]?.text)
                    let schema = try #require(parameter["schema"])
                    let good = try await requests.make(operation.method, operation.path)
                    guard let own = good.headers[header] else { continue }
                    for value in Self.texts(own, schema, described) {
                        let isAllowed =
                            value.map { Self.isAllowed($0, schema, described) } ?? (parameter["required"] != true)
                        if isAllowed && good.fixed.contains(header) { continue }
                        // The value must also match the bytes of the body.
                        if isAllowed, value != nil, value != own, schema["pattern"] != nil { continue }
                        var request = try await requests.make(operation.method, operation.path)
                        request.headers[header] = value
                        if header == "Upload-Length" {
                            request.headers["Content-Type"] = nil
                            request.headers["Upload-Checksum"] = nil
                        }
                        let answer = try await requests.server.ask(
                            operation.method, request.path, as: user, headers: request.headers.map { ($0, $1) },
                            bytes: request.headers["Content-Type"] == nil ? nil : GoodRequests.sound)
                        let name = "\(operation.method) \(operation.path) \(header): \(value ?? "absent")"
                        if isAllowed {
                            #expect((200..<300).contains(answer.status), "\(name): \(answer.status) \(answer.text)")
                            inside += 1
                        } else {
                            #expect(Self.refusals.contains(answer.status), "\(name): \(answer.status)")
                            outside += 1
                        }
                    }
                }
            }
        }
        print("headers: \(inside) values just inside what is described, \(outside) just outside")
        #expect(inside > 5 && outside > 100)
    }

    @Test func queriesAreTakenOrRefusedAsTheDescriptionSays() async throws {
        let described = try Described()
        let place = "2026-11-21T09:12:29Z_6f1c7e0a-1d2b-4c3d-8e4f-5a6b7c8d9e0f"
        let good = [
            "limit": "20", "before": place, "user_id": user.uuidString.lowercased(), "topic": "food",
            "difficulty": "Easy", "incomplete": "true", "format": "ielts-style",
            "id": "own-\(user.uuidString.lowercased())", "kind": "drill",
        ]
        var tried = 0
        try await withServer { server, _ in
            let template = TemplateIDs.template("ielts-style", "bridges").uuidString
            // Whatever a school sends back, the browser is led to the page (`SchoolSignInTests`).
            for operation in described.operations where operation.path != "/v1/sign-in/{school}/callback" {
                // The name of a recording must be one that exists.
                for parameter in operation.parameters where parameter["in"] == "query" && parameter["name"] != "name" {
                    let path = operation.path.replacing("{template}", with: template).replacing("{group}", with: "7b")
                    let (name, schema) = (try #require(parameter["name"]?.text), try #require(parameter["schema"]))
                    for value in Self.texts(try #require(good[name]), schema, described).compactMap({ $0 }) {
                        let isAllowed = Self.isAllowed(value, schema, described)
                        if name == "user_id", isAllowed, value.lowercased() != good[name] { continue }
                        let escaped = try #require(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                        let answer = try await server.ask("GET", "\(path)?\(name)=\(escaped)", as: user)
                        #expect(
                            isAllowed ? answer.status == 200 : [400, 403, 422].contains(answer.status),
                            "\(operation.path) \(name)=\(value): \(answer.status)")
                        tried += 1
                    }
                }
            }
        }
        #expect(tried > 100)
    }

    /// Returns values of a header or a query of any type as text. Nil means that it is left out.
    private static func texts(_ own: String, _ schema: JSONValue, _ described: Described) -> [String?] {
        // The description has no limits here.
        if schema == ["type": "string"] { return [nil, own] }
        let isNumber = schema["type"] == "integer"
        let value: JSONValue = isNumber ? .number(Double(own)!) : .string(own)
        let neighbours = Neighbours(described: described).all(of: value, schema).map(\.value)
        var texts: Set<String> = isNumber ? [own, "x", "-1", "1.5", "1e1", "99999999999999999999"] : [own]
        for neighbour in neighbours {
            switch neighbour {
            case .string(let text): texts.insert(text)
            case .number(let number) where isNumber:
                texts.insert(Int(exactly: number).map(String.init) ?? String(number))
            default: break
            }
        }
        // White space around a header's value doesn't belong to it, and only visible ASCII is transmitted.
        return [nil]
            + texts.filter { text in
                !text.isEmpty && text.utf8.allSatisfy { (33...126).contains($0) || $0 == 32 }
                    && text.first != " " && text.last != " "
            }.sorted()
    }

    private static func isAllowed(_ text: String, _ schema: JSONValue, _ described: Described) -> Bool {
        guard schema["type"] == "integer" else { return described.complaints(.string(text), schema).isEmpty }
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Double(text) else { return false }
        return described.complaints(.number(number), schema).isEmpty
    }
}
