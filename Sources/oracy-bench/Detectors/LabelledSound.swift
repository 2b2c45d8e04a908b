import AudioFiles
import DetectorScores
import Foundation

/// The labelled recordings for comparing detectors: sets (folders with sound and `labels.csv`), and `noise/`.
///
/// The data isn't part of the project. `ORACY_VAD_DATA` names a folder with the same layout. Everything is read once
/// and kept in memory.
struct LabelledSound {
    /// The sets in order of their names.
    let sets: [(name: String, recordings: [LabelledRecording])]
    /// The noises of the data, in order of their names.
    let noises: [Noise]
    /// This project's own noises: `AudioFixtures/noise`.
    let ownNoises: [Noise]
    /// Noises of kinds that none of the folds' detectors was fitted to: `.build/training/noises`, which `make
    /// bench-vad` fills.
    let unknownNoises: [Noise]

    struct Noise {
        /// The file's name without folder and extension.
        var name: String
        /// 16 kHz, full scale ±1.
        var samples: [Double]
    }

    /// Reads the data beside the project, or in `ORACY_VAD_DATA`; nil if it contains no set.
    init?(_ top: String) throws {
        let folder = ProcessInfo.processInfo.environment["ORACY_VAD_DATA"] ?? top + "/../shared/data/vad"
        sets = try Self.names(in: folder).compactMap { name in
            let labels = "\(folder)/\(name)/labels.csv"
            guard FileManager.default.fileExists(atPath: labels) else { return nil }
            return (name, try Self.recordings(in: "\(folder)/\(name)", labels))
        }
        noises = try Self.noises(in: folder + "/noise")
        ownNoises = try Self.noises(in: top + "/AudioFixtures/noise")
        unknownNoises = try Self.noises(in: top + "/.build/training/noises")
        if sets.isEmpty { return nil }
    }

    func noise(_ name: String) -> Noise? { (noises + ownNoises).first { $0.name == name } }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private static func soundFiles(in folder: String) -> [String] {
        names(in: folder).filter { $0.hasSuffix(".flac") || $0.hasSuffix(".wav") }.map { "\(folder)/\($0)" }
    }

    private static func noises(in folder: String) throws -> [Noise] {
        try soundFiles(in: folder).map { Noise(name: name($0), samples: try samples($0).map { Double($0) }) }
    }

    private static func recordings(in folder: String, _ table: String) throws -> [LabelledRecording] {
        do {
            let labels = try Speech.byFile(csv: String(contentsOfFile: table, encoding: .utf8))
            return try soundFiles(in: folder).map { path in
                LabelledRecording(
                    name: name(path), samples: try samples(path).map { Double($0) },
                    speech: labels[name(path)] ?? Speech([]))
            }
        } catch let error as SpeechTableError {
            fail("\(table): \(error)")
        }
    }

    /// Returns the samples of a recording, which must be 16 kHz mono.
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
}
