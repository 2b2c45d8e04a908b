internal import CMPG123
import Glibc

/// One run of MPEG audio frames of one kind, decoded by libmpg123.
///
/// It calls libmpg123 directly instead of through libsndfile, because only then can its messages be turned off
/// (`MPG123_QUIET`).
final class MPEGSource: SampleSource {
    let sampleRate: Int
    let channelCount: Int
    let frameCount: Int
    private(set) var warnings: [RecordingWarning] = []
    private let handle: OpaquePointer
    /// Keeps the bytes alive as long as the library may read them.
    private let bytes: SoundBytes
    private var isAtEnd = false
    /// The number of frames still to skip, before the `left` frames still to read.
    private var toSkip: Int
    private var left: Int

    /// Opens a run.
    ///
    /// - Parameter run: the samples to leave out. `bytes` is the run's part of the file.
    init(_ bytes: SoundBytes, _ run: MPEGAudio.Run) throws(SourceFailure) {
        self.bytes = bytes
        mpg123_init()
        guard let handle = mpg123_new(nil, nil) else { throw SourceFailure(reason: "cannot be decoded: no memory") }
        func fail() -> SourceFailure {
            mpg123_delete(handle)
            return SourceFailure(reason: bytes.failure.map { "cannot be read (\($0))" } ?? Self.undecodable)
        }
        let flags = Int(MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue)
        mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
        // The library would not remove the encoder's added samples from a recording that is cut off.
        mpg123_param2(handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
        mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
        mpg123_replace_reader_handle(
            handle,
            { user, target, count in Int(SoundBytes.of(user).readOn(target, count)) },
            { user, offset, whence in off_t(SoundBytes.of(user).seek(Int(offset), whence)) },
            nil)
        bytes.rewind()
        var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
        guard mpg123_open_handle(handle, Unmanaged.passUnretained(bytes).toOpaque()) == MPG123_OK.rawValue,
            mpg123_scan(handle) == MPG123_OK.rawValue,
            mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK.rawValue, channels > 0, rate > 0
        else { throw fail() }
        // Fixes this rate and these channels, regardless of later frames, so that samples are never misread.
        mpg123_format_none(handle)
        guard mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue)) == MPG123_OK.rawValue else {
            throw fail()
        }
        self.handle = handle
        sampleRate = rate
        channelCount = Int(channels)
        let there = max(0, Int(mpg123_length(handle)) - run.skipped)
        frameCount = min(there, run.sampleCount ?? there)
        left = frameCount
        toSkip = run.skipped
    }

    deinit {
        mpg123_close(handle)
        mpg123_delete(handle)
    }

    static let undecodable = "holds MPEG audio that does not decode"

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        while toSkip > 0 && !isAtEnd { toSkip -= try decode(min(frames, toSkip), into: samples) }
        var filled = 0
        while filled < min(frames, left) && !isAtEnd {
            filled += try decode(min(frames, left) - filled, into: samples + filled * channelCount)
        }
        left -= filled
        return filled
    }

    private func decode(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        let bytesAFrame = channelCount * MemoryLayout<Float>.stride
        var count = 0
        let result = mpg123_read(handle, UnsafeMutableRawPointer(samples), frames * bytesAFrame, &count)
        if let failure = bytes.failure { throw SourceFailure(reason: "cannot be read (\(failure))") }
        // A change of format is reported before its samples. All samples here have one format.
        if result != MPG123_OK.rawValue && result != MPG123_NEW_FORMAT.rawValue { isAtEnd = true }
        return count / bytesAFrame
    }
}
