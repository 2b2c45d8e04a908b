import ExamCore
import ExamKit
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Custom formats and papers, beside the built-in ones.
@Suite(.bothStores) struct CatalogueTests {
    /// A folder of formats and papers, deleted after the test.
    private final class Exams {
        let path = NSTemporaryDirectory() + "oracy-exams-\(UUID().uuidString)"
        private static let ours = Programs.file("Page/exams")

        init() throws { try FileManager.default.copyItem(atPath: Self.ours, toPath: path) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, to file: String) throws {
            try text.write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
        }

        func read(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }

        var sentence: String {
            do {
                _ = try ExamCatalogue(folder: path)
                return "nothing"
            } catch { return error.sentence }
        }
    }

    @Test func customExamsAreListedBesideTheBuiltInOnes() throws {
        let exams = try Exams()
        let catalogue = try ExamCatalogue(folder: exams.path)
        #expect(catalogue.formats.map(\.id) == ["brief", "short"] + ExamFormat.builtInNames)
        #expect(catalogue.papers.map(\.id) == ["few"] + Paper.builtInNames)
        #expect(catalogue.fitting(try #require(catalogue.format("short"))).first?.id == "few")
        #expect(try ExamCatalogue(folder: nil).formats.map(\.id) == ExamFormat.builtInNames)
    }

    @Test func invalidExamsAreNamed() throws {
        let broken = try Exams()
        try broken.write("{ \"version\": 1,", to: "papers/few.json")
        #expect(broken.sentence.hasPrefix("\(broken.path)/papers/few.json"))

        let taken = try Exams()
        try taken.write(taken.read("papers/few.json"), to: "papers/other.json")
        #expect(
            taken.sentence
                == "\(taken.path)/papers/other.json: id: there is another one called \"few\"; give it an id of its own")

        let alone = try Exams()
        try alone.write(
            alone.read("formats/short.json").replacing("\"section\": \"card\"", with: "\"section\": \"cards\""),
            to: "formats/short.json")
        #expect(alone.sentence.contains("formats/short.json: none of the papers fits it"))

        let strange = try Exams()
        try FileManager.default.removeItem(atPath: strange.path + "/formats/short.json")
        try strange.write(
            strange.read("papers/few.json").replacing("\"topics\"", with: "\"subjects\""), to: "papers/few.json")
        #expect(strange.sentence.contains("papers/few.json: fits none of the formats"))

        #expect(throws: Problem.self) { try ExamCatalogue(folder: "/nowhere") }
    }

    @Test func aCustomExamIsOfferedAndMade() async throws {
        let exams = try Exams()
        let server = try await RunningServer { $0.ownExams = exams.path }
        let user = UUID()
        let choices = try await server.ask("GET", "/v1/exams/choices", as: user).object
        let format = (choices["formats"] as? [[String: Any]])?.first { $0["id"] as? String == "short" }
        #expect((format?["papers"] as? [String])?.first == "few")
        // The server chooses the paper if the request doesn't name one.
        let made = try await server.ask("POST", "/v1/exams", ["format": "short", "consent": true], as: user)
        #expect(made.status == 201)
        #expect(made.object["paper"] as? String == "few")
        let wrong = try await server.ask(
            "POST", "/v1/exams", ["format": "ielts-style", "paper": "few", "consent": true], as: user)
        #expect(wrong.status == 400)
        let templates = try await server.ask("GET", "/v1/templates", as: user)
        #expect(String(decoding: templates.body, as: UTF8.self).contains("A speaking test of a minute"))
        await server.stop()
    }
}
