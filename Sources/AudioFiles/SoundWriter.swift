/// Writes 16 kHz mono sound to a new file as a stream: `SoundFileWriter` what libsndfile writes, `OpusFileWriter` Ogg/Opus.
///
/// The file belongs to the writer. A writer is used by one thread at a time; different writers are independent.
public protocol SoundWriter: AnyObject {
    /// Samples written so far.
    var sampleCount: Int { get }

    /// Appends samples, full scale ±1; what is beyond is clipped.
    ///
    /// - Throws: `SoundFileError.unwritable` where not all of them were written; of those before them what the disk took is there.
    func write(_ samples: ArraySlice<Float>) throws(SoundFileError)

    /// Writes what is still held back and closes the file; nothing can be written after it. To close again does nothing.
    ///
    /// - Parameter durably: wait until the disk has it.
    /// - Throws: `SoundFileError.unwritable` where the end of the file did not reach the disk.
    func close(durably: Bool) throws(SoundFileError)
}

extension SoundWriter {
    /// Appends 20 ms.
    ///
    /// - Throws: as `write` of samples.
    public func write(_ block: AudioBlock) throws(SoundFileError) {
        try write(block.samples[...])
    }

    /// Writes all that a reader has left, without holding it in memory.
    ///
    /// - Precondition: the reader is mono, of this file's rate.
    /// - Throws: as `SoundFileReader.read` and `write`.
    public func write(_ reader: SoundFileReader) throws(SoundFileError) {
        var samples = [Float](repeating: 0, count: 3_200)
        while true {
            let count = try reader.read(samples.count, into: &samples)
            if count == 0 { return }
            try write(samples[..<count])
        }
    }
}
