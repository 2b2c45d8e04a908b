import AudioFiles
import ExamCore
import ExamKit
import Foundation
import Testing

/// The project's own recordings, and small fixtures for single tests.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path

    static func answer(_ name: String) -> String { "\(folder)/answers/\(name).flac" }

    /// The examiner's recordings and nothing else: a missing one can't be spoken, because the cache can't be created.
    static let voice = ExaminerVoice(recordings: ["\(folder)/prompts"], cache: "/proc/nowhere")

    static var scenarios: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/scenarios")) ?? []
        return names.sorted()
    }

    /// Returns the third part of the IELTS-style exam alone, the shortest one that has everything.
    static func partThree(_ mode: ExamOptions.Mode = .test) async throws -> PreparedExam {
        try await PreparedExam(
            .builtIn("ielts-style"),
            .builtIn("bridges"),
            options: ExamOptions(mode: mode, part: 3),
            voice: voice
        )
    }

    /// Returns all samples of a sound file at 16 kHz.
    static func samples(_ path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return samples
    }

    static func write(_ samples: [Float], to path: String) throws {
        let writer = try SoundFileWriter(path: path, encoding: .wav)
        try writer.write(samples[...])
        try writer.close(durably: false)
    }
}
