import Glibc
import SystemSupport

/// Reads a recording as a stream: WAV, FLAC, Ogg (Opus, Vorbis), MP3 and everything else that libsndfile opens. The
/// formats of telephones and browsers (m4a, WebM, AMR) need the program `ffmpeg`.
///
/// It reads all sound in the file. Missing sound is not an error: `warnings` reports it.
///
/// Memory does not grow with the file's length. The file is closed with this value. Use a reader on one thread at a
/// time. Different readers are independent.
public final class SoundFileReader {
    /// The path as it was given, or the name of a pipe.
    public let path: String
    /// The kind of file, determined by its first bytes.
    public let container: RecordingContainer
    /// Samples a second.
    public var sampleRate: Int { source.sampleRate }
    /// The number of channels.
    public var channelCount: Int { source.channelCount }
    /// The number of frames by the file's own numbers, as far as these are right. 0 if only reading the file shows it.
    public var frameCount: Int { source.frameCount }
    private let source: any SampleSource
    private let warningsAtOpening: [RecordingWarning]
    private var warningAtEnd: RecordingWarning?
    private var framesRead = 0

    /// The faults of a file that could be read nevertheless, in order, above all missing sound. Complete once `read`
    /// has reached the end, but most are known at opening.
    public var warnings: [RecordingWarning] {
        warningsAtOpening + source.warnings + [warningAtEnd].compactMap(\.self)
    }

    /// Opens a file and reads its header.
    ///
    /// - Throws: `SoundFileError.missing`, or `.unusable` if the file is empty, is not sound, contains no samples, or
    ///   needs a program that is not installed.
    public convenience init(path: String) throws(SoundFileError) {
        try self.init(bytes: Self.bytes(path), path: path)
    }

    /// Reads a pipe to its end and opens the sound.
    ///
    /// - Parameters:
    ///   - pipe: open for reading. It stays open.
    ///   - name: the name of the pipe here and in errors.
    ///   - folder: the folder for an unnamed temporary copy. Nil for the folder in `TMPDIR`, or `/tmp`.
    /// - Throws: the errors for a file, and `unwritable` if the folder has no space.
    public convenience init(pipe: Int32, named name: String, in folder: String? = nil) throws(SoundFileError) {
        try self.init(bytes: SoundBytes(spooling: pipe, named: name, in: folder), path: name)
    }

    private init(bytes: SoundBytes, path: String) throws(SoundFileError) {
        let opened: RecordingIntake.Opened
        do throws(SourceFailure) { opened = try RecordingIntake.open(bytes, named: path) } catch {
            throw SoundFileError(
                kind: .unusable, path: path, reason: error.reason, saysWhatToDo: error.saysWhatToDo)
        }
        self.path = path
        container = opened.container
        source = opened.source
        warningsAtOpening = opened.warnings
    }

    /// Creates a reader of one part of a recording that is joined from several.
    init(part source: any SampleSource) {
        path = ""
        container = .other
        self.source = source
        warningsAtOpening = []
    }

    /// Returns why a recording cannot be read on this machine because a program is missing, with the command that
    /// converts it.
    ///
    /// It reads the first bytes and decodes nothing, so that a server can refuse an upload at once.
    ///
    /// - Parameters:
    ///   - name: the owner's name for the file, used in the command. Nil for its path.
    ///   - programs: the folders to search for programs, separated by colons. Nil for `PATH`.
    /// - Returns: a sentence without its subject, such as `is AMR, which needs the program ffmpeg, …`. Nil if there is
    ///   no such obstacle.
    public static func obstacle(
        toReading path: String, named name: String? = nil, programs: String? = nil
    ) -> String? {
        (try? bytes(path)).flatMap { RecordingIntake.obstacle(to: $0, named: name ?? path, programs: programs) }
    }

    private static func bytes(_ path: String) throws(SoundFileError) -> SoundBytes {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw SoundFileError(kind: .missing, path: path, reason: systemWords(errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SoundFileError(kind: .unusable, path: path, reason: "is not a file")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SoundFileError(kind: .missing, path: path, reason: systemWords(errno)) }
        return SoundBytes(file: file, size: Int(status.st_size))
    }

    /// 42 dB above full scale. Nothing louder is sound, and sums of the squares of louder samples may become infinite.
    private static let loudest: Float = 128

    /// Reads up to `frames` frames as interleaved samples, full scale ±1. Samples beyond ±128 are read as ±128.
    ///
    /// - Parameter samples: space for `frames` × `channelCount` samples.
    /// - Returns: the number of frames read. It is smaller only at the end, and 0 after it.
    /// - Throws: `SoundFileError.unusable` if the disk fails, or if the file contains a sample that is not a number, or
    ///   no sample at all.
    public func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SoundFileError) -> Int {
        let count: Int
        do throws(SourceFailure) { count = try source.read(frames, into: samples) } catch {
            throw SoundFileError(kind: .unusable, path: path, reason: error.reason)
        }
        if Self.holdsImpossibleSample(samples, count: count * channelCount) {
            for index in 0..<(count * channelCount) {
                guard samples[index].isFinite else {
                    let second = Double(framesRead + index / channelCount) / Double(sampleRate)
                    throw unusable("holds a sample that is not a number, at \(second.rounded(to: 3)) s")
                }
                samples[index] = min(max(samples[index], -Self.loudest), Self.loudest)
            }
        }
        framesRead += count
        if count < frames {
            // FLAC's header says the same for no sound as for an unknown length.
            if framesRead == 0 { throw unusable(Self.noSamples) }
            warningAtEnd = warningAboutTheRest
        }
        return count
    }

    /// The warning about sound missing at the end, beyond the earlier warnings.
    private var warningAboutTheRest: RecordingWarning? {
        let told = source.warnings.reduce(0) { sum, warning in
            if case .damaged = warning { sum + warning.missingSeconds } else { sum }
        }
        let seconds = Double(frameCount - framesRead) / Double(sampleRate) - told
        guard frameCount > 0, seconds > 0.5 / Double(sampleRate) else { return nil }
        // Ogg pages are independent. If the last ones are there, others are damaged.
        return container == .ogg ? .lacking(seconds: seconds) : .endsEarly(seconds: seconds)
    }

    static let noSamples = "holds no sound: not one sample follows its header"

    /// Returns whether any of the samples is at least as loud as `loudest`, infinite or not a number. The bits of such
    /// a sample without its sign are at least those of `loudest`, and the addition then carries into the sign. It
    /// compares integers, because many of them can be checked at a time.
    private static func holdsImpossibleSample(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
        let carry = 0x8000_0000 - loudest.bitPattern
        var signs: UInt32 = 0
        for index in 0..<count { signs |= (samples[index].bitPattern & 0x7fff_ffff) &+ carry }
        return signs & 0x8000_0000 != 0
    }

    private func unusable(_ reason: String) -> SoundFileError {
        SoundFileError(kind: .unusable, path: path, reason: reason)
    }
}
