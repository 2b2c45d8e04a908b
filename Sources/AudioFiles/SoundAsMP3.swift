import CSndFile
import Glibc
import SystemSupport

/// Converts recordings to MP3, which every browser plays.
public enum SoundAsMP3 {
    /// Whether the installed libsndfile writes MP3: 1.1 or later, built with LAME.
    public static var isThere: Bool {
        var info = SF_INFO()
        info.samplerate = Int32(AudioFormat.sampleRate)
        info.channels = 1
        info.format = Int32(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)
        return sf_format_check(&info) != 0
    }

    /// Returns a recording's bytes for a page: as MP3, or unchanged if MP3 cannot be written here.
    ///
    /// - Parameter mediaType: the recording's own media type.
    /// - Returns: nil if the recording is gone, or if MP3 can be written but the recording cannot be decoded.
    public static func playable(_ path: String, mediaType: String) -> (mediaType: String, bytes: [UInt8])? {
        if isThere { return (try? convert(path)).map { ("audio/mpeg", $0) } }
        return (try? PrivateFile.read(path)).map { (mediaType, $0) }
    }

    /// Decodes a recording and encodes it as 16 kHz mono at a constant 24 kbit/s. With a constant rate a browser finds
    /// a second by division, always exactly. The temporary file has no name and disappears with this call. Takes about
    /// 3 ms a second of sound. Any thread may call it.
    ///
    /// - Throws: `SoundFileError` if the file cannot be decoded, or MP3 cannot be written.
    public static func convert(_ path: String) throws(SoundFileError) -> [UInt8] {
        let reader = try BlockReader(path: path)
        let file = NamelessFile.open()
        guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
        defer { close(file) }
        // libsndfile closes the descriptor that it gets.
        let writer = try SoundFileWriter(file: dup(file), path: path, encoding: .mp3(bitRate: 24_000))
        var sampleCount = 0
        while let block = try reader.next() {
            try writer.write(block.samples[..<(reader.sampleCount - sampleCount)])
            sampleCount = reader.sampleCount
        }
        try writer.close(durably: false)
        return try read(file, path)
    }

    private static func read(_ file: Int32, _ path: String) throws(SoundFileError) -> [UInt8] {
        let size = Int(lseek(file, 0, SEEK_END))
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
            while count < size {
                let got = pread(file, buffer.baseAddress! + count, size - count, off_t(count))
                guard got > 0 else { return }
                count += got
            }
        }
        guard bytes.count == size else {
            throw SoundFileError(kind: .unwritable, path: path, reason: "its MP3 cannot be read again")
        }
        return bytes
    }
}
