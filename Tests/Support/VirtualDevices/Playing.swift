import Foundation
import Glibc
import Waiting

/// Speaking and listening through the clients `pacat` and `parec`: mono, 48 kHz, float, full scale ±1.
extension SoundServer {
    /// Plays samples into a sink and returns when the last has been played, 0.1 s longer than they last.
    /// - Throws: `CommandFailure`; `.unanswered` if it takes longer than the limit of a wait, for example because the
    ///   server is frozen.
    public func play(_ samples: [Float], into sink: String) throws {
        let sound = try den.write(samples.withUnsafeBytes { Data($0) }, to: "\(UUID().uuidString).f32")
        defer { unlink(sound) }
        // Half a second ahead, so that a busy machine causes no gaps.
        let playing = try den.begin(
            "pacat", ["--playback", "--device=\(sink)", "--latency-msec=500"] + Self.format + [sound],
            environment: environment)
        _ = try playing.answer(within: .seconds(Double(samples.count) / 48_000) + Patience.limit)
    }

    /// Returns the sound of a source while `body` runs, and 0.3 s longer, so that sound in transit arrives.
    ///
    /// `body` starts when the first samples are there. If the source delivers nothing, this throws after the limit of a
    /// wait.
    public func record(from source: String, while body: () throws -> Void) throws -> [Float] {
        // 20 ms is one block of Oracy's. By default, `parec` hears nothing for up to 2 s.
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
        // Counted in arrived data, not by the clock: on a busy machine it arrives late but completely.
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
