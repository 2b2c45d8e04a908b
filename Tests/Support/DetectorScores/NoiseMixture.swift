import Glibc

/// A recording in noise with a given ratio of powers, as the labelled data's own script `mix_vad.py` makes it.
///
/// The ratio is the mean power of the labelled speech divided by that of the noise along the whole recording. The noise
/// begins at the CRC-32 of `recording|noise`, modulo its length, and is repeated. A recording that would clip is scaled
/// to a peak of 0.98.
public enum NoiseMixture {
    /// - Parameters:
    ///   - noise: 16 kHz, full scale ±1.
    ///   - name: `recording|noise`, both without folder and extension. Another seed is appended: `recording|noise|2`.
    ///   - ratio: In dB.
    /// - Returns: nil without speech or without noise, for which there is no ratio.
    public static func recording(
        _ recording: LabelledRecording, in noise: [Double], named name: String, ratio: Double
    ) -> LabelledRecording? {
        guard let speech = recording.speechPower, speech > 0, !noise.isEmpty else { return nil }
        let first = Int(crc32(name.utf8)) % noise.count
        let excerpt = recording.samples.indices.map { noise[(first + $0) % noise.count] }
        guard excerpt.power > 0 else { return nil }
        let gain = (speech / excerpt.power / pow(10, ratio / 10)).squareRoot()
        var mixture = recording
        for index in excerpt.indices { mixture.samples[index] += excerpt[index] * gain }
        return mixture
    }

    /// Like `recording`, but returns 16-bit samples, as many as `sound` has.
    public static func pcm(
        _ sound: [Float], _ speech: Speech, in noise: [Float], named name: String, ratio: Double
    ) -> [Int16]? {
        let clean = LabelledRecording(name: name, samples: sound.map { Double($0) }, speech: speech)
        return recording(clean, in: noise.map { Double($0) }, named: name, ratio: ratio)?.pcm
    }
}

/// Returns the checksum of zip, gzip and PNG (ISO 3309). It works bit by bit, since names are short.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 0 ? 0 : 0xedb8_8320) }
    }
    return ~sum
}
