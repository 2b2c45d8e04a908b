import CSndFile
import Glibc

/// Writes 16 kHz mono sound to a new file as a stream.
///
/// The handle belongs to this value and is closed with it. A writer is used by one thread at a time.
public final class SoundFileWriter {
    public enum Encoding: Sendable {
        /// 16-bit PCM. Playable at every moment: what is written is on disk, and the header is kept up to date.
        case wav
        case flac
        /// Ogg/Opus with a variable rate of about so many bits a second, 6,000 to 256,000.
        case opus(bitRate: Int)
    }

    public let path: String
    /// nil once closed.
    private var handle: OpaquePointer?
    private let keepsHeader: Bool
    /// Samples written so far.
    public private(set) var sampleCount = 0

    /// Creates the file, readable and writable by its owner only, and replaces one that exists.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public init(path: String, encoding: Encoding) throws(SoundFileError) {
        var info = SF_INFO()
        info.samplerate = Int32(HouseSound.sampleRate)
        info.channels = 1
        info.format =
            switch encoding {
            case .wav: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
            case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
            case .opus: Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
            }
        let file = try Self.createPrivateFile(path)
        guard let handle = sf_open_fd(file, Int32(SFM_WRITE), &info, 1) else {
            Glibc.close(file)
            throw SoundFileError(kind: .unwritable, path: path, reason: String(cString: sf_strerror(nil)).trimmed)
        }
        self.path = path
        self.handle = handle
        if case .opus(let bitRate) = encoding {
            // libsndfile: target = (1 − level) · 250,000 + 6,000 bit/s (measured; its only way to set a rate).
            var level = 1 - (Double(bitRate) - 6_000) / 250_000
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        }
        if case .wav = encoding { keepsHeader = true } else { keepsHeader = false }
        sf_command(handle, Int32(SFC_SET_CLIPPING), nil, 1)
    }

    deinit {
        if let handle { sf_close(handle) }
    }

    /// Appends samples, full scale ±1; what is beyond is clipped.
    ///
    /// - Throws: `SoundFileError.unwritable` where not all of them were written; those before them are on disk.
    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError) {
        guard !samples.isEmpty else { return }
        let written = sf_write_float(handle, samples.baseAddress, sf_count_t(samples.count))
        sampleCount += Int(written)
        if written < samples.count { throw unwritable() }
        if keepsHeader { sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    }

    public func write(_ samples: ArraySlice<Float>) throws(SoundFileError) {
        // Typed errors do not pass through the standard library's closures; a result does.
        try samples.withUnsafeBufferPointer { samples in Result { () throws(SoundFileError) in try write(samples) } }
            .get()
    }

    public func write(_ block: AudioBlock) throws(SoundFileError) {
        try write(block.samples[...])
    }

    /// Writes what is still held back and closes the file; nothing can be written after it.
    ///
    /// - Parameter durably: wait until the disk has it.
    /// - Throws: `SoundFileError.unwritable` where the end of the file did not reach the disk.
    public func close(durably: Bool) throws(SoundFileError) {
        guard let handle else { return }
        if durably { sf_write_sync(handle) }
        let failure = sf_error(handle) == SF_ERR_NO_ERROR ? nil : unwritable()
        self.handle = nil
        guard sf_close(handle) == SF_ERR_NO_ERROR, failure == nil else {
            throw failure ?? SoundFileError(kind: .unwritable, path: path, reason: "could not be closed")
        }
    }

    private func unwritable() -> SoundFileError {
        SoundFileError(kind: .unwritable, path: path, reason: String(cString: sf_strerror(handle)).trimmed)
    }

    /// A file that only its owner may read: recordings are personal data.
    private static func createPrivateFile(_ path: String) throws(SoundFileError) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw SoundFileError(kind: .unwritable, path: path, reason: String(cString: strerror(errno)))
        }
        return file
    }
}
