/// The only entry for recordings: from files and pipes, trusted or not.
///
/// It determines the container by the first bytes, finds every sample in the file, and reports missing sound as values
/// (`RecordingWarning`). The program `ffmpeg` decodes what libsndfile and libmpg123 do not read. If it is not
/// installed, the refusal contains the command that converts the file.
enum RecordingIntake {
    struct Opened {
        let container: RecordingContainer
        let source: any SampleSource
        /// The warnings from before decoding. The source may find more.
        let warnings: [RecordingWarning]
    }

    /// Opens sound.
    ///
    /// - Parameter name: the file's name, for the command that converts it.
    static func open(_ bytes: SoundBytes, named name: String) throws(SourceFailure) -> Opened {
        guard !bytes.part.isEmpty else {
            throw SourceFailure(reason: bytes.failure.map { "cannot be read (\($0))" } ?? "is empty (0 bytes)")
        }
        let container = container(of: bytes)
        do throws(SourceFailure) {
            switch container {
            case .ogg: return try ogg(bytes, name)
            case .mpeg4, .matroska, .amr, .adts, .windowsMedia: return try foreign(bytes, container, name)
            case .mpegAudio, .other: return try mpegOrOther(bytes, name)
            default: return try chunked(bytes, container, name)
            }
        } catch {
            throw bytes.failure.map { SourceFailure(reason: "cannot be read (\($0))") } ?? error
        }
    }

    /// If a file cannot be read here because a program is missing, returns a sentence that says so, and how to fix it.
    /// Nil otherwise. Reads only the first bytes of the file.
    static func obstacle(to bytes: SoundBytes, named name: String, programs: String? = nil) -> String? {
        let container = container(of: bytes)
        guard container.demuxer != nil, ForeignSound.program(in: programs) == nil else { return nil }
        return missingProgram(container, name)
    }

    /// Determines the container after skipping tags.
    private static func container(of bytes: SoundBytes) -> RecordingContainer {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        let container = RecordingContainer(head: bytes.bytes(at: start, count: 64))
        // A single AAC header occurs by chance. Two consecutive ones do not.
        if container == .adts {
            let head = bytes.bytes(at: start, count: 6)
            guard head.count == 6 else { return .other }
            let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
            let next = bytes.bytes(at: start + size, count: 2)
            return size > 7 && (next.isEmpty || next == Array(head[..<2])) ? .adts : .other
        }
        return container
    }

    // MARK: - By container

    private static func chunked(
        _ bytes: SoundBytes, _ container: RecordingContainer, _ name: String
    ) throws(SourceFailure) -> Opened {
        var frames = MPEGFrames(bytes)
        // FLAC may be preceded by an MP3 tag.
        let bytes = bytes.piece(min(frames.afterTags(0), bytes.part.count)..<bytes.part.count)
        let sound = ChunkedSound(bytes, in: container)
        if let inside = sound.mpeg, let mpeg = MPEGAudio(atBeginningOf: inside) ?? MPEGAudio(somewhereIn: inside) {
            return try Opened(
                container: container, source: source(of: mpeg, in: inside), warnings: sound.warnings + mpeg.warnings)
        }
        return try library(sound.bytes, container, sound.warnings, whole: bytes, name)
    }

    private static func ogg(_ bytes: SoundBytes, _ name: String) throws(SourceFailure) -> Opened {
        let links = OggLinks(bytes).links
        // libsndfile fails on a broadcast that was joined in the middle.
        if links.count == 1, links[0].startsLate, ForeignSound.program() != nil,
            let opened = try? foreign(bytes, .ogg, name)
        {
            return Opened(container: .ogg, source: opened.source, warnings: links[0].warnings)
        }
        if links.count == 1 && links[0].part == 0..<bytes.part.count {
            if let opus = OpusSource(bytes) {
                return Opened(container: .ogg, source: opus, warnings: links[0].warnings)
            }
            return try library(bytes, .ogg, links[0].warnings, whole: bytes, name)
        }
        var sources: [any SampleSource] = []
        var warnings: [RecordingWarning] = []
        var refusal: SourceFailure?
        for link in links {
            do throws(SourceFailure) {
                let opened = try library(bytes.piece(link.part), .ogg, [], whole: nil, name)
                sources.append(opened.source)
                warnings += link.warnings
            } catch {
                // Joined streams may contain a link without sound.
                refusal = refusal ?? error
            }
        }
        if sources.isEmpty {
            if links.count > 1 || refusal == nil { return try library(bytes, .ogg, [], whole: bytes, name) }
            throw refusal!
        }
        if sources.count > 1 { warnings.append(.joined(count: sources.count)) }
        return Opened(
            container: .ogg, source: sources.count == 1 ? sources[0] : JoinedSource(sources), warnings: warnings)
    }

