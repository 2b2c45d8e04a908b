import AudioFiles
import Foundation
import LoopbackServers
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Making exams, their tokens, and the sounds that they play.
@Suite(.bothStores) struct ExamsOverREST {
    private func ask(
        _ node: TestNode, _ method: String, _ path: String, _ body: String? = nil, bearer: String? = nil
    ) async throws -> (Int, [String: Any], Data) {
        var request = URLRequestText(method: method, path: path)
        if let bearer { request.lines.append("Authorization: Bearer \(bearer)") }
        if let body { request.body = body }
        let (status, data) = try await onThread { [request] in try request.send(to: node.port) }
        return (status, (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:], data)
    }

    @Test func anExamIsMadeAndItsClipsAreFetched() async throws {
        let node = try await TestNode(TestBackend())
        let (status, made, _) = try await ask(node, "POST", "/v1/exams", "{\"consent\":true,\"mode\":\"practice\"}")
        #expect(status == 201)
        let session = try #require(made["session"] as? String)
        let live = try #require(made["live"] as? [String: String])
        #expect(live["path"] == "/v1/live?session=\(session)")
        #expect(made["format"] as? String == "ielts-style")
        #expect((made["parts"] as? [Any])?.count == 3)

        let token = try #require(live["token"])
        let clip = "/v1/exams/\(session)/clips/greeting"
        let (found, _, wav) = try await ask(node, "GET", clip, bearer: token)
        #expect(found == 200)
        let path = node.backend.path + "/clip.wav"
        try wav.write(to: URL(filePath: path))
        #expect(try duration(ofSoundFile: path) > .seconds(1))
        // Without the token, with another exam's token, for another exam, and for a path that is not a clip.
        #expect(try await ask(node, "GET", clip).0 == 401)
        #expect(try await ask(node, "GET", clip, bearer: String(token.reversed())).0 == 401)
        #expect(try await ask(node, "GET", "/v1/exams/\(UUID())/clips/greeting", bearer: token).0 == 401)
        #expect(try await ask(node, "GET", "/v1/exams/\(session)/clips/..%2F..%2Fexam.json", bearer: token).0 == 404)

        // A new token ends the one before.
        let (renewed, again, _) = try await ask(node, "POST", "/v1/exams/\(session)/live", "{}")
        #expect(renewed == 200)
        #expect((again["live"] as? [String: String])?["token"] != token)
        #expect(try await ask(node, "GET", clip, bearer: token).0 == 401)
        #expect(try await ask(node, "POST", "/v1/exams/\(UUID())/live", "{}").0 == 404)
        try await node.stop()
    }

    @Test func examsNeedConsentAndMatchingFormatAndPaper() async throws {
        let node = try await TestNode(TestBackend()) { $0.limits.examsPerDay = 1 }
        for body in [
            "{}", "{\"consent\":false}", "{\"consent\":true,\"mode\":\"sing\"}",
            "{\"consent\":true,\"format\":\"../x\"}",
            "{\"consent\":true,\"paper\":\"nothing\"}",
            "{\"consent\":true,\"format\":\"toefl-2026\",\"paper\":\"bridges\"}",
        ] {
            let (status, problem, _) = try await ask(node, "POST", "/v1/exams", body)
            #expect(status == 400, "\(body)")
            #expect(problem["type"] as? String == "/problems/malformed")
        }
        #expect(try await ask(node, "POST", "/v1/exams", "{\"consent\":true}").0 == 201)
        #expect(try await ask(node, "POST", "/v1/exams", "{\"consent\":true}").0 == 429)
        let (status, choices, _) = try await ask(node, "GET", "/v1/exams/choices")
        #expect(status == 200)
        let formats = try #require(choices["formats"] as? [[String: Any]])
        #expect(formats.first { $0["id"] as? String == "toefl-2026" }?["papers"] as? [String] == ["echoes"])
        try await node.stop()
    }
}

/// An HTTP request, written by hand and answered at once.
struct URLRequestText {
    var method: String
    var path: String
    var lines: [String] = []
    var body: String?

    func send(to port: Int) throws -> (Int, Data) {
        let connection = try TCPConnection(port: port)
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + lines
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
        var answer: [UInt8] = []
        while true {
            let bytes = connection.read()
            if bytes.isEmpty { break }
            answer += bytes
        }
        let head = String(decoding: answer.prefix(16), as: UTF8.self).split(separator: " ")
        let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? answer.count
        return (
            head.count > 1 ? Int(head[1]) ?? 0 : 0, Data(Self.unchunked(Array(answer[end...]), head: answer[..<end]))
        )
    }

    private static func unchunked(_ bytes: [UInt8], head: ArraySlice<UInt8>) -> [UInt8] {
        guard String(decoding: head, as: UTF8.self).lowercased().contains("transfer-encoding: chunked") else {
            return bytes
        }
        var (whole, rest) = ([UInt8](), bytes[...])
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
            if count == 0 { break }
            whole += rest[line.upperBound...].prefix(count)
            rest = rest[line.upperBound...].dropFirst(count + 2)
        }
        return whole
    }
}
