import Glibc
import SystemSupport

/// Slows speech without changing its pitch, for learners who write down what they hear.
public enum SlowedSound {
    /// Pieces of 40 ms that overlap by half: at least two periods of a deep voice.
    private static let piece = 640
    private static let step = piece / 2
    /// The distance from its place within which a piece is searched for: half a period of a voice of 50 Hz.
    private static let reach = 160

    /// Writes a slowed copy of a whole recording to a WAV file without a name. While the descriptor is open,
    /// `/proc/self/fd/N` opens the file again.
    ///
    /// - Parameter speed: 0.5 … 1.
    /// - Returns: the file's descriptor, which the caller must close.
    /// - Throws: `SoundFileError` if the recording cannot be decoded, or the disk is full.
    public static func file(of path: String, speed: Double) throws(SoundFileError) -> Int32 {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        let file = NamelessFile.open()
        guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
        do throws(SoundFileError) {
            // libsndfile closes the descriptor that it gets.
            let writer = try SoundFileWriter(file: dup(file), path: path, encoding: .wav)
            try writer.write(slow(Array(samples.prefix(reader.sampleCount)), to: speed)[...])
            try writer.close(durably: false)
            return file
        } catch {
            close(file)
            throw error
        }
    }

    /// Places overlapping pieces of the sound, each at the position that best continues the one before (WSOLA:
    /// Verhelst & Roelands, ICASSP 1993).
    ///
    /// - Parameters:
    ///   - samples: 16 kHz mono.
    ///   - speed: 0.5 … 1. 0.75 makes four seconds of three.
    /// - Returns: `samples.count / speed` samples, give or take a piece. It takes about 5 ms a second of sound.
    public static func slow(_ samples: [Float], to speed: Double) -> [Float] {
        precondition((0.5...1).contains(speed))
        guard samples.count > 2 * piece, speed < 1 else { return samples }
        let window = (0..<piece).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(piece)) }
        let last = samples.count - piece
        var slowed = [Float](repeating: 0, count: Int(Double(samples.count) / speed) + piece)
        var (place, written, number) = (0, 0, 0)
        while true {
            for index in 0..<piece { slowed[written + index] += samples[place + index] * window[index] }
            number += 1
            written += step
            let due = Int(Double(number * step) * speed)
            guard due <= last, written + piece <= slowed.count else { break }
            place = best(near: due, after: min(place + step, last), in: samples, last)
        }
        return Array(slowed.prefix(written + step))
    }

    /// Returns the position near `due` whose sound is most similar to the sound that would have come next.
    private static func best(near due: Int, after next: Int, in samples: [Float], _ last: Int) -> Int {
        var (best, most) = (due, -Float.infinity)
        for place in stride(from: max(0, due - reach), through: min(last, due + reach), by: 2) {
            var likeness: Float = 0
            for index in stride(from: 0, to: piece, by: 4) {
                likeness += samples[place + index] * samples[next + index]
            }
            if likeness > most { (best, most) = (place, likeness) }
        }
        return best
    }
}
