public import Assessment
public import AudioFiles
public import ExamCore

/// Measures recordings on disk.
public enum RecordingMeasure {
    /// Decodes and measures a recording of any rate and any number of channels.
    ///
    /// Any thread may call it. It takes about 3 ms a second of sound, including decoding.
    ///
    /// - Parameter leadIn: the beginning, which counts as silence because it may contain the examiner's voice
    ///   (`AnswerRecord.leadIn`).
    /// - Throws: `SoundFileError` if the file cannot be decoded.
    public static func measure(_ path: String, leadIn: Seconds? = nil) throws(SoundFileError) -> MeasuredSound {
        try measure(BlockReader(path: path), leadIn: leadIn)
    }

    /// Measures the rest of a reader's sound.
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
