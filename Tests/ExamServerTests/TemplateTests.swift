import AudioFiles
import BackendAPI
import ExamCore
import ExamKit
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// Tests of the list of exams, and of everything that a client needs to hold one itself.
@Suite(.bothStores) struct TemplateTests {
    private let user = UUID()
    private let bridges = TemplateIDs.template("ielts-style", "bridges")

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String, _ server: RunningServer) async throws
        -> Value
    {
        let answer = try await server.ask("GET", path, as: user)
        #expect(answer.status == 200, "\(path): \(answer.text.prefix(300))")
        return try JSONDecoder().decode(type, from: Data(answer.body))
    }

    @Test func listedTemplatesAreActiveAndHaveADifficulty() async throws {
        let server = try await RunningServer()
        let hidden = TestTemplate(id: UUID(), title: "Gone", isActive: false, format: "f", paper: "p")
        try await server.services.store.service.put(hidden, questions: [])
        let listed = try await get(TemplateList.self, "/v1/templates", server).templates
        #expect(!listed.contains { $0.title == "Gone" } && listed.allSatisfy { $0.questions == nil })
        let own = try #require(listed.first { $0.id.id == bridges })
        #expect(own.format == "ielts-style" && own.paper == "bridges" && own.difficulty == "Medium")
        #expect(own.description?.contains("bridge") == true)
        await server.stop()
    }

    @Test func everyPossibleQuestionIsInTheTemplate() async throws {
        let server = try await RunningServer()
        let rows = try #require(try await get(TemplateRow.self, "/v1/templates/\(bridges)", server).questions)
        let places = rows.map { [$0.part, $0.order] }
        #expect(Set(places).count == rows.count, "each question has its own part and order")
        for part in Set(rows.map(\.part)) {
            #expect(rows.filter { $0.part == part }.map(\.order) == Array(1...rows.count { $0.part == part }))
        }
        let (format, paper) = (try ExamFormat.builtIn("ielts-style"), try Paper.builtIn("bridges"))
        let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.question, $0) })
        let cards = paper.sections.values.joined().flatMap(\.questions).filter { $0.card != nil }.map(\.id)
        let sittings =
            (0..<20).map { ExamOptions(seed: $0) } + cards.map { ExamOptions(card: $0) } + [ExamOptions(part: 3)]
        for options in sittings {
            let script = try #require(ExamScript.assemble(format, paper, options: options).script)
            for turn in script.turns where turn.answer != nil {
                let row = try #require(known[turn.id], "\(turn.id)")
                #expect(row.part == script.parts[turn.part].number && row.text == turn.prompt.last?.text)
                #expect(row.expectedDuration == turn.answer?.maximum?.inSeconds, "\(turn.id)")
                #expect(row.transcript == row.text)
            }
        }
        #expect(known["mornings-2"]?.topicKeywords == ["mornings"])
        // Finding a question by id and by place gives the same question.
        let store = server.services.owned(by: user)
        for row in rows {
            let found = try #require(try await store.question(row.id.id, of: bridges))
            #expect([found.part, found.order] == [row.part, row.order] && found.question == row.question)
            #expect(TemplateIDs.question(found.question, of: bridges) == row.id.id)
        }
        await server.stop()
    }

    /// Seeds can put different questions at the same place. An answer has the id of the question that was asked.
    @Test func anAnswerHasItsQuestionsIdForAnyChoice() async throws {
        let exams = try ChosenExams()
        let server = try await RunningServer { $0.ownExams = exams.path }
        let template = TemplateIDs.template("short", "few")
        let format = try ExamFormat(file: exams.path + "/formats/short.json")
        let paper = try Paper(file: exams.path + "/papers/few.json")
        let store = server.services.owned(by: user)
        var atPlace: Set<UUID> = []
        for options in [
            ExamOptions(), ExamOptions(seed: 1), ExamOptions(seed: 2), ExamOptions(seed: 3),
            ExamOptions(card: "person"),
        ] {
            let script = try #require(ExamScript.assemble(format, paper, options: options).script)
            let held = try Self.sitting(script, in: server.folder)
            try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
            for response in try await store.responses(of: held.facts.id) {
                #expect(response.questionID == TemplateIDs.question(response.question, of: template))
                let id = try #require(response.questionID)
                let question = try #require(try await store.question(id, of: template), "\(response.question)")
                #expect(question.part == response.part && question.question == response.question)
                if response.part == 1 && response.order == 2 { atPlace.insert(question.id) }
                #expect(response.processingOrder == response.part * 100 + response.order)
                #expect(response.uploadStatus == "uploaded")
                let key = try #require(AudioKey(response.path))
                #expect(
                    try await server.services.audio.size(of: key) == response.byteCount,
                    "the storage has an object at the path")
            }
            #expect(try await store.session(held.facts.id)?.templateID == template)
            if options.card != nil {
                let asked = try await store.responses(of: held.facts.id).map(\.question)
                #expect(asked.contains("person") && asked.contains("people") && !asked.contains("place"))
            }
        }
        #expect(atPlace.count > 1, "different seeds choose different questions for the same place")
        await server.stop()
    }

    /// A folder of custom exams whose paper has more topics and cards than an exam asks. Deleted after the test.
    private final class ChosenExams {
        let path = NSTemporaryDirectory() + "oracy-exams-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.copyItem(atPath: Programs.file("Page/exams"), toPath: path)
            func frame(_ id: String, _ question: String, _ more: String = "", card: Bool = false) -> String {
                let words = #", "card": {"topic": "Describe it.", "points": ["a", "b", "c"], "explain": "and why."}"#
                return """
                    {"id": "\(id)"\(more), "questions": [{"id": "\(question)", "text": "About \(question)?"\(card ? words : "")}]}
                    """
            }
            let topics = ["town", "music", "sport", "food", "books"].map { frame($0, "\($0)-1") }
            let text = """
                {"version": 1, "id": "few", "title": "Some of many", "sections": {
                  "topics": [\(topics.joined(separator: ","))],
                  "card": [\(frame("a", "place", card: true)), \(frame("b", "person", card: true))],
                  "discussion": [\(frame("c", "places", #", "about": "place""#)), \(frame("d", "people", #", "about": "person""#))]}}
                """
            try text.write(toFile: path + "/papers/few.json", atomically: true, encoding: .utf8)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Returns all answers of a sitting of this script, with half a second of sound each.
    private static func sitting(_ script: ExamScript, in folder: String) throws -> SessionTests.Held {
        let turns = script.turns.filter { $0.answer != nil }
        var held = try SessionTests.Held(answers: turns.count, in: folder)
        for (place, turn) in turns.enumerated() {
            guard case .answer(var record, let file) = held.uploads[place + 1].content else { continue }
            record.question = turn.id
            record.part = script.parts[turn.part].number
            record.order = turn.order
            held.uploads[place + 1].content = .answer(record, file)
        }
        held.facts = SessionFacts(
            id: held.facts.id, name: held.facts.name, format: script.formatID, paper: script.paperID,
            startedAt: held.facts.startedAt)
        held.uploads = held.uploads.map { Upload(id: $0.id, session: held.facts, content: $0.content) }
        return held
    }

    @Test func questionsOfAnEarlierDatabaseGetTheirNewIds() async throws {
        let server = try await RunningServer()
        let (store, service) = (server.services.owned(by: user), server.services.store.service)
        let held = try SessionTests.Held(answers: 1, in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        let answer = held.uploads[1].id
        #expect(try await store.response(answer)?.questionID == nil, "the paper has no question with this id")
        let template = try #require(try await store.template(bridges))
        let old = TestQuestion(id: UUID(), part: 1, order: 1, text: "Home?", question: "part1-home-1")
        try await service.put(template, questions: [old])
        #expect(try await store.response(answer)?.questionID == old.id)
        await server.stop()
    }

    @Test func aClientGetsTheSameExam() async throws {
        let server = try await RunningServer()
        let path = "/v1/templates/\(bridges)/exam"
        let exam = try await get(TemplateExamRow.self, path, server)
        let (format, paper) = (try ExamFormat.builtIn("ielts-style"), try Paper.builtIn("bridges"))
        #expect(exam.format == format && exam.paper == paper)
        let whole = try await server.ask("GET", path, as: user)
        let tag = try #require(whole.header("ETag"))
        #expect(tag == "\"\(SHA256.hexadecimal(of: whole.body))\"")
        let same = try await server.ask("GET", path, as: user, headers: [("If-None-Match", tag)])
        #expect(same.status == 304 && same.body.isEmpty && same.header("ETag") == tag)
        #expect(try await server.ask("GET", "/v1/templates/\(UUID())/exam", as: user).status == 404)
        await server.stop()
    }

    /// A folder of custom exams whose paper names recordings. Deleted after the test.
    final class RecordedExams {
        let path = NSTemporaryDirectory() + "oracy-exams-\(UUID().uuidString)"
        let sound: [UInt8]
        static let template = TemplateIDs.template("short", "few")

        init() throws {
            let files = FileManager.default
            try files.copyItem(atPath: Programs.file("Page/exams"), toPath: path)
            let paper = path + "/papers/few.json"
            let text = try String(contentsOfFile: paper, encoding: .utf8)
                .replacing(
                    "\"text\": \"Where from?\"", with: "\"text\": \"Where from?\", \"audio\": \"sounds/where.wav\""
                )
                .replacing(
                    "\"text\": \"A library there?\"",
                    with: "\"text\": \"A library there?\", \"audio\": \"../../outside.wav\"")
            try text.write(toFile: paper, atomically: true, encoding: .utf8)
            try files.createDirectory(atPath: path + "/papers/sounds", withIntermediateDirectories: true)
            let wav = try GrowingWAV(path: path + "/papers/sounds/where.wav")
            try wav.append([Float](repeating: 0.25, count: 1_600))
            sound = Array(try Data(contentsOf: URL(filePath: path + "/papers/sounds/where.wav")))
            // A file beside the folder of exams doesn't belong to the exam, although its paper names it.
            try Data(sound).write(to: URL(filePath: path + "/../outside.wav"))
            try Data(sound).write(to: URL(filePath: path + "/papers/sounds/other.wav"))
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + "/../outside.wav")
        }
    }

    @Test func onlyRecordingsOfClipsAreServed() async throws {
        let exams = try RecordedExams()
        let server = try await RunningServer { $0.ownExams = exams.path }
        let path = "/v1/templates/\(RecordedExams.template)/recording?name="
        let rows = try await get(TemplateRow.self, "/v1/templates/\(RecordedExams.template)", server).questions
        #expect(rows?.first { $0.question == "where" }?.audio == "sounds/where.wav")
        let found = try await server.ask("GET", path + "sounds/where.wav", as: user)
        #expect(found.status == 200 && found.body == exams.sound && found.header("Content-Type") == "audio/wav")
        let tag = try #require(found.header("ETag"))
        #expect(tag == "\"\(SHA256.hexadecimal(of: exams.sound))\"")
        let same = try await server.ask("GET", path + "sounds%2Fwhere.wav", as: user, headers: [("If-None-Match", tag)])
        #expect(same.status == 304)
        for name in [
            "../../outside.wav", "sounds/other.wav", "few.json", "../papers/sounds/where.wav", "/etc/passwd",
            "sounds/../sounds/where.wav", "sounds/where.wav%00", "",
        ] {
            let answer = try await server.ask("GET", path + name, as: user)
            #expect(answer.status == 404 && answer.code == "not-found", "\(name): \(answer.status)")
        }
        // A recording is served only to clients that ask for it through an exam that names it.
        let other = "/v1/templates/\(bridges)/recording?name=sounds/where.wav"
        #expect(try await server.ask("GET", other, as: user).status == 404)
        #expect(try await server.ask("GET", path + "sounds/where.wav", as: nil).status == 401)
        await server.stop()
    }

    // MARK: - Clients with signed addresses

    @Test func signedAddressesOfQuestionsRunOut() async throws {
        let exams = try RecordedExams()
        let clock = SetClock()
        let server = try await RunningServer(clock: clock) { $0.ownExams = exams.path }
        let path = "/v1/templates/\(RecordedExams.template)/questions?user_id=\(user)"
        let questions = try #require(
            try await server.ask("GET", path, as: user).object["questions"] as? [[String: Any]])
        let asked = try #require(questions.first { $0["question_text"] as? String == "Where from?" })
        #expect(asked["part_number"] as? Int == 1 && asked["question_order"] as? Int != nil)
        #expect(asked["transcript"] as? String == "Where from?" && asked["topic_keywords"] as? [String] == ["town"])
        #expect(asked["expires_in"] as? Int == SignedUploadRoutes.seconds)
        let url = try #require(asked["audio_url"] as? String)
        #expect(url.hasPrefix(server.url + "/v1/template-recordings/"))
        let address = String(url.dropFirst(server.url.count))
        clock.pass(seconds: Double(SignedUploadRoutes.seconds) - 1)
        let found = try await server.ask("GET", address, as: nil)
        #expect(found.status == 200 && found.body == exams.sound)
        clock.pass(seconds: 2)
        let late = try await server.ask("GET", address, as: nil)
        #expect(late.status == 410 && late.code == "address-expired")
        #expect(try await server.ask("GET", address + "x", as: nil).code == "bad-address")
        // A request with another user's id is refused. A question without a recording has no address.
        #expect(try await server.ask("GET", path, as: UUID()).status == 403)
        #expect(questions.contains { $0["audio_url"] == nil && $0["audio_key"] == nil })
        await server.stop()
    }

    @Test func templatesHaveTheNamesThatSignedClientsKnow() async throws {
        let server = try await RunningServer()
        let answer = try await server.ask("GET", "/v1/templates?user_id=\(user)", as: user)
        let templates = try #require(answer.object["templates"] as? [[String: Any]])
        let own = try #require(templates.first { $0["id"] as? String == bridges.uuidString.lowercased() })
        #expect(own["difficulty_level"] as? String == "Medium" && own["description"] as? String != nil)
        #expect(own["paper"] == nil)
        #expect(try await server.ask("GET", "/v1/templates?user_id=\(UUID())", as: user).status == 403)
        await server.stop()
    }
}
