import Glibc
import SystemSupport

/// Speech, slower and at its own pitch, for those who write down what they hear.
public enum SlowedSound {
    /// Pieces of 40 ms, over each other by half: two periods of a deep voice and more.
    private static let piece = 640
    private static let step = piece / 2
    /// How far from its place a piece is looked for: half a period of a voice of 50 Hz.
    private static let reach = 160

    /// A whole recording, slowed, as a WAV file without a name; what can be opened again as `/proc/self/fd/N` as long as it is open.
    ///
    /// - Parameter speed: 0.5 … 1.
    /// - Returns: its descriptor, for the caller to close.
    /// - Throws: `SoundFileError` where the recording cannot be decoded, or there is no room.
    public static func file(of path: String, speed: Double) throws(SoundFileError) -> Int32 {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        let file = NamelessFile.open()
        guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
        do throws(SoundFileError) {
            // libsndfile closes the one that it is given.
            let writer = try SoundFileWriter(file: dup(file), path: path, encoding: .wav)
            try writer.write(slow(Array(samples.prefix(reader.sampleCount)), to: speed)[...])
            try writer.close(durably: false)
            return file
        } catch {
            close(file)
            throw error
        }
    }

    /// Lays pieces of the sound nearer to each other than they were, each where it goes on best from the one before (WSOLA: Verhelst &
    /// Roelands, ICASSP 1993).
    ///
    /// - Parameters:
    ///   - samples: 16 kHz mono.
    ///   - speed: 0.5 … 1; 0.75 makes four seconds of three.
    /// - Returns: `samples.count / speed` samples, to a piece. It takes about 5 ms a second of sound.
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

    /// Where near a place the sound is most like what would have come next.
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
