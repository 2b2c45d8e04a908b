import Assessors
import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Whole journeys of clients in Python that know only the field tables of the reference applications.
@Suite(.store(only: .sqlite, because: "the application reads the tables, here in the database's file"))
struct ReferenceJourneys {
    private let user = UUID()

    private func journey(
        _ name: String, on server: RunningServer, _ arguments: [String] = []
    ) async throws -> [String: Any] {
        let (status, said) = await Trials.run(
            "/usr/bin/env",
            [
                "python3", Programs.file("Client/reference-journeys.py"), name, server.url,
                user.uuidString.lowercased(),
                try await RunningServer.token(of: user),
            ] + arguments)
        try #require(status == 0, "\(name): \(said.suffix(2000))")
        print("a reference application, \(name): \(said.trimmingCharacters(in: .whitespacesAndNewlines))")
        return try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    }

    private static let ffmpeg = "/usr/bin/ffmpeg"

    /// The application records AAC in m4a, at 16 kHz and 32 kbit/s.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: ffmpeg), "no /usr/bin/ffmpeg: apt-get install ffmpeg"))
    func anExamIsUploadedAsRecordingsAndReadFromTheTables() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        open.finish()
        let server = try await RunningServer(assessors: ResultTests.Marker(mayGoOn: gate).panel)
        var recordings: [String] = []
        for name in ["building-1", "because"] {
            recordings.append("\(server.folder)/\(name).m4a")
            let (status, said) = await Trials.run(
                Self.ffmpeg,
                [
                    "-nostdin", "-v", "error", "-i", "AudioFixtures/answers/\(name).flac", "-ac", "1", "-ar", "16000",
                    "-c:a", "aac", "-b:a", "32k", recordings[recordings.count - 1],
                ])
            try #require(status == 0, "\(said)")
        }
        let told = try await journey("speaking", on: server, [server.folder + "/oracy.sqlite"] + recordings)
        #expect(
            told["answers"] as? Int == 3 && (told["seconds"] as? [Double])?.allSatisfy { $0 > 0.5 } == true, "\(told)")
        await server.stop()
    }

    @Test func aPracticeTestIsPlannedTakenAndGraded() async throws {
        let server = try await RunningServer()
        let told = try await journey("practice-test", on: server)
        #expect(told["course"] as? String == "English at work", "\(told)")
        await server.stop()
    }

    @Test func questionsAreDrilledAndBecomeTasks() async throws {
        let server = try await RunningServer()
        let told = try await journey("quiz-drill", on: server)
        #expect(told["tasks"] as? Int == 20, "\(told)")
        await server.stop()
    }

    @Test func aQuizIsHandedInOnceAndGraded() async throws {
        let server = try await RunningServer()
        let told = try await journey("quiz-submission", on: server, [try await RunningServer.token(of: UUID())])
        #expect(told["kinds"] as? Int == 6 && told["refused"] as? Int == 3, "\(told)")
        await server.stop()
    }

    /// On a Monday morning, so that all five days are open.
    @Test func aProfileBecomesAPlanThatIsMadeAnewInParts() async throws {
        let server = try await RunningServer(clock: SetClock())
        let told = try await journey("plan", on: server)
        #expect(told["version"] as? Int == 7, "\(told)")
        await server.stop()
    }
}
