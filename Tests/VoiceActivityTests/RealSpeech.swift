import AudioFiles
import Foundation
import Testing
import VoiceActivity

/// The detector on labelled answers of people who learn English; the data is no part of the project.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: folder), "no labelled speech in \(folder)"))
struct RealSpeech {
    /// F1 of the frames of 10 ms, by label and by ear: 0.952. Every third file, of 52.
    @Test func speechIsFoundAsPeopleLabelIt() throws {
        let labels = try labels()
        var (both, labelled, found) = (0, 0, 0)
        // A frame is speech where its centre is.
        for file in labels.keys.sorted().enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
            let sound = try sound(ofFile: folder + file + ".flac")
            let frames = sound.count / 160
            let truth = speechFrames(in: labels[file]!, of: frames)
            let heard = speechFrames(in: segments(heardIn: sound), of: frames)
            labelled += truth.count(where: { $0 })
            found += heard.count(where: { $0 })
            both += zip(truth, heard).count(where: { $0 && $1 })
        }
        try #require(labelled > 10_000)
        let f1 = 2 * Double(both) / Double(labelled + found)
        #expect(f1 >= 0.94)
    }

    /// Seconds of speech, by file.
    private func labels() throws -> [String: [Range<Double>]] {
        let lines = try String(contentsOfFile: folder + "labels.csv", encoding: .utf8).split(
            whereSeparator: \.isNewline)
        var labels: [String: [Range<Double>]] = [:]
        for line in lines.dropFirst() {
            let columns = line.split(separator: ",")
            let (start, end) = try (#require(Double(columns[1])), #require(Double(columns[2])))
            labels[String(columns[0]), default: []].append(start..<end)
        }
        return labels
    }

    private func sound(ofFile path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var sound: [Float] = []
        while let block = try reader.next() { sound += block.samples }
        return sound
    }

    private func segments(heardIn sound: [Float]) -> [Range<Double>] {
        var segments: [Range<Double>] = []
        var beginning: Double?
        for change in changes(in: sound) {
            switch change {
            case .began(let sample): beginning = Double(sample) / 16_000
            case .ended(let sample):
                segments.append(beginning!..<Double(sample) / 16_000)
                beginning = nil
            }
        }
        if let beginning { segments.append(beginning..<Double(sound.count) / 16_000) }
        return segments
    }

    private func speechFrames(in segments: [Range<Double>], of count: Int) -> [Bool] {
        (0..<count).map { frame in
            let centre = (Double(frame) + 0.5) / 100
            return segments.contains { $0.contains(centre) }
        }
    }
}

private let folder =
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/vad/answers/")
    .standardized.path
    + "/"
