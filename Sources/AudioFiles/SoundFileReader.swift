import CSndFile
import Glibc
import SystemSupport

/// Reads a sound file as a stream: WAV, FLAC, Ogg (Opus, Vorbis), MP3 and whatever else libsndfile opens.
///
/// Memory does not grow with the file's length. The handle belongs to this value and is closed with it. A reader is used by
/// one thread at a time; different readers are independent.
public final class SoundFileReader {
    /// As it was given; of a pipe its name.
    public let path: String
    /// Samples a second.
    public let sampleRate: Int
    /// Samples that belong to one moment.
    public let channelCount: Int
    /// What the file's header promises; the stream may hold fewer, and then `read` says so.
    public let frameCount: Int
    private let handle: OpaquePointer
    private let has16Bits: Bool
    private let bytes: SoundBytes
    /// How many frames a file may lack of its length and still be whole: an MP3 encoder adds some of its own at both ends, which no
    /// header need tell.
    private let allowance: Int
    private var framesRead = 0

    /// Opens a file and looks at its header.
    ///
    /// - Throws: `SoundFileError`: `missing`, or `unusable` where it is empty, not sound, or holds no samples.
    public convenience init(path: String) throws(SoundFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw SoundFileError(kind: .missing, path: path, reason: systemWords(errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SoundFileError(kind: .unusable, path: path, reason: "is not a file")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SoundFileError(kind: .missing, path: path, reason: systemWords(errno)) }
        try self.init(bytes: SoundBytes(file: file, size: Int(status.st_size)), path: path)
    }

    /// Opens what comes through a pipe, when all of it has come.
    ///
    /// - Parameters:
    ///   - pipe: open for reading; it stays open.
    ///   - name: what the pipe is called, here and in errors.
    ///   - folder: where all of it has room meanwhile, in a file that nobody sees; nil: where `TMPDIR` says, or `/tmp`.
    /// - Throws: as for a file; `unwritable` where the folder has no room.
    public convenience init(pipe: Int32, named name: String, in folder: String? = nil) throws(SoundFileError) {
        try self.init(bytes: SoundBytes(spooling: pipe, named: name, in: folder), path: name)
    }

    private init(bytes: SoundBytes, path: String) throws(SoundFileError) {
        func unusable(_ reason: String) -> SoundFileError {
            let reason = bytes.failure.map { "cannot be read (\($0))" } ?? reason
            return SoundFileError(kind: .unusable, path: path, reason: reason)
        }
        guard !bytes.part.isEmpty else { throw unusable("is empty (0 bytes)") }
        var info = SF_INFO()
        var mpeg = MPEGAudio(atBeginningOf: bytes)
        var handle: OpaquePointer?
        var words = "Format not recognised"
        if mpeg == nil && !MPEGAudio.seemsToBegin(bytes) {
            do throws(LibraryOpening.Refusal) {
                handle = try LibraryOpening.open { bytes.open(&info) }
            } catch {
                words = error.words
                if error.code == SF_ERR_UNRECOGNISED_FORMAT { mpeg = MPEGAudio(somewhereIn: bytes) }
            }
        }
        if let mpeg {
            if let fault = mpeg.fault { throw unusable(fault) }
            bytes.keep(mpeg.part, after: mpeg.preface)
            handle = LibraryOpening.beside { bytes.open(&info) }
        }
        guard let handle else {
            if mpeg != nil { throw unusable("holds MPEG audio that does not decode") }
            throw unusable("is not a sound file that can be read (\(words))")
        }
        let reason: String? =
            if info.frames <= 0 {
                Self.noSamples
            } else if info.channels < 1 || info.samplerate < 1_000 || info.samplerate > 768_000 {
                "has \(info.channels) channels at \(info.samplerate) Hz; use at least one, at 1 to 768 kHz"
            } else if info.frames != Int64.max && info.frames > Self.mostFrames {
                "promises more sound than there is: \(info.frames) samples"
            } else if mpeg == nil && Self.isCutOff(handle, info) {
                "is cut off: it holds less sound than its header promises"
            } else { nil }
        if let reason {
            sf_close(handle)
            throw unusable(reason)
        }
        self.path = path
        self.handle = handle
        self.bytes = bytes
        has16Bits = Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_PCM_16
        sampleRate = Int(info.samplerate)
        channelCount = Int(info.channels)
        if let mpeg {
            frameCount = min(Int(info.frames), mpeg.sampleCount)
            allowance = 4_608  // Four frames.
        } else {
            // INT64_MAX stands for a length that the header does not have (FLAC from a pipe).
            frameCount = info.frames == Int64.max ? 0 : Int(info.frames)
            allowance = 0
        }
    }

    deinit {
        sf_close(handle)
    }

    /// Reads up to `frames` frames as interleaved samples, full scale ±1.
    ///
    /// - Parameter samples: room for `frames` × `channelCount` samples.
    /// - Returns: the frames read; 0 at the end.
    /// - Throws: `SoundFileError.unusable` where the file breaks off before the length its header promises, does not decode,
    ///   holds a sample that is not a number, or no sample at all.
    public func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SoundFileError) -> Int {
        let count =
            has16Bits ? readPCM16(frames, into: samples) : Int(sf_readf_float(handle, samples, sf_count_t(frames)))
        if !has16Bits, Self.holdsNonNumber(samples, count: count * channelCount),
            let bad = (0..<(count * channelCount)).first(where: { !samples[$0].isFinite })
        {
            let second = Double(framesRead + bad / channelCount) / Double(sampleRate)
            throw unusable("holds a sample that is not a number, at \(second.rounded(to: 3)) s")
        }
        framesRead += count
        if count < frames {
            if let failure = bytes.failure { throw unusable("cannot be read after \(secondsRead) s (\(failure))") }
            if sf_error(handle) != SF_ERR_NO_ERROR {
                throw unusable(
                    "does not decode after \(secondsRead) s (\(String(cString: sf_strerror(handle)).trimmed))")
            }
            if framesRead < frameCount - allowance {
                let promised = (Double(frameCount) / Double(sampleRate)).rounded(to: 3)
                throw unusable("is cut off: it has \(secondsRead) s of the \(promised) s its header promises")
            }
            // FLAC's header says the same of no sound and of any length.
            if framesRead == 0 { throw unusable(Self.noSamples) }
        }
        return count
    }

