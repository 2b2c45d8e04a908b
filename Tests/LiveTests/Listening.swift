import AudioFiles
import ExamCore
import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import PulseRoom

/// The sound from a device with its times. libpulse's thread fills it, and a test reads it.
final class Heard: Sendable {
    struct State {
        var samples: [Float] = []
        /// The arrival of each block, with the number of samples up to its end.
        var arrivals: [(count: Int, at: Duration)] = []
        var lost: [Duration] = []
        var trouble: Exam.Trouble?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    /// Returns the number of samples that had arrived at a moment.
    func count(at moment: Duration) -> Int {
        state.withLock { $0.arrivals.last { $0.at <= moment }?.count ?? 0 }
    }

    /// Waits until this much more sound has arrived.
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

/// Collects the ends of plays.
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

    /// Returns the start of the loudest piece with this many samples, to a hundredth of a second.
    static func loudest(_ count: Int, in samples: ArraySlice<Float>) -> Int {
        let starts = stride(from: samples.startIndex, through: samples.endIndex - count, by: 160)
        func power(_ start: Int) -> Float { samples[start..<(start + count)].reduce(0) { $0 + $1 * $1 } }
        return starts.max { power($0) < power($1) } ?? samples.startIndex
    }

    /// Returns the offset in `heard` at which the piece is most alike, and its likeness: 1 is the same up to loudness.
    static func place(_ piece: ArraySlice<Float>, in heard: ArraySlice<Float>) -> (offset: Int, likeness: Float) {
        var best = (offset: 0, likeness: Float(-1))
        let energy = piece.reduce(0) { $0 + $1 * $1 }
        piece.withUnsafeBufferPointer { piece in
            heard.withUnsafeBufferPointer { heard in
                guard heard.count >= piece.count else { return }
                for offset in 0...(heard.count - piece.count) {
                    var product: Float = 0
                    var own: Float = 0
                    // Every sixteenth sample finds the same place, at a sixteenth of the cost.
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
    /// Returns a loudspeaker's monitor as a microphone for tests. An exam never uses one.
    static func monitor(_ name: String) -> AudioDevice {
        AudioDevice(
            kind: .microphone, name: name, description: "", isDefault: false, isMuted: false, isMonitor: false,
            sampleRate: 48_000, channelCount: 1)
    }
}