    private static func mpegOrOther(_ bytes: SoundBytes, _ name: String) throws(SourceFailure) -> Opened {
        var mpeg = MPEGAudio(atBeginningOf: bytes)
        var words = "Format not recognised"
        if mpeg == nil && MPEGAudio.seemsToBegin(bytes) {
            mpeg = MPEGAudio(somewhereIn: bytes)
        } else if mpeg == nil {
            // Removes tags. After a tag libsndfile might find MPEG audio itself, and its decoder would print messages.
            var frames = MPEGFrames(bytes)
            let untagged = bytes.piece(min(frames.afterTags(0), bytes.part.count)..<bytes.part.count)
            do throws(LibrarySource.Refusal) {
                return Opened(container: .other, source: try LibrarySource(untagged), warnings: [])
            } catch {
                words = try error.words
                mpeg = MPEGAudio(somewhereIn: bytes)
            }
        }
        if mpeg?.promisesNothing == true {
            throw SourceFailure(reason: "holds no sound: not one frame follows the first, which tells their number")
        }
        guard let mpeg, !mpeg.runs.isEmpty else {
            throw SourceFailure(reason: "is not a sound file that can be read (\(words))")
        }
        return try Opened(container: .mpegAudio, source: source(of: mpeg, in: bytes), warnings: mpeg.warnings)
    }

    private static func source(of mpeg: MPEGAudio, in bytes: SoundBytes) throws(SourceFailure) -> any SampleSource {
        var sources: [any SampleSource] = []
        for run in mpeg.runs {
            do throws(SourceFailure) { sources.append(try MPEGSource(bytes.piece(run.part), run)) } catch {
                // A few frames next to damage may be too few to decode.
                if mpeg.runs.count == 1 { throw error }
            }
        }
        guard let first = sources.first else { throw SourceFailure(reason: MPEGSource.undecodable) }
        return sources.count == 1 ? first : JoinedSource(sources)
    }

    /// Opens sound with libsndfile, or with ffmpeg if libsndfile doesn't know the format.
    ///
    /// - Parameter whole: the file, for ffmpeg. Nil if this is one of several parts.
    private static func library(
        _ bytes: SoundBytes, _ container: RecordingContainer, _ warnings: [RecordingWarning], whole: SoundBytes?,
        _ name: String
    ) throws(SourceFailure) -> Opened {
        do throws(LibrarySource.Refusal) {
            let source = try LibrarySource(bytes)
            let flac = container == .flac ? FLACSource(bytes, source) : nil
            return Opened(container: container, source: flac ?? source, warnings: warnings)
        } catch {
            if let whole, container.otherDemuxer != nil, ForeignSound.program() != nil,
                let opened = try? foreign(whole, container, name)
            {
                return opened
            }
            let words = try error.words
            throw SourceFailure(reason: "is not a sound file that can be read (\(words))")
        }
    }

    // MARK: - By ffmpeg

    private static func foreign(
        _ bytes: SoundBytes, _ container: RecordingContainer, _ name: String
    ) throws(SourceFailure) -> Opened {
        guard let program = ForeignSound.program(), let demuxer = container.otherDemuxer else {
            throw SourceFailure(reason: missingProgram(container, name), saysWhatToDo: true)
        }
        let promised = PromisedLength.seconds(bytes, in: container)
        if promised == .noIndex {
            throw SourceFailure(
                reason:
                    "is cut off: its index, which comes last, is missing, and no sound can be read without it; copy the file again",
                saysWhatToDo: true)
        }
        let decoded = try ForeignSound.decode(bytes, by: demuxer, with: program)
        let source: LibrarySource
        do throws(LibrarySource.Refusal) { source = try LibrarySource(decoded) } catch {
            throw SourceFailure(reason: ForeignSound.undecodable, saysWhatToDo: true)
        }
        var warnings: [RecordingWarning] = []
        let seconds = Double(source.frameCount) / Double(source.sampleRate)
        if case .seconds(let length) = promised, length - seconds > PromisedLength.tolerance {
            warnings.append(.endsEarly(seconds: length - seconds))
        }
        return Opened(container: container, source: source, warnings: warnings)
    }

    private static func missingProgram(_ container: RecordingContainer, _ name: String) -> String {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let stem = file.split(separator: ".").dropLast().joined(separator: ".")
        let (from, to) = (quoted(file), quoted((stem.isEmpty ? file : stem) + ".wav"))
        return """
            is \(container.rawValue), which needs the program ffmpeg, and that is not installed here; install it (apt install ffmpeg), \
            or convert the recording: ffmpeg -i \(from) -vn -ac 1 -ar 16000 \(to)
            """
    }

    /// Returns a name quoted as one word for a shell.
    private static func quoted(_ name: String) -> String {
        let plain = name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "._-+@".utf8.contains($0)
        }
        if plain && !name.hasPrefix("-") { return name }
        let path = name.hasPrefix("-") ? "./" + name : name
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
