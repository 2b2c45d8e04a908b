import AudioFiles

/// Recordings in the form that the benchmark needs: their audible ranges, and answers that end abruptly instead of
/// decaying.
enum CutSound {
    static func samples(_ path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return samples
    }

    /// Returns the seconds after the last audible sample.
    static func tail(_ path: String) throws -> Double {
        let samples = try samples(path)
        let last = samples.lastIndex { abs($0) > Float(DatedRecording.audible) / 32_768 } ?? 0
        return try seconds(duration(ofSoundFile: path)) - Double(last + 1) / 16_000
    }

    /// Returns the middle of the longest stretch without a gap of 10 ms, the best place to interrupt a recording.
    static func middleOfSound(_ path: String) throws -> Double {
        let samples = try samples(path)
        let loud = stride(from: 0, to: samples.count - 159, by: 160).map { frame in
            samples[frame..<(frame + 160)].contains { abs($0) > 0.03 }
        }
        var best = 0..<0
        var begin = 0
        for (frame, isLoud) in (loud + [false]).enumerated() where !isLoud {
            if frame - begin > best.count { best = begin..<frame }
            begin = frame + 1
        }
        return Double(best.lowerBound + best.upperBound) / 2 / 100
    }

    /// Writes an answer up to its last loud 10 ms (RMS over −26 dBFS), faded over the last 2 ms, so that its end is
    /// sharp.
    static func cut(_ path: String, to new: String) throws {
        var samples = try samples(path)
        let loud = stride(from: 0, to: samples.count - 159, by: 160).reversed().first { frame in
            samples[frame..<(frame + 160)].reduce(0) { $0 + $1 * $1 } / 160 > 0.0025
        }
        guard let loud else { fail("\(path) is never loud") }
        samples.removeSubrange((loud + 160)...)
        for index in 0..<32 { samples[samples.count - 1 - index] *= Float(index) / 32 }
        let writer = try SoundFileWriter(path: new, encoding: .wav)
        try writer.write(samples[...])
        try writer.close(durably: false)
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
