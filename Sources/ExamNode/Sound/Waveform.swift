import AudioFiles

/// The loudness of a recording over its length, from its real peaks.
enum Waveform {
    /// The maximum length in seconds: an answer lasts at most two hours (`Field.seconds`).
    private static let longest = 7_200

    /// Returns the loudest sample of each of `count` equal pieces, full scale 1, to three digits.
    ///
    /// Any thread may call it. It takes as long as decoding: about 2 ms for each second of Opus.
    ///
    /// - Throws: `SoundFileError` if the file cannot be decoded, or is longer than any answer: ten megabytes can
    ///   contain days of silence.
    static func peaks(of path: String, count: Int = 100) throws(SoundFileError) -> [Double] {
        let file = try SoundFileReader(path: path)
        let total = max(file.frameCount, 1)
        var peaks = [Float](repeating: 0, count: count)
        var samples = [Float](repeating: 0, count: 4096 * file.channelCount)
        var at = 0
        while true {
            let frames = try samples.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                try file.read(4096, into: buffer.baseAddress!)
            }
            if frames == 0 { break }
            guard at <= longest * file.sampleRate else {
                throw SoundFileError(kind: .unusable, path: path, reason: "is longer than two hours")
            }
            for frame in 0..<frames {
                let place = min((at + frame) * count / total, count - 1)
                for channel in 0..<file.channelCount {
                    peaks[place] = max(peaks[place], abs(samples[frame * file.channelCount + channel]))
                }
            }
            at += frames
        }
        return peaks.map { (Double(min($0, 1)) * 1000).rounded() / 1000 }
    }
}
