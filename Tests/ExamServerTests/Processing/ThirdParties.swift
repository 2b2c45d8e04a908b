import Assessors
import AudioFiles
import ExamCore
import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer

/// An exam has an introduction and one assessed answer. Assessors of each kind, a marker, a teacher and a program of
/// the school get the answer, but no byte of the introduction.
@Suite(.bothStores) struct ThirdParties {
    private let learner = UUID()
    private let marker = UUID()
    private static let name = "My name is Mira Tolvanen."
    private static let question = "To begin with, please tell me your full name."

    /// Keeps every request, and answers as each service would.
    private final class Others: Sendable {
        let got = Mutex<[(path: String, body: [UInt8])]>([])

        func answer(_ request: HTTPClient.HTTPRequest) -> HTTPClient.HTTPResponse {
            guard case .bytes(let body) = request.body else {
                return HTTPClient.HTTPResponse(status: 404, headers: [:], body: [])
            }
            let path = URL(string: request.url)?.path ?? ""
            got.withLock { $0.append((path, body)) }
            return HTTPClient.HTTPResponse(
                status: 200, headers: ["content-type": "application/json"], body: Array(Self.reply(to: path).utf8))
        }

        private static func reply(to path: String) -> String {
            let judgement =
                #"{"criteria":{"grammar":{"band":6,"because":"g","quotes":["bridge"]},"vocabulary":{"band":6,"because":"v","quotes":["bridge"]},"#
                + #""topicRelevance":{"band":8,"because":"t","quotes":["bridge"]}},"mistakes":[],"strengths":[],"improvements":[],"#
                + #""suspect_instructions":false}"#
            let content = String(decoding: try! JSONEncoder().encode(judgement), as: UTF8.self)
            switch path {
            case "/v1/chat/completions":
                return
                    #"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":\#(content)}}]}"#
            case "/api/chat":
                return
                    #"{"model":"m","message":{"role":"assistant","content":\#(content)},"done":true,"done_reason":"stop"}"#
            case "/v1/audio/transcriptions", "/inference":
                return
                    #"{"text":"I like the bridge","duration":8.0,"segments":[{"id":0,"start":0.5,"end":7.5,"text":"I like the bridge","no_speech_prob":0.01,"avg_logprob":-0.1}],"words":[]}"#
            default: return #"{"RecognitionStatus":"NoMatch"}"#
            }
        }
    }

