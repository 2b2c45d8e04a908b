import AudioFiles
import DetectorScores
import Foundation
import Testing
import VoiceActivity

/// The detector on labelled answers of people who learn English. The data isn't part of the project.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: folder), "no labelled speech in \(folder)"))
struct RealSpeech {
    /// F1 of frames of 10 ms, comparing labels with the detector: 0.952. Every third file of 52.
    @Test func speechIsFoundAsPeopleLabelIt() throws {
        let labels = try Speech.byFile(csv: String(contentsOfFile: folder + "labels.csv", encoding: .utf8))
        var score = DetectorScore()
        for file in labels.keys.sorted().enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
            let sound = try sound(ofFile: folder + file + ".flac")
            score.add(
                labelled: labels[file]!, heard: speech(heardIn: sound), duration: Double(sound.count) / 16_000)
        }
        try #require(score.frames > 20_000)
        #expect(score.f1 >= 0.94)
    }

    private func sound(ofFile path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var sound: [Float] = []
        while let block = try reader.next() { sound += block.samples }
        return sound
    }

    private func speech(heardIn sound: [Float]) -> Speech {
        let voices = changes(in: sound).voices(until: sound.count)
        return Speech(voices.map { Double($0.lowerBound) / 16_000..<Double($0.upperBound) / 16_000 })
    }
}

/// The labelled data is beside the project, or in `ORACY_VAD_DATA`.
private let folder =
    (ProcessInfo.processInfo.environment["ORACY_VAD_DATA"]
        ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/vad")
        .standardized.path) + "/answers/"
