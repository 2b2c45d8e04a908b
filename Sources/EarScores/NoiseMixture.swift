import Glibc

/// A recording in a noise, at a stated ratio of powers: as the labelled data's own script, `mix_vad.py`, makes it.
///
/// The ratio is the mean power of the labelled speech over that of the noise beside the whole recording. The noise begins at
/// the CRC-32 of `recording|noise`, modulo its length, and goes round. What would clip is scaled to a peak of 0.98.
public enum NoiseMixture {
    /// - Parameters:
    ///   - sound, noise: 16 kHz, full scale ±1.
    ///   - name: `recording|noise`, both without folder and extension.
    ///   - ratio: dB.
    /// - Returns: 16-bit samples, as many as `sound` has; nil where no ratio exists, without speech or without noise.
    public static func pcm(
        _ sound: [Float], _ speech: Speech, in noise: [Float], named name: String, ratio: Double
    ) -> [Int16]? {
        let words = speech.stretches.flatMap { stretch in
            sound[at(stretch.lowerBound, in: sound)..<at(stretch.upperBound, in: sound)]
        }
        guard !words.isEmpty, !noise.isEmpty else { return nil }
        let first = Int(crc32(name.utf8)) % noise.count
        let excerpt = sound.indices.map { noise[(first + $0) % noise.count] }
        let (speechPower, noisePower) = (power(words), power(excerpt))
        guard speechPower > 0, noisePower > 0 else { return nil }
        let gain = (speechPower / noisePower / pow(10, ratio / 10)).squareRoot()
        let mixture = zip(sound, excerpt).map { Double($0) + Double($1) * gain }
        let peak = mixture.reduce(0) { max($0, abs($1)) }
        let scale = min(1, 0.98 / peak)
        // As python-soundfile has libsndfile do it: rounded to 32 bits, and the upper 16 of those.
        return mixture.map { Int16((($0 * scale * 2_147_483_647).rounded(.toNearestOrEven) / 65_536).rounded(.down)) }
    }

    private static func at(_ second: Double, in sound: [Float]) -> Int {
        min(max(Int(second * 16_000), 0), sound.count)
    }

    private static func power(_ samples: [Float]) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }
}

/// The check sum of zip, gzip and PNG (ISO 3309), a bit at a time: names are short.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 0 ? 0 : 0xedb8_8320) }
    }
    return ~sum
}
