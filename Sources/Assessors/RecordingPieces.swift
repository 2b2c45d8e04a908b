import Assessment
import AudioFiles
import HTTPClient

/// Cuts recordings into pieces in the form that services accept: WAV, 16 kHz, mono, 16 bit.
enum RecordingPieces {
    /// Cuts a recording.
    ///
    /// - Parameters:
    ///   - pieces: stretches in seconds of the recording that do not overlap.
    ///   - duration: the length of the recording. A piece that ends there contains the whole rest, even if times were
    ///     rounded.
    /// - Returns: one file for each piece, in memory: 32 kB a second.
    /// - Throws: `ServiceFailure.refused` if the recording cannot be decoded.
    static func wav(_ path: String, _ pieces: [TimeRange], of duration: Double) throws(ServiceFailure) -> [[UInt8]] {
        try samples(path, pieces, of: duration).map(WAVBytes.of)
    }

    /// Cuts a recording as `wav` does.
    ///
    /// - Returns: the samples of each piece: 16 kHz, mono, full scale ±1.
    static func samples(
        _ path: String, _ pieces: [TimeRange], of duration: Double
    ) throws(ServiceFailure) -> [[Float]] {
        func sample(_ second: Double) -> Int { Int((second * Double(AudioFormat.sampleRate)).rounded()) }
        let ranges = pieces.map { sample($0.start)..<($0.end >= duration ? Int.max : sample($0.end)) }
        var samples: [[Float]] = pieces.map { _ in [] }
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            var at = 0
            while let block = try reader.next() {
                let heard = at..<reader.sampleCount  // Less than a block at the end.
                for (number, range) in ranges.enumerated() where range.overlaps(heard) {
                    let own = range.clamped(to: heard)
                    samples[number] += block.samples[(own.lowerBound - at)..<(own.upperBound - at)]
                }
                at = heard.upperBound
            }
        } catch {
            throw ServiceFailure(.refused, "the recording cannot be decoded")
        }
        return samples
    }
}
