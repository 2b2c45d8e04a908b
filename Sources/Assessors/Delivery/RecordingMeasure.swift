public import Assessment
public import AudioFiles

/// Measures a recording on disk.
public enum RecordingMeasure {
    /// Decodes a recording and measures it.
    ///
    /// Any thread may call it; it takes some milliseconds a second of sound.
    ///
    /// - Throws: `SoundFileError` where the file cannot be decoded.
    public static func measure(_ path: String) throws(SoundFileError) -> MeasuredSound {
        SoundMeasurer().measured()
    }
}
