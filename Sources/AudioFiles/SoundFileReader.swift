import Glibc
import SystemSupport

/// Reads a recording as a stream: WAV, FLAC, Ogg (Opus, Vorbis), MP3 and whatever else libsndfile opens; what telephones and browsers
/// make (m4a, WebM, AMR), if the program `ffmpeg` is installed.
///
/// All sound that is there is read. What the file lacks is told by `warnings`, and is no error.
///
/// Memory does not grow with the file's length. The file is closed with this value. A reader is used by one thread at a time; different
/// readers are independent.
public final class SoundFileReader {
    /// As it was given; of a pipe its name.
    public let path: String
    /// The kind of file, by its first bytes.
    public let container: RecordingContainer
    /// Samples a second.
    public var sampleRate: Int { source.sampleRate }
    /// Samples that belong to one moment.
    public var channelCount: Int { source.channelCount }
    /// The number of frames, by the file's own numbers as far as they hold; 0 if only reading tells.
    public var frameCount: Int { source.frameCount }
    private let source: any SampleSource
    private let warningsAtOpening: [RecordingWarning]
    private var warningAtEnd: RecordingWarning?
    private var framesRead = 0

    /// The faults of a file that can be read all the same, in order: sound that is missing, above all. Complete once `read` has reached
    /// the end; most of it is known at once.
    public var warnings: [RecordingWarning] {
        warningsAtOpening + source.warnings + [warningAtEnd].compactMap(\.self)
    }

    /// Opens a file and looks at its header.
    ///
    /// - Throws: `SoundFileError`: `missing`, or `unusable` if it is empty, not sound, holds no samples, or needs a program that is
    ///   not installed.
    public convenience init(path: String) throws(SoundFileError) {
        try self.init(bytes: Self.bytes(path), path: path)
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

    /// A part of a recording, for those who join them.
    init(part source: any SampleSource) {
        path = ""
        container = .other
        self.source = source
        warningsAtOpening = []
    }

    /// Says why a recording cannot be read on this machine for want of a program, with the command that converts it.
    ///
    /// It looks at the first bytes and decodes nothing, so that an upload can be refused at the door.
    ///
    /// - Parameters:
    ///   - name: what its owner calls the file, for the command; nil: its path.
    ///   - programs: folders in which programs are looked for, with colons between; nil: `PATH`.
    /// - Returns: a sentence without its subject: `is AMR, which needs the program ffmpeg, …`; nil if there is no such obstacle.
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

    /// Reads up to `frames` frames as interleaved samples, full scale ±1.
    ///
    /// - Parameter samples: room for `frames` × `channelCount` samples.
    /// - Returns: the frames read; fewer at the end only, and 0 after it.
    /// - Throws: `SoundFileError.unusable` if the disk does not give the bytes, or the file holds a sample that is not a number, or no
    ///   sample at all.
    public func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SoundFileError) -> Int {
        let count: Int
        do throws(SourceFailure) { count = try source.read(frames, into: samples) } catch {
            throw SoundFileError(kind: .unusable, path: path, reason: error.reason)
        }
        if Self.holdsNonNumber(samples, count: count * channelCount),
            let bad = (0..<(count * channelCount)).first(where: { !samples[$0].isFinite })
        {
            let second = Double(framesRead + bad / channelCount) / Double(sampleRate)
            throw unusable("holds a sample that is not a number, at \(second.rounded(to: 3)) s")
        }
        framesRead += count
        if count < frames {
            // FLAC's header says the same of no sound and of any length.
            if framesRead == 0 { throw unusable(Self.noSamples) }
            warningAtEnd = warningAboutTheRest
        }
        return count
    }

    /// The sound that is missing at the end, beyond what was told before.
    private var warningAboutTheRest: RecordingWarning? {
        let told = source.warnings.reduce(0) { sum, warning in
            if case .damaged = warning { sum + warning.missingSeconds } else { sum }
        }
        let seconds = Double(frameCount - framesRead) / Double(sampleRate) - told
        guard frameCount > 0, seconds > 0.5 / Double(sampleRate) else { return nil }
        // Each page of Ogg stands for itself. If the last ones are there, others are damaged.
        return container == .ogg ? .lacking(seconds: seconds) : .endsEarly(seconds: seconds)
    }

    static let noSamples = "holds no sound: not one sample follows its header"

    /// Whether any of the samples is infinite or not a number: its exponent is all ones, and one more in the exponent's
    /// last place reaches the sign. Integers, because they can be looked at many at a time.
    private static func holdsNonNumber(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
        var signs: UInt32 = 0
        for index in 0..<count { signs |= (samples[index].bitPattern & 0x7fff_ffff) &+ 0x0080_0000 }
        return signs & 0x8000_0000 != 0
    }

    private func unusable(_ reason: String) -> SoundFileError {
        SoundFileError(kind: .unusable, path: path, reason: reason)
    }
}
