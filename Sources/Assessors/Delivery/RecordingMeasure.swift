public import Assessment
public import AudioFiles

/// Measures a recording on disk.
public enum RecordingMeasure {
    /// Decodes a recording of any rate and any number of channels, and measures it.
    ///
    /// Any thread may call it; it takes some 3 ms a second of sound, decoding included.
    ///
    /// - Throws: `SoundFileError` where the file cannot be decoded.
    public static func measure(_ path: String) throws(SoundFileError) -> MeasuredSound {
        try measure(BlockReader(path: path))
    }

    /// Measures what is left to be read.
    public static func measure(_ reader: BlockReader) throws(SoundFileError) -> MeasuredSound {
        var measurer = SoundMeasurer()
        var heard = reader.sampleCount
        while let block = try reader.next() {
            let count = reader.sampleCount - heard  // Less than a block at the end.
            block.samples.withUnsafeBufferPointer { measurer.hear(UnsafeBufferPointer(rebasing: $0[..<count])) }
            heard = reader.sampleCount
        }
        return measurer.measured()
    }
}