    private static func panel(_ url: String, in folder: String) throws -> AssessorPanel {
        let program = folder + "/program"
        try Data("#!/bin/sh\ncat >> \(folder)/told\necho '{\"criteria\":{\"fluency\":{\"band\":6}}}'\n".utf8)
            .write(to: URL(filePath: program))
        #expect(chmod(program, 0o700) == 0)
        try Data("a-key".utf8).write(to: URL(filePath: folder + "/key"))
        #expect(chmod(folder + "/key", 0o600) == 0)
        let file = folder + "/assessors.json"
        let entries = [
            #"{"id":"openai","kind":"transcriber","address":"\#(url)/v1","model":"whisper-1","language":"en"}"#,
            #"{"id":"whisper","kind":"transcriber","interface":"whisper.cpp","address":"\#(url)","language":"en"}"#,
            #"{"id":"azure","kind":"azure","address":"\#(url)","language":"en-GB","key":{"file":"key"}}"#,
            #"{"id":"gpt","kind":"language-model","address":"\#(url)/v1","model":"m","runs":1}"#,
            #"{"id":"llama","kind":"language-model","interface":"ollama","address":"\#(url)","model":"m","runs":1}"#,
            #"{"id":"program","kind":"command","command":["\#(program)"],"programVersion":"1"}"#,
        ]
        // The recogniser on this machine sends nothing.
        #expect(
            Set(
                entries.compactMap { entry in
                    AssessorEntry.Kind.allCases.first { entry.contains(#""kind":"\#($0.rawValue)""#) }
                })
                == Set(AssessorEntry.Kind.allCases).subtracting([.words]), "a kind of assessor is not tried")
        try Data(#"{"version":1,"assessors":[\#(entries.joined(separator: ","))]}"#.utf8).write(to: URL(filePath: file))
        return try AssessorPanel(file: file)
    }

    /// Sends an exam of two answers: the learner's name, and an answer to assess.
    private func send(to server: RunningServer) async throws -> (
        session: String, name: UUID, answer: UUID, sounds: [[UInt8]]
    ) {
        var held = try SessionTests.Held(answers: 2, speech: "AudioFixtures/answers/talk-20.flac", in: server.folder)
        let path = "\(server.folder)/name.wav"
        try GrowingWAV(path: path).append(Programs.samples(of: "AudioFixtures/answers/full-name.flac"))
        let introduction = AnswerRecord(
            question: "full-name", part: 1, order: 1, end: "finished", duration: Seconds(.seconds(2)),
            speech: Seconds(.seconds(1.5)))
        held.uploads[1] = Upload(
            id: held.uploads[1].id, session: held.facts,
            content: .answer(introduction, try UploadFile(finalizing: path, mediaType: "audio/wav")))
        let assessed = try #require(held.uploads[2].file)
        let sounds = try [path, assessed.path].map { Array(try Data(contentsOf: URL(filePath: $0))) }
        try await UploadQueueOf(server).send(
            held, RunningServer.token(of: learner, .init(groups: [School.group])))
        return (held.facts.id.uuidString.lowercased(), held.uploads[1].id, held.uploads[2].id, sounds)
    }

    /// Returns whether a body contains the samples of any tenth of a second of a recording.
    private static func has(_ sound: [UInt8], in bodies: [[UInt8]]) -> Bool {
        let pieces = stride(from: 44, to: sound.count - 3200, by: 3200).map { Data(sound[$0..<$0 + 3200]) }
            .filter { Set($0).count > 40 }  // Not silence.
        #expect(pieces.count > 3)
        return bodies.contains { body in
            let body = Data(body)
            return pieces.contains { body.range(of: $0) != nil }
        }
    }

    @Test func noByteOfAnIntroductionReachesAnotherPerson() async throws {
        let others = Others()
        let services = try HTTPServer { others.answer($0) }
        let folder = try TemporaryFolder()
        let school = try await School(assessors: Self.panel(services.url, in: folder.path))
        let server = school.server
        let (session, name, answer, sounds) = try await send(to: server)
        let answers = "/v1/sessions/\(session)/answers"
        // A typed name would be sent to the assessors of words.
        let typed = try await server.ask("PUT", "\(answers)/\(name)/transcript", ["text": Self.name], as: learner)
        #expect(typed.status == 409 && typed.code == "introduction")
        let results = try await school.marked(session, learner)
        try await eventually("the evaluation is done") {
            let told = try await server.ask("GET", "/v1/sessions/\(session)", as: learner).object
            return (told["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }

        // Assessors of each kind were asked about the answer, once each, and about nothing else.
        let got = others.got.withLock { $0 }
        let told = try Data(contentsOf: URL(filePath: folder.path + "/told"))
        let paths = Set(got.map(\.path))
        for path in ["/v1/audio/transcriptions", "/inference", "/v1/chat/completions", "/api/chat"] {
            #expect(got.count { $0.path == path } == 1, "\(path)")
        }
        #expect(paths.contains { $0.contains("recognition") }, "Azure")
        let heard = got.map(\.body).filter { $0.count > 10_000 }
        #expect(Self.has(sounds[1], in: heard), "the search finds the sound that was sent")
        #expect(!Self.has(sounds[0], in: heard))
        let words = got.map(\.body).filter { $0.count <= 10_000 } + [Array(told)]
        let secrets = ["full name", "full-name", "Mira", "part1_q1", name.uuidString, name.uuidString.lowercased()]
        for body in words {
            let text = String(decoding: body, as: UTF8.self)
            for secret in secrets { #expect(!text.contains(secret), "\(secret): \(text.prefix(300))") }
        }
        #expect(String(decoding: told, as: UTF8.self).contains("part1_q2"))

        // The learner has both answers and can hear both. The first one is labelled as an introduction.
        let own = try #require(results["answers"] as? [[String: Any]])
        #expect(own.map { $0["purpose"] as? String } == ["introduction", nil])
        #expect(own[0]["transcript"] == nil && own[0]["scores"] == nil)
        for id in [name, answer] {
            #expect(try await server.ask("GET", "\(answers)/\(id)/recording", as: learner).status == 200)
        }
        let measured = try await server.ask("GET", "/v1/sessions/\(session)/assessment", as: learner).object
        #expect((measured["answers"] as? [[String: Any]])?.map { $0["answer"] as? String } == ["part1_q2"])
        #expect((measured["unmeasured"] as? [Any])?.isEmpty == true)

        try await readers(school, session, name, answer, secrets)
        try await marking(school, session, name, secrets)
        services.stop()
        await server.stop()
    }

    private func readers(
        _ school: School, _ session: String, _ name: UUID, _ answer: UUID, _ secrets: [String]
    ) async throws {
        let path = "/v1/sessions/\(session)"
        let programs = UUID()
        for (user, rights) in [(school.teacher, RunningServer.Rights.teacher(of: School.group)), (programs, .service)] {
            for part in ["", "/results", "/assessment"] {
                let told = try await school.ask("GET", path + part, as: user, rights)
                #expect(told.status == 200, "\(part)")
                for secret in secrets { #expect(!told.text.contains(secret), "\(part): \(secret)") }
            }
            let heard = try await school.ask("GET", "\(path)/answers/\(name)/recording", as: user, rights)
            #expect(heard.status == 404, "\(rights.roles)")
        }
        let teacher = RunningServer.Rights.teacher(of: School.group)
        let report = try await school.ask("GET", path + "/report", as: school.teacher, teacher)
        #expect(report.status == 200 && report.text.contains("part1_q2"))
        for secret in secrets { #expect(!report.text.contains(secret), "report: \(secret)") }
        #expect(
            try await school.ask("GET", "\(path)/answers/\(answer)/recording", as: school.teacher, teacher).status
                == 200)
        let list = try await school.ask(
            "GET", "/v1/groups/\(School.group.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)/sessions",
            as: school.teacher, teacher)
        #expect((list.object["sessions"] as? [[String: Any]])?.map { $0["answers"] as? Int } == [1])
    }

    private func marking(_ school: School, _ session: String, _ name: UUID, _ secrets: [String]) async throws {
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: marker))
        let desk = try await school.ask("GET", "/v1/marking/\(task)", as: marker, .marker)
        #expect((desk.object["answers"] as? [[String: Any]])?.map { $0["answer"] as? String } == ["part1_q2"])
        #expect((desk.object["task"] as? [String: Any])?["answers"] as? Int == 1)
        for secret in secrets { #expect(!desk.text.contains(secret), "desk: \(secret)") }
        let recording = "/v1/marking/\(task)/answers/part1_q1/recording"
        #expect(try await school.ask("GET", recording, as: marker, .marker).status == 404)
        let comment: [String: Any] = ["answer": "part1_q1", "at": 0.1, "text": "who"]
        #expect(try await school.save(School.sheet(6, comments: [comment]), of: task, as: marker).status == 400)
        #expect(try await school.save(School.sheet(6), of: task, as: marker).status == 201)
        let after = try await school.ask("GET", "/v1/marking/\(task)", as: marker, .marker)
        for secret in secrets { #expect(!after.text.contains(secret), "after: \(secret)") }
    }
}
