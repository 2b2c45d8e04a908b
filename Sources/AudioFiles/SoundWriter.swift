/// Writes 16 kHz mono sound to a new file as a stream. `SoundFileWriter` writes libsndfile's formats, `OpusFileWriter`
/// writes Ogg/Opus.
///
/// The file belongs to the writer. Use a writer on one thread at a time. Different writers are independent.
public protocol SoundWriter: AnyObject {
    /// The number of samples written so far.
    var sampleCount: Int { get }

    /// Appends samples, full scale ±1. Values beyond are clipped.
    ///
    /// - Throws: `SoundFileError.unwritable` if not all of them were written. The earlier samples remain in the file as
    ///   far as the disk took them.
    func write(_ samples: ArraySlice<Float>) throws(SoundFileError)

    /// Writes the samples still held back and closes the file. Nothing can be written afterwards. Closing again does
    /// nothing.
    ///
    /// - Parameter durably: whether to wait until the file is on the disk.
    /// - Throws: `SoundFileError.unwritable` if the end of the file did not reach the disk.
    func close(durably: Bool) throws(SoundFileError)
}

extension SoundWriter {
    /// Appends 20 ms.
    ///
    /// - Throws: the errors of writing samples.
    public func write(_ block: AudioBlock) throws(SoundFileError) {
        try write(block.samples[...])
    }

    /// Writes everything that a reader has left, without holding it in memory.
    ///
    /// - Precondition: the reader is mono and has this file's rate.
    /// - Throws: the errors of `SoundFileReader.read` and `write`.
    public func write(_ reader: SoundFileReader) throws(SoundFileError) {
        var samples = [Float](repeating: 0, count: 3_200)
        while true {
            let count = try reader.read(samples.count, into: &samples)
            if count == 0 { return }
            try write(samples[..<count])
        }
    }
}
