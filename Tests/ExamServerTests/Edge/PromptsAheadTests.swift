import ExamCore
import ExamStore
import Foundation
import Logging
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// A server synthesizes the examiner's voice before the first candidate needs it.
@Suite(.bothStores(quick: .sqlite)) struct PromptsAheadTests {
    @Test(.endsIfItHangs) func promptsAreSynthesizedAhead() async throws {
        let folder = NSTemporaryDirectory() + "oracy-prompts-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var settings = ServerSettings(folder: folder)
        settings.ownExams = try Self.exams(in: folder)
        let store = try await TestDatabase.of(folder: folder).open()
        func services() throws -> Services {
            Services(
                settings: settings, store: store, audio: try FolderAudioStore(path: folder + "/audio"),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        }
        func spoken() -> Set<String> {
            Set((try? FileManager.default.contentsOfDirectory(atPath: folder + "/prompts")) ?? [])
        }
        let exams = try LiveExams(services())
        #expect(spoken().isEmpty)
        await PromptsAhead(exams: exams).speak()
        let before = spoken()
        #expect(!before.isEmpty)
        for format in exams.catalogue.formats {
            for paper in exams.catalogue.fitting(format) {
                _ = try await exams.preparedExams.exam(format, paper, ExamOptions(mode: .practice))
            }
        }
        #expect(spoken() == before, "an exam had to wait for words that were not spoken yet")

        // The server does so by default.
        for isWanted in [true, false] {
            settings.speaksAhead = isWanted
            let backend = try await ExamBackend(services(), signIn: .development)
            #expect(backend.background(workers: 0).contains { $0 is PromptsAhead } == isWanted)
        }
        await store.close()
    }

    /// Returns the page's exam, with a line that has no recording.
    private static func exams(in folder: String) throws -> String {
        let exams = folder + "/exams"
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Page/exams").standardized
            .path
        try FileManager.default.copyItem(atPath: page, toPath: exams)
        let format = try String(contentsOfFile: exams + "/formats/short.json", encoding: .utf8)
        #expect(format.contains("\"Go on.\""))
        try format.replacing("\"Go on.\"", with: "\"Go on whenever you like.\"")
            .write(toFile: exams + "/formats/short.json", atomically: true, encoding: .utf8)
        return exams
    }
}
