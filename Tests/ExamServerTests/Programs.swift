import AudioFiles
import Foundation

@testable import ExamServer

/// What programs of others are given to try the server.
enum Programs {
    /// A sound file at 16 kHz mono.
    static func samples(of path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return Array(samples.prefix(reader.sampleCount))
    }

    /// A recorded answer as a microphone gives it, as WAV.
    static func answer(in folder: String) throws -> String {
        let path = folder + "/answer.wav"
        try GrowingWAV(path: path).append(samples(of: "AudioFixtures/answers/building-1.flac"))
        return path
    }

    /// A server for many short exams: `--format short --paper few`.
    static func serverForThePage(exams: String = "Page/exams") async throws -> RunningServer {
        try await RunningServer {
            $0.ownExams = file(exams)
            $0.limits.requestsPerMinute = 100_000
            $0.limits.examsPerDay = 1_000
        }
    }

    /// Beside this file.
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }
}
