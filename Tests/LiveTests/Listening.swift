import AudioFiles
import ExamCore
import ExamKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PulseRoom

/// What came from a device, and when: filled on libpulse's thread, read by a test.
final class Heard: Sendable {
    struct State {
        var samples: [Float] = []
        /// When the block that ends at this count arrived.
        var arrivals: [(count: Int, at: Duration)] = []
        var lost: [Duration] = []
        var trouble: Exam.Trouble?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    /// How many samples had arrived at a moment.
    func count(at moment: Duration) -> Int {
        state.withLock { $0.arrivals.last { $0.at <= moment }?.count ?? 0 }
    }

    /// Waits until so much more sound has arrived.
    func more(_ span: Duration) async throws {
        let enough = now.samples.count + span.milliseconds * 16
        try await eventually("\(span) of sound arrive") { now.samples.count >= enough }
    }

    var report: @Sendable (Recorder.Report) -> Void {
        { report in
            self.state.withLock { state in
                switch report {
                case .heard(let block):
                    state.samples += block.samples
                    state.arrivals.append((state.samples.count, SteadyClock.now))
                case .lost(let span): state.lost.append(span)
                case .failed(let trouble): state.trouble = trouble
                case .silenced: state.trouble = .microphoneMuted
                }
            }
        }
    }
}

/// Counts how plays ended.
final class Endings: Sendable {
    private let state = Mutex<[Player.Ending]>([])

    var all: [Player.Ending] { state.withLock { $0 } }

    var report: @Sendable (Player.Ending) -> Void {
        { ending in self.state.withLock { $0.append(ending) } }
    }
}

enum Sounds {
    static func tone(_ frequency: Double = 1000, seconds: Double, amplitude: Float = 0.5) -> [Float] {
        (0..<Int(seconds * 16_000)).map { amplitude * Float(sin(2 * .pi * frequency * Double($0) / 16_000)) }
    }

    static func write(_ samples: [Float], to path: String) throws {
        let writer = try SoundFileWriter(path: path, encoding: .wav)
        try writer.write(samples[...])
        try writer.close(durably: false)
    }

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path

    static func samples(_ path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return samples
    }

    /// Where the loudest piece of so many samples begins, to a hundredth of a second.
    static func loudest(_ count: Int, in samples: ArraySlice<Float>) -> Int {
        let starts = stride(from: samples.startIndex, through: samples.endIndex - count, by: 160)
        func power(_ start: Int) -> Float { samples[start..<(start + count)].reduce(0) { $0 + $1 * $1 } }
        return starts.max { power($0) < power($1) } ?? samples.startIndex
    }

    /// Where in `heard` the piece begins, and how alike they are there: 1 is the same but for its loudness.
    static func place(_ piece: ArraySlice<Float>, in heard: ArraySlice<Float>) -> (offset: Int, likeness: Float) {
        var best = (offset: 0, likeness: Float(-1))
        let energy = piece.reduce(0) { $0 + $1 * $1 }
        piece.withUnsafeBufferPointer { piece in
            heard.withUnsafeBufferPointer { heard in
                guard heard.count >= piece.count else { return }
                for offset in 0...(heard.count - piece.count) {
                    var product: Float = 0
                    var own: Float = 0
                    // Every sixteenth sample: the same piece shows there too, at a sixteenth of the cost.
                    var index = 0
                    while index < piece.count {
                        product += piece[index] * heard[offset + index]
                        own += heard[offset + index] * heard[offset + index]
                        index += 16
                    }
                    let likeness = product / max((own * energy / 16).squareRoot(), 1e-9)
                    if likeness > best.likeness { best = (offset, likeness) }
                }
            }
        }
        return best
    }
}

extension AudioDevice {
    /// What a loudspeaker plays, as a test hears it: an exam never takes it for a microphone.
    static func monitor(_ name: String) -> AudioDevice {
        AudioDevice(
            kind: .microphone, name: name, description: "", isDefault: false, isMuted: false, isMonitor: false,
            sampleRate: 48_000, channelCount: 1)
    }
}