    /// As `sf_readf_float`, to the bit, at a third of its price: libsndfile makes numbers of samples one by one.
    private func readPCM16(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: frames * channelCount) { pcm in
            let count = Int(sf_readf_short(handle, pcm.baseAddress!, sf_count_t(frames)))
            for index in 0..<(count * channelCount) { samples[index] = Float(pcm[index]) * (1 / 32_768) }
            return count
        }
    }

    /// Whether the file ends before its header says, as far as libsndfile tells without reading it: Ogg without a last page
    /// has the length INT64_MAX, and of other kinds only the log says it: `data : 320000 (should be 191982)`.
    ///
    /// A FLAC file that ends early is noticed by `read`; MP3 has no length to hold it against, and neither has WAV from a
    /// program that wrote to a pipe: such headers promise two gigabytes or more.
    private static func isCutOff(_ handle: OpaquePointer, _ info: SF_INFO) -> Bool {
        let kind = Int(info.format) & SF_FORMAT_TYPEMASK
        if info.frames == Int64.max { return kind == SF_FORMAT_OGG }
        var log = [CChar](repeating: 0, count: 8192)
        let length = sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        let text = String(decoding: log.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: "\n").contains { line in
            // "NAME : PROMISED (should be FOUND)". A RIFF length alone may be wrong without harm.
            let words = line.split(separator: " ")
            guard let colon = words.firstIndex(of: ":"), words.count > colon + 4, words[colon + 2] == "(should",
                let promised = Int(words[colon + 1]), let found = Int(words[colon + 4].dropLast())
            else { return false }
            let isWholeFile = words[0] == "RIFF" && kind != SF_FORMAT_RF64
            return !isWholeFile && promised > found && promised < Self.streamedLength
        }
    }

    /// 16 days at 768 kHz; times in microseconds are far from what an Int holds.
    private static let mostFrames: Int64 = 1 << 40
    private static let noSamples = "holds no sound: not one sample follows its header"
    /// What espeak-ng, ffmpeg and their like promise of a stream: 2 GiB less a page, or more.
    private static let streamedLength = 0x7fff_f000

    /// Whether any of the samples is infinite or not a number: its exponent is all ones, and one more in the exponent's
    /// last place reaches the sign. Integers, because they can be looked at many at a time.
    private static func holdsNonNumber(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
        var signs: UInt32 = 0
        for index in 0..<count { signs |= (samples[index].bitPattern & 0x7fff_ffff) &+ 0x0080_0000 }
        return signs & 0x8000_0000 != 0
    }

    private var secondsRead: Double { (Double(framesRead) / Double(sampleRate)).rounded(to: 3) }

    private func unusable(_ reason: String) -> SoundFileError {
        SoundFileError(kind: .unusable, path: path, reason: reason)
    }
}
