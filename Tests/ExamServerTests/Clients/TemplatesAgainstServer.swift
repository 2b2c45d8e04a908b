import ExamCore
import ExamKit
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

@testable import Backends
@testable import ExamNode
@testable import ExamServer
@testable import ServerWork

/// The template sources of this server, and the library that stores their templates.
@Suite(.bothStores) struct TemplatesAgainstServer {
    private let user = UUID()

    private func source(_ destination: Destination, _ server: RunningServer) async throws -> any TemplateSource {
        let credentials = server.folder + "/client/credentials.json"
        try await destination.signIn(RunningServer.token(of: user), client: CurlClient(), credentials: credentials)
        return try #require(try destination.templateSource(client: CurlClient(), credentials: credentials))
    }

    private func signed(_ server: RunningServer) -> Destination {
        .signedURL(url: server.url + "/v1", user: user.uuidString.lowercased(), template: "")
    }

    /// Checks that a recording is fetched, and that fetching it again finds it unchanged.
    private func expectRecording(
        _ address: RecordingAddress, _ template: UUID, _ source: any TemplateSource, is sound: [UInt8]
    ) async throws {
        guard
            case .bytes(let bytes, let mediaType, let etag?) = try await source.recording(
                address, of: template, otherThan: nil)
        else {
            Issue.record("there is no recording, or it has no tag")
            return
        }
        #expect(bytes == sound && mediaType == "audio/wav")
        guard case .unchanged = try await source.recording(address, of: template, otherThan: etag) else {
            Issue.record("a recording that did not change was fetched again")
            return
        }
    }

    @Test func anOracyBackendGivesFormatPaperAndRecordings() async throws {
        let exams = try TemplateTests.RecordedExams()
        let server = try await RunningServer { $0.ownExams = exams.path }
        let source = try await source(.backend(url: server.url), server)
        let templates = try await source.templates()
        #expect(absentFields(of: templates) == [])
        let template = TemplateTests.RecordedExams.template
        #expect(templates.contains { $0.id == template })
        guard case .files(let format, let paper) = try await source.exam(template) else {
            Issue.record("the backend gives no format and paper")
            return
        }
        let read = try JSONFile.decode(Paper.self, "paper", version: 1, from: paper, name: "paper")
        #expect(read.id == "few")
        #expect(try JSONFile.decode(ExamFormat.self, "format", version: 1, from: format, name: "format").id == "short")
        let name = "sounds/where.wav"
        try await expectRecording(RecordingAddress(name: name, url: name), template, source, is: exams.sound)
        await server.stop()
    }

    @Test func anAPIOfSignedAddressesGivesQuestionsAndRecordings() async throws {
        let exams = try TemplateTests.RecordedExams()
        let server = try await RunningServer { $0.ownExams = exams.path }
        let source = try await source(signed(server), server)
        #expect(absentFields(of: try await source.templates()) == [])
        let template = TemplateTests.RecordedExams.template
        guard case .questions(let questions) = try await source.exam(template) else {
            Issue.record("the API gives no questions")
            return
        }
        #expect(absentFields(of: questions) == [])
        let address = try #require(questions.lazy.compactMap(\.recording).first)
        try await expectRecording(address, template, source, is: exams.sound)
        await server.stop()
    }

    @Test func aLibraryKeepsAnExamForTheTimeWithoutAServer() async throws {
        let server = try await RunningServer()
        let credentials = server.folder + "/client/credentials.json"
        let destination = Destination.backend(url: server.url)
        try await destination.signIn(RunningServer.token(of: user), client: CurlClient(), credentials: credentials)
        let home = NSTemporaryDirectory() + "oracy-library-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        let library = try TemplateLibrary(
            destination, client: CurlClient(), credentials: credentials, folder: home)
        let id = TemplateIDs.template("ielts-style", "bridges").uuidString
        let exam = try await library.exam(id)
        #expect(exam.offline == nil)
        #expect(try exam.format == ExamFormat.builtIn("ielts-style") && exam.paper == Paper.builtIn("bridges"))
        await server.stop()
        let kept = try await library.exam(id)
        #expect(kept.offline != nil && kept.paper == exam.paper)
    }
}
