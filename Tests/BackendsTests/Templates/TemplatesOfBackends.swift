import ExamCore
import ExamKit
import Foundation
import HTTPClient
import Synchronization
import SystemSupport
import Testing

@testable import Backends

/// Templates of an Oracy backend and of an API with signed addresses, tested by their requests.
@Suite struct TemplatesOfBackends {
    /// Answers by method and address. Anything else is 404.
    private final class Wire: HTTPExchanging {
        let answers: [String: HTTPResponse]
        let asked = Mutex<[HTTPRequest]>([])

        init(_ answers: [String: HTTPResponse]) { self.answers = answers }

        func exchange(
            _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
        ) async throws(HTTPFailure) -> HTTPResponse {
            asked.withLock { $0.append(request) }
            guard let answer = answers[request.url] else { return HTTPResponse(status: 404) }
            if let etag = answer.headers["etag"], request.headers.contains(.init("If-None-Match", etag)) {
                return HTTPResponse(status: 304)
            }
            return answer
        }
    }

    private static func json(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["content-type": "application/json"], body: Array(text.utf8))
    }

    private let id = "550e8400-e29b-41d4-a716-446655440000"
    private let sample: SampleSession

    init() throws { sample = try SampleSession(seed: 20) }

    private func token(_ text: String) throws -> String {
        let path = sample.folder + "/token.json"
        try TokenFile(path: path).write(text)
        return path
    }

    @Test func anOracyBackendGivesTheVeryFiles() async throws {
        let format = try ExamFormat.builtIn("ielts-style")
        var paper = try Paper.builtIn("bridges")
        paper.sections["topics"]![0].questions[0].audio = "voices/a b.wav"
        let files = String(decoding: JSONFile.encode(["x": 0]), as: UTF8.self)
        #expect(!files.isEmpty)
        let exam =
            "{\"format\":\(String(decoding: JSONFile.encode(format), as: UTF8.self)),\"paper\":\(String(decoding: JSONFile.encode(paper), as: UTF8.self))}"
        let base = "https://exams.example.org/api"
        let wire = Wire([
            base + "/v1/templates": Self.json(
                #"{"templates":[{"id":"\#(id)","title":"Bridges","difficulty":"Hard","format":"f","paper":"p"}]}"#),
            base + "/v1/templates/\(id)/exam": Self.json(exam),
            base + "/v1/templates/\(id)/recording?name=voices%2Fa%20b.wav": HTTPResponse(
                status: 200, headers: ["content-type": "audio/wav", "etag": "\"1\""], body: Array("sound".utf8)),
        ])
        let library = try TemplateLibrary(
            .backend(url: base), client: wire, credentials: token("a.token"), folder: sample.folder + "/templates")
        #expect(try await library.templates().templates.map(\.difficulty) == ["Hard"])
        for _ in 1...2 {
            let found = try await library.exam("Bridges")
            #expect(found.format == format)
            let audio = try #require(found.paper.sections["topics"]?[0].questions[0].audio)
            #expect(FileManager.default.contents(atPath: "\(found.folder)/\(audio)") == Data("sound".utf8))
            var same = found.paper
            same.sections["topics"]![0].questions[0].audio = "voices/a b.wav"
            #expect(same == paper)
        }
        #expect(wire.asked.withLock { $0.allSatisfy { $0.headers.contains(.init("Authorization", "Bearer a.token")) } })
        #expect(wire.asked.withLock { $0.last?.headers.contains(.init("If-None-Match", "\"1\"")) } == true)
    }

    @Test func recordingsAtSignedAddressesGetNoToken() async throws {
        let base = "https://api.example.org"
        let question = UUID().uuidString.lowercased()
        let wire = Wire([
            base + "/templates?user_id=u%201": Self.json(
                #"{"templates":[{"id":"\#(id)","title":"T","difficulty_level":"Easy"}]}"#),
            base + "/templates/\(id)/questions?user_id=u%201": Self.json(
                #"{"questions":[{"id":"\#(question)","part_number":1,"question_order":1,"question_text":"Why?","audio_url":"https://s3.example.org/a.opus?X-Amz-Signature=1","audio_key":"a.opus","expected_duration":30,"topic_keywords":["home"]}]}"#
            ),
            "https://s3.example.org/a.opus?X-Amz-Signature=1": HTTPResponse(status: 200, body: Array("sound".utf8)),
        ])
        let library = try TemplateLibrary(
            .signedURL(url: base, user: "u 1", template: "t"), client: wire, credentials: token("a.token"),
            folder: sample.folder + "/templates")
        let exam = try await library.exam("t")
        #expect(exam.template.difficulty == "Easy")
        #expect(exam.paper.sections["part-1"]?[0].questions.map(\.id) == [question])
        let requests = wire.asked.withLock { $0 }
        #expect(requests.map { $0.headers.contains { $0.name == "Authorization" } } == [true, true, false])
    }

    @Test func anAPIWithoutTemplatesAndAFolderSaySo() async throws {
        let api = try TemplateLibrary(
            .signedURL(url: "https://api.example.org", user: "u", template: "t"), client: Wire([:]),
            credentials: token("a.token"), folder: sample.folder + "/templates")
        let none = await #expect(throws: Problem.self) { try await api.templates() }
        #expect(none?.sentence.contains("this API has no templates") == true)
        let folder = #expect(throws: Problem.self) {
            try TemplateLibrary(.folder(path: "/srv"), client: Wire([:]), credentials: "/n", folder: "/n")
        }
        #expect(folder?.sentence.hasPrefix("/srv: a folder has no exam templates") == true)
    }
}
