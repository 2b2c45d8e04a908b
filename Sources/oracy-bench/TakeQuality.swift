import AudioFiles
import ExamKit
import Foundation
import Glibc

/// Measures the loss of quality in takes and its cost: people's answers as exams store them, compared with libopus at
/// its highest effort.
///
/// Uses the labelled answers beside the project (`ORACY_VAD_DATA`), or else its own synthetic ones.
struct TakeQuality {
    /// The seconds of each answer that are used. PESQ is made for short recordings.
    private static let length = 20
    private static let most = 18

    private let sounds: [[Float]]
    private let about: String
    private let work: String

    init(top: String, work: String) throws {
        let data = ProcessInfo.processInfo.environment["ORACY_VAD_DATA"] ?? "\(top)/../shared/data/vad"
        let learners = try? files.contentsOfDirectory(atPath: data + "/answers")
        let folder = learners == nil ? "\(top)/AudioFixtures/answers" : data + "/answers"
        let names = try files.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".flac") }.sorted()
        let step = max(1, names.count / Self.most)
        sounds = try stride(from: 0, to: names.count, by: step).map { index in
            Array(try CutSound.samples("\(folder)/\(names[index])").prefix(Self.length * AudioFormat.sampleRate))
        }
        about = "\(sounds.count) \(learners == nil ? "synthetic answers" : "learners' answers")"
        self.work = work
    }

    func measure() throws {
        section("takes: \(about), 32 kbit/s")
        for (name, effort) in [("as stored", OpusFileWriter.Effort.usual), ("with the most effort", .most)] {
            let began = threadTime()
            var bytes = 0
            for (number, sound) in sounds.enumerated() {
                let path = "\(work)/\(number).opus"
                let writer = try OpusFileWriter(path: path, bitRate: AnswerRecorder.opusBitRate, effort: effort)
                try writer.write(sound[...])
                try writer.close(durably: false)
                bytes += try files.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            }
            let seconds = Double(sounds.reduce(0) { $0 + $1.count }) / Double(AudioFormat.sampleRate)
            let cost = (threadTime() - began) / seconds
            let copies = try sounds.indices.map { Array(try CutSound.samples("\(work)/\($0).opus")) }
            let noise = zip(sounds, copies).map(Self.signalToNoise)
            print("  \(name)")
            print("    CPU              \(decimal(cost * 1000, 2)) ms a second")
            print("    rate             \(decimal(Double(bytes) * 8 / seconds / 1000, 1)) kbit/s")
            print("    signal to noise  \(Self.text(noise, "dB", places: 1))")
            print("    PESQ             \(try pesq(copies).map { Self.text($0, "", places: 2) } ?? "not installed")")
        }
    }

    /// Returns nil if PESQ isn't installed.
    private func pesq(_ copies: [[Float]]) throws -> [Double]? {
        let process = Process()
        process.executableURL = URL(filePath: top + "/.build/peers/bin/python")
        process.arguments =
            try [top + "/Sources/oracy-bench/Peers/pesq_of.py"]
            + zip(sounds, copies).enumerated().flatMap { number, pair in
                let paths = ["\(work)/\(number)-original.wav", "\(work)/\(number)-copy.wav"]
                try Data(WAVBytes.of(pair.0)).write(to: URL(filePath: paths[0]))
                // As long as the original, because the last block is padded.
                try Data(WAVBytes.of(Array(pair.1.prefix(pair.0.count)))).write(to: URL(filePath: paths[1]))
                return paths
            }
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? said.split(separator: "\n").compactMap { Double($0) } : nil
    }

    private static func signalToNoise(of sound: [Float], _ copy: [Float]) -> Double {
        let (power, noise) = zip(sound, copy).reduce((0.0, 0.0)) { sums, pair in
            let (sample, rest) = (Double(pair.0), Double(pair.0 - pair.1))
            return (sums.0 + sample * sample, sums.1 + rest * rest)
        }
        return 10 * log10(power / noise)
    }

    private static func text(_ figures: [Double], _ unit: String, places: Int) -> String {
        let mean = figures.reduce(0, +) / Double(figures.count)
        return "\(decimal(mean, places)) \(unit) in the mean, \(decimal(figures.min() ?? .nan, places)) at least"
    }
}
