import AudioFiles
import EarScores
import Foundation

/// The labelled recordings that detectors are compared on: sets (folders with sound and `labels.csv`), and `noise/`.
///
/// The data is no part of the project; `ORACY_VAD_DATA` names a folder of the same layout.
struct LabelledSound {
    /// All detectors hear the same files in one of these.
    struct Condition {
        /// A set as it is, or the set `answers` in a noise.
        var title: String
        var recordings: [Recording] = []
    }

    struct Recording {
        /// Its path below the folder that was written to, without `.wav`.
        var name: String
        var labelled: Speech
        /// Seconds.
        var duration: Double
    }

    let folder: String

    /// Where the data lies, beside the project; nil where it is not.
    init?(_ top: String) {
        folder = ProcessInfo.processInfo.environment["ORACY_VAD_DATA"] ?? top + "/../shared/data/vad"
        if sets.isEmpty { return nil }
    }

    /// The set that noises are mixed into, and how many of its files are: every third.
    private static let noisySet = "answers"
    private static let step = 3

    /// Writes each set as it is, and the answers in each noise, as WAV of 16 bits.
    ///
    /// - Parameter ratio: of speech to noise, dB.
    func write(to folder: String, ratio: Double) throws -> [Condition] {
        var conditions: [Condition] = []
        for set in sets {
            var condition = Condition(title: "\(set), clean")
            for sound in try sounds(in: set) {
                try condition.recordings.append(keep(sound, as: "\(set)_clean", in: folder) { sound, _ in sound })
            }
            conditions.append(condition)
        }
        guard sets.contains(Self.noisySet) else { return conditions }
        let answers = try sounds(in: Self.noisySet)
        for path in soundFiles(in: "noise") {
            let kind = Self.name(path)
            let noise = try Self.samples(path)
            var condition = Condition(title: "\(Self.noisySet) + \(kind), \(Self.text(ratio)) dB")
            for index in stride(from: 0, to: answers.count, by: Self.step) {
                let answer = answers[index]
                let subfolder = "\(Self.noisySet)_\(kind)_\(Self.text(ratio))"
                let recording = try keep(answer, as: subfolder, in: folder) { sound, name in
                    let pcm = NoiseMixture.pcm(
                        sound, answer.labelled, in: noise, named: "\(name)|\(kind)", ratio: ratio)
                    guard let pcm else { fail("\(answer.path) or \(kind) is silent: they have no ratio") }
                    return pcm.map { Float($0) / 32_768 }
                }
                condition.recordings.append(recording)
            }
            conditions.append(condition)
        }
        return conditions
    }

    private func keep(
        _ sound: (path: String, labelled: Speech), as subfolder: String, in folder: String,
        change: ([Float], String) -> [Float]
    ) throws -> Recording {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(subfolder)", withIntermediateDirectories: true)
        let name = Self.name(sound.path)
        let samples = change(try Self.samples(sound.path), name)
        try GrowingWAV(path: "\(folder)/\(subfolder)/\(name).wav").append(samples)
        return Recording(
            name: "\(subfolder)/\(name)", labelled: sound.labelled, duration: Double(samples.count) / 16_000)
    }

    // MARK: - What lies where

    private var sets: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/labels.csv") }.sorted()
    }

    private func soundFiles(in subfolder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)")) ?? []
        return names.filter { $0.hasSuffix(".flac") || $0.hasSuffix(".wav") }.sorted().map {
            "\(folder)/\(subfolder)/\($0)"
        }
    }

    private func sounds(in set: String) throws -> [(path: String, labelled: Speech)] {
        let table = "\(folder)/\(set)/labels.csv"
        do {
            let labels = try Speech.byFile(csv: String(contentsOfFile: table, encoding: .utf8))
            return soundFiles(in: set).map { ($0, labels[Self.name($0)] ?? Speech([])) }
        } catch let error as SpeechTableError {
            fail("\(table): \(error)")
        }
    }

    /// A whole recording of 16 kHz, mono.
    static func samples(_ path: String) throws -> [Float] {
        let reader = try SoundFileReader(path: path)
        guard reader.sampleRate == 16_000, reader.channelCount == 1 else { fail("\(path) is not 16 kHz mono") }
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 1 << 16)
        while true {
            let count = try reader.read(buffer.count, into: &buffer)
            samples += buffer[..<count]
            if count < buffer.count { return samples }
        }
    }

    private static func name(_ path: String) -> String {
        URL(filePath: path).deletingPathExtension().lastPathComponent
    }

    private static func text(_ ratio: Double) -> String {
        ratio == ratio.rounded() ? "\(Int(ratio))" : "\(ratio)"
    }
}
