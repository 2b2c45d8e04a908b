import Foundation
import Glibc
import Waiting

/// Speaking and listening through clients of their own, `pacat` and `parec`: mono, 48 kHz, float, full scale ±1.
extension SoundServer {
    /// Plays samples into a sink and returns when the last has been played, which takes as long as they last and 0.1 s.
    /// - Throws: `CommandFailure`; `.unanswered` if it takes longer by the ceiling of a wait, as when the server is frozen.
    public func play(_ samples: [Float], into sink: String) throws {
        let sound = try den.write(samples.withUnsafeBytes { Data($0) }, to: "\(UUID().uuidString).f32")
        defer { unlink(sound) }
        // Half a second ahead, so that a busy machine makes no gaps.
        let playing = try den.begin(
            "pacat", ["--playback", "--device=\(sink)", "--latency-msec=500"] + Self.format + [sound],
            environment: environment)
        _ = try playing.answer(within: .seconds(Double(samples.count) / 48_000) + Patience.limit)
    }

    /// Returns what a source delivers while `body` runs, and 0.3 s of sound after, so that what is under way arrives.
    ///
    /// `body` starts when the first samples are there. A source that delivers nothing throws after the ceiling of a wait.
    public func record(from source: String, while body: () throws -> Void) throws -> [Float] {
        // 20 ms is one block of Oracy's; unasked, `parec` hears nothing for up to 2 s.
        let recording = try den.begin(
            "parec", ["--device=\(source)", "--latency-msec=20"] + Self.format, environment: environment)
        defer {
            recording.process.stop()
            recording.forget()
        }
        let delivers = Patience.poll { () -> Bool? in
            if recording.process.status != nil { return false }
            return byteCount(of: recording.output) > 0 ? true : nil
        }
        switch delivers {
        case true?: break
        case false?: _ = try recording.answer(within: .zero)
        case nil: throw CommandFailure.unanswered(command: recording.line, after: Patience.limit)
        }
        try body()
        // Counted in what arrives, not by the clock: on a busy machine it arrives late, and all of it.
        let enough = byteCount(of: recording.output) + 48_000 * 4 * 3 / 10
        _ = Patience.poll { recording.process.status != nil || byteCount(of: recording.output) >= enough ? true : nil }
        recording.process.stop()
        let sound = try Data(contentsOf: URL(filePath: recording.output))
        return sound.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    private func byteCount(of path: String) -> Int {
        var file = stat()
        return stat(path, &file) == 0 ? file.st_size : 0
    }

    private static let format = ["--raw", "--format=float32le", "--rate=48000", "--channels=1"]
}
