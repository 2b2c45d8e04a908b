public import Assessment
public import AudioFiles
public import ExamCore

/// Measures a recording on disk.
public enum RecordingMeasure {
    /// Decodes a recording of any rate and any number of channels, and measures it.
    ///
    /// Any thread may call it; it takes some 3 ms a second of sound, decoding included.
    ///
    /// - Parameter leadIn: the beginning that counts as silence: the examiner may sound in it (`AnswerRecord.leadIn`).
    /// - Throws: `SoundFileError` where the file cannot be decoded.
    public static func measure(_ path: String, leadIn: Seconds? = nil) throws(SoundFileError) -> MeasuredSound {
        try measure(BlockReader(path: path), leadIn: leadIn)
    }

    /// Measures what is left to be read.
    public static func measure(_ reader: BlockReader, leadIn: Seconds? = nil) throws(SoundFileError) -> MeasuredSound {
        var measurer = SoundMeasurer()
        var heard = reader.sampleCount
        let first = heard + AudioFormat.sampleCount(in: leadIn?.duration ?? .zero)
        while var block = try reader.next() {
            let count = reader.sampleCount - heard  // Less than a block at the end.
            for index in 0..<min(max(first - heard, 0), count) { block.samples[index] = 0 }
            block.samples.withUnsafeBufferPointer { measurer.hear(UnsafeBufferPointer(rebasing: $0[..<count])) }
            heard = reader.sampleCount
        }
        return measurer.measured()
    }
}
