import AudioFiles
import Foundation

@testable import ExamNode
@testable import ExamServer

/// Files, sounds and servers for foreign programs that test the server.
enum Programs {
    /// Returns the samples of a sound file at 16 kHz mono.
    static func samples(of path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return Array(samples.prefix(reader.sampleCount))
    }

    /// Writes a recorded answer as WAV, like a microphone's sound.
    static func answer(in folder: String) throws -> String {
        let path = folder + "/answer.wav"
        try GrowingWAV(path: path).append(samples(of: "AudioFixtures/answers/building-1.flac"))
        return path
    }

    /// Starts a server for many short exams: `--format short --paper few`.
    static func serverForThePage(exams: String = "Page/exams") async throws -> RunningServer {
        try await RunningServer {
            $0.ownExams = file(exams)
            $0.limits.requestsPerMinute = 100_000
            $0.limits.examsPerDay = 1_000
        }
    }

    /// Returns the path of a file beside this one.
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }
}
