/// The shape of a sound file, for drawing it.
public enum SoundPeaks {
    /// Returns the loudest sample, 0 … 1, of each stretch of the file in 16 kHz mono, to two digits. The last stretch
    /// may be shorter.
    ///
    /// Any thread may call it. It takes as long as decoding.
    ///
    /// - Parameter step: the seconds of a stretch.
    /// - Throws: the errors of `BlockReader`.
    public static func of(_ path: String, step: Double) throws(SoundFileError) -> [Double] {
        let length = Int(step * Double(AudioFormat.sampleRate))
        let reader = try BlockReader(path: path)
        var (peaks, at) = ([Float](), 0)
        while let block = try reader.next() {
            // Leaves out the silence that fills up the last block.
            for sample in block.samples.prefix(reader.sampleCount - at) {
                if at % length == 0 { peaks.append(0) }
                peaks[peaks.count - 1] = max(peaks[peaks.count - 1], min(abs(sample), 1))
                at += 1
            }
        }
        return peaks.map { (Double($0) * 100).rounded() / 100 }
    }
}
