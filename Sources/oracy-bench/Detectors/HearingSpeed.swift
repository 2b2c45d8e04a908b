import AudioFiles
import Foundation
import Glibc
import VoiceActivity

/// Measures the cost of hearing: this detector in Swift and WebRTC's in C, each in its own process, on the same sound.
///
/// Both have the sound in memory in their own form (±1 and 16 bits; an exam's sound is ±1 in any case). They hear it
/// once unmeasured, and then repeatedly until half a second of CPU is spent, on one thread.
struct HearingSpeed {
    private static let rounds = 15
    private static let reference = top + "/.build/webrtcvad/webrtc-speed"
    private static let tool = built + "/oracy-bench"

    /// The result of one measured process.
    struct Cost {
        /// The µs of CPU for a second of sound.
        var time: Double
        /// The bytes per stream.
        var state: Int
    }

    static func measure() throws {
        guard FileManager.default.isExecutableFile(atPath: reference) else {
            print(
                "hearing beside WebRTC in C is not measured: its source could not be fetched (.build/webrtcvad/log)\n")
            return
        }
        let sound = try fixtures()
        var ours: [Cost] = []
        var theirs: [[Cost]] = [[], []]
        for _ in 0..<rounds {
            ours.append(cost([tool, "hear", sound.path]))
            for (index, mode) in ["2", "3"].enumerated() { theirs[index].append(cost([reference, sound.path, mode])) }
        }
        func row(_ name: String, _ text: String) {
            print("  \(name.padding(toLength: 14, withPad: " ", startingAt: 0)) \(text)")
        }
        print("hearing, \(decimal(sound.seconds, 0)) s of answers: µs of CPU for a second of sound, \(rounds) rounds")
        row("oracy", Spread(figures: ours.map(\.time)).text("µs", places: 1))
        for (costs, mode) in zip(theirs, ["2", "3"]) {
            row(
                "WebRTC mode \(mode)",
                Spread(figures: costs.map(\.time)).text("µs", places: 1) + ", C at -O2, 10 ms frames")
            let ratios = zip(ours, costs).map { $0.time / $1.time }
            row("ratio", Spread(figures: ratios).text("×", places: 2))
        }
        print("  state a stream: oracy \(ours[0].state) bytes, WebRTC \(theirs[0][0].state) bytes\n")
    }

    /// `oracy-bench hear PCM`: does the same as `Peers/webrtc-speed.c`, with the same output.
    static func hear(_ path: String) throws {
        let state = stateSize()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let sound = bytes.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32_768 } }
        var detector = VoiceDetector()
        detector.listen()
        var changes = 0
        var (began, passes) = (0.0, -1)
        repeat {
            if passes == 0 { began = threadTime() }
            sound.withUnsafeBufferPointer { sound in
                // In the blocks of an exam.
                for start in stride(from: 0, to: sound.count, by: AudioFormat.blockSize) {
                    let block = sound[start..<min(start + AudioFormat.blockSize, sound.count)]
                    detector.hear(UnsafeBufferPointer(rebasing: block)) { _ in changes += 1 }
                }
            }
            passes += 1
        } while passes < 1 || threadTime() - began < 0.5
        let spent = threadTime() - began
        let seconds = Double(sound.count) / 16_000 * Double(passes)
        print(decimal(spent * 1e6 / seconds, 3), state, changes)
    }

    /// Returns the real size of a stream, arrays included: the growth of this process with many streams, divided by
    /// their number.
    private static func stateSize() -> Int {
        let count = 20_000
        let word = [Float](repeating: 0.01, count: AudioFormat.blockSize + 1)
        var detectors: [VoiceDetector] = []
        let before = residentBytes()
        detectors.reserveCapacity(count)
        for _ in 0..<count {
            var detector = VoiceDetector()
            detector.listen()
            // The length isn't a multiple of a frame, so that a frame is in progress.
            word.withUnsafeBufferPointer { detector.hear($0) { _ in } }
            detectors.append(detector)
        }
        let grown = residentBytes() - before
        return withExtendedLifetime(detectors) { max(grown / count, MemoryLayout<VoiceDetector>.size) }
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Writes the project's own recordings of answers, joined, as raw 16-bit samples.
    private static func fixtures() throws -> (path: String, seconds: Double) {
        let folder = top + "/AudioFixtures/answers"
        var sound: [Float] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".flac") {
            sound += try CutSound.samples("\(folder)/\(name)")
        }
        let pcm = sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
        let path = work + "/answers.pcm"
        try pcm.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        return (path, Double(sound.count) / 16_000)
    }

    private static func cost(_ words: [String]) -> Cost {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            fail("this cannot be started: \(words.joined(separator: " "))")
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let figures = text.split(whereSeparator: \.isWhitespace)
        guard process.terminationStatus == 0, figures.count == 3, let time = Double(figures[0]),
            let state = Int(figures[1])
        else { fail("this failed: \(words.joined(separator: " "))") }
        return Cost(time: time, state: state)
    }
}
