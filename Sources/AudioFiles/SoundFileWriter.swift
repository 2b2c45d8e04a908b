import CSndFile
import Glibc

/// Writes 16 kHz mono sound to a new file as a stream with libsndfile. `OpusFileWriter` writes Ogg/Opus.
///
/// The handle belongs to this value and is closed with it. Use a writer on one thread at a time.
public final class SoundFileWriter: SoundWriter {
    /// The format of the file.
    public enum Encoding: Sendable {
        /// 16-bit PCM.
        case wav
        /// FLAC, 16 bits, lossless.
        case flac
        /// MP3 with a constant rate in bits a second, 8,000 to 160,000. `SoundAsMP3.isThere` says whether it can be
        /// written.
        case mp3(bitRate: Int)
    }

    /// The path given to the initializer.
    public let path: String
    /// The libsndfile handle. Nil once closed.
    private var handle: OpaquePointer?
    private let keeps16Bits: Bool
    public private(set) var sampleCount = 0

    /// Creates the file. Only its owner can read or write it. An existing file is replaced.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public convenience init(path: String, encoding: Encoding) throws(SoundFileError) {
        try self.init(file: createPrivateFile(path), path: path, encoding: encoding)
    }

    /// Creates a writer to an open, empty file.
    ///
    /// - Parameter file: the file's descriptor, which from now on belongs to this value.
    init(file: Int32, path: String, encoding: Encoding) throws(SoundFileError) {
        var info = SF_INFO()
        info.samplerate = Int32(AudioFormat.sampleRate)
        info.channels = 1
        info.format =
            switch encoding {
            case .wav: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
            case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
            case .mp3: Int32(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)
            }
        guard let handle = LibraryOpening.beside({ sf_open_fd(file, Int32(SFM_WRITE), &info, 1) }) else {
            Glibc.close(file)
            throw SoundFileError(kind: .unwritable, path: path, reason: String(cString: sf_strerror(nil)).trimmed)
        }
        self.path = path
        self.handle = handle
        switch encoding {
        case .wav, .flac: keeps16Bits = true
        case .mp3: keeps16Bits = false
        }
        if case .mp3(let bitRate) = encoding {
            var mode = Int32(SF_BITRATE_MODE_CONSTANT)
            sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
            // libsndfile's rate at 16 kHz is 160 kbit/s − level · 152 kbit/s, rounded to the nearest MPEG-2 rate.
            var level = (160_000 - Double(bitRate)) / 152_000
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        }
    }

    deinit {
        if let handle { sf_close(handle) }
    }

    public func write(_ samples: ArraySlice<Float>) throws(SoundFileError) {
        guard !samples.isEmpty else { return }
        let count = samples.count
        let written = samples.withUnsafeBufferPointer { samples in
            keeps16Bits
                ? withUnsafeTemporaryAllocation(of: Int16.self, capacity: count) { pcm in
                    roundToPCM16(samples, pcm)
                    return sf_write_short(handle, pcm.baseAddress, sf_count_t(count))
                }
                : withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { clipped in
                    for index in samples.indices { clipped[index] = min(max(samples[index], -1), 1) }
                    return sf_write_float(handle, clipped.baseAddress, sf_count_t(count))
                }
        }
        sampleCount += Int(written)
        if written < count { throw unwritable() }
    }

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
}
