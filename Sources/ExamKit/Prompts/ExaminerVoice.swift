import AudioFiles
public import ExamCore
import Glibc
public import SessionFolders
import Subprocess
import SystemPackage
public import SystemSupport

/// Finds the recording of a prompt, or has a program speak the prompt once and keeps the result.
///
/// If a format or paper names a recording, that one is used. Any other prompt is looked up by a hash of its text and of
/// the voice's name, first in `recordings` and then in `cache`. If neither folder has it, the command speaks the prompt
/// into `cache` as Ogg/Opus at 16 kHz mono. Its loudness is the same for every voice (`VoiceLoudness`), and its length
/// is exact to the sample. The same words in the same voice therefore always sound the same and last equally long.
public struct ExaminerVoice: Sendable {
    /// A program and its arguments. It reads the text from standard input and writes WAV to standard output.
    public var command: [String]
    /// The words that identify the voice on every machine, such as its program, version and speaker. An installed voice
    /// needs them because its command contains paths of one machine. If nil, the command identifies the voice.
    public var name: [String]?
    /// The only language that the voice speaks, such as `en`. If nil, the command is used for exams in any language.
    public var language: String?
    /// The option with which the command speaks many texts at once. Its value is a file with one line `{"text": …,
    /// "path": …}` for each WAV to write. Nil if the command has no such option.
    public var linesArgument: String?
    /// Folders with recordings. Nothing is written to them.
    public var recordings: [String]
    /// The folder that new recordings go to. It is created when it is first needed.
    public var cache: String

    /// espeak-ng's British voice at 150 words a minute, about the pace of an examiner who reads aloud.
    public static let espeak = ["espeak-ng", "-v", "en-gb", "-s", "150", "--stdin", "--stdout"]

    /// Returns the same voice for an exam in another language. espeak-ng has a voice for most languages, and speaks
    /// Mandarin for `zh`. It also replaces a voice that speaks only another language. Any other program stays, because
    /// the user who chose it also chose its language.
    ///
    /// - Parameter language: A language tag; nil means English.
    public func speaking(_ language: String?) -> ExaminerVoice {
        if let language, let own = self.language, !language.lowercased().hasPrefix(own) {
            return ExaminerVoice(recordings: recordings, cache: cache).speaking(language)
        }
        guard let language, command.first == Self.espeak[0], let place = command.firstIndex(of: "-v"),
            place + 1 < command.count
        else { return self }
        var voice = self
        voice.command[place + 1] = Self.espeakVoice(for: language)
        return voice
    }

    /// espeak-ng 1.51 of Debian 12 reads Chinese characters as English syllables with its voice `cmn`, and correctly
    /// with this one.
    private static func espeakVoice(for language: String) -> String {
        language.hasPrefix("zh") ? "cmn-latn-pinyin" : language.lowercased()
    }

    /// - Parameters:
    ///   - command: The program that speaks a text; `espeak` by default.
    ///   - recordings: Folders with human recordings, searched in this order.
    ///   - cache: The folder for spoken prompts. Only its owner can read it.
    public init(
        command: [String] = ExaminerVoice.espeak,
        recordings: [String] = [],
        cache: String = UserFolders.cache + "/prompts"
    ) {
        self.command = command
        self.recordings = recordings
        self.cache = cache
    }

    /// Creates the voice of an earlier session.
    ///
    /// - Parameter record: The session's record; nil for the usual voice.
    public init(of record: SessionRecord?, recordings: [String] = []) {
        self.init(command: record?.voice ?? ExaminerVoice.espeak, recordings: recordings)
        name = record?.voiceName
    }

    /// Returns the path of a clip's recording.
    ///
    /// - Parameter folders: The folders of the paper and of the format, which may hold a recording that the clip names.
    /// - Throws: `Problem`: `missing` or `malformed` if a named recording is missing or isn't sound; `unavailable` if
    ///   the voice's program isn't installed, fails or writes no sound; `unwritable`.
    public func recording(of clip: Clip, in folders: [String]) async throws(Problem) -> String {
        if let named = try Self.namedRecording(of: clip, in: folders) { return try await evened(named) }
        if let known = try known(clip, in: folders) { return known }
        return try await make(clip)
    }

    /// Returns a recording with the loudness of all examiners' voices and without surplus silence at its end. Returns
    /// the given file if it already is such a recording. Otherwise writes a copy to the cache, named by the hash of its
    /// content.
    private func evened(_ path: String) async throws(Problem) -> String {
        let samples = try withSound { () throws(SoundFileError) in try Self.samples(of: path) }
        guard let evened = Self.evened(samples) else { return path }
        let name = "evened-\(SHA256.hexadecimal(of: try PrivateFile.read(path)).prefix(16)).opus"
        if access("\(cache)/\(name)", R_OK) == 0 { return "\(cache)/\(name)" }
        return try await put(into: name) { (part) throws(Problem) in
            try withSound { () throws(SoundFileError) in try Self.write(evened, to: part) }
        }
    }

    /// - Returns: nil if the samples are already as loud as the voice and end as prompts do.
    private static func evened(_ samples: [Float]) -> [Float]? {
        let loud = louder(samples)
        return PromptEnding.cut(loud ?? samples) ?? loud
    }

    private static func louder(_ samples: [Float]) -> [Float]? {
        let gain = VoiceLoudness.gain(for: samples)
        return gain == 1 ? nil : samples.map { $0 * gain }
    }

    func make(_ clip: Clip) async throws(Problem) -> String {
        let name = fileName(for: clip)
        return try await put(into: name) { (part) throws(Problem) in
            if clip == .beep { try Beep.write(to: part) } else { try await speak(clip.text, to: part) }
        }
    }

    /// Speaks the clips that have no recording yet. A few programs run at the same time, since each one waits for the
    /// disk for about as long as it computes.
    ///
    /// - Throws: `Problem`: the first failure.
    package func speak(_ clips: some Sequence<Clip>, in folders: [String]) async throws(Problem) {
        var texts: Set<String> = []
        var missing: [Clip] = []
        for clip in clips where texts.insert(clip.text).inserted {
            if try known(clip, in: folders) == nil { missing.append(clip) }
        }
        if let linesArgument, missing.count > 1 { return try await speak(missing, linesArgument) }
        let left = missing
        let problem = await withTaskGroup(of: Problem?.self) { group -> Problem? in
            var first: Problem?
            for (number, clip) in left.enumerated() {
                if number >= Self.atOnce, let outcome = await group.next() { first = first ?? outcome }
                if first != nil || Task.isCancelled { break }
                group.addTask {
                    do throws(Problem) {
                        _ = try await make(clip)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await outcome in group { first = first ?? outcome }
            return first
        }
        if let problem { throw problem }
    }

    private static let atOnce = 4

    /// Returns the recording of a clip if it exists already; nil if a program would have to speak it.
    ///
    /// - Throws: `Problem`: as `recording(of:in:)` for a recording that the clip names.
    package func known(_ clip: Clip, in folders: [String]) throws(Problem) -> String? {
        if let named = try Self.namedRecording(of: clip, in: folders) { return named }
        let name = fileName(for: clip)
        return (recordings + [cache]).map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
    }

    /// Returns the waveform of the examiner's prompts: the loudest sample, 0 … 1, of each stretch. Does not speak
    /// prompts that have no recording.
    ///
    /// - Parameter step: The length of a stretch in seconds.
    /// - Returns: An empty array if a recording is missing.
    package func peaks(of clips: [Clip], in folders: [String], step: Double) -> [Double] {
        var peaks: [Double] = []
        for clip in clips {
            guard let path = try? known(clip, in: folders), let found = try? SoundPeaks.of(path, step: step) else {
                return []
            }
            peaks += found
        }
        return peaks
    }

    /// Returns the recording that a format or paper names for a clip. The file is decoded to its end, so that a broken
    /// one is found before the exam.
    ///
    /// - Returns: Its path; nil if the clip names no recording.
    /// - Throws: `Problem`: `missing` if the file is missing, `malformed` if it isn't sound or breaks off.
    package static func namedRecording(of clip: Clip, in folders: [String]) throws(Problem) -> String? {
        guard let audio = clip.audio else { return nil }
        let paths = folders.map { audio.path(in: $0) }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            throw Problem(.missing, "\(paths.first ?? audio): the recording of \"\(clip.id)\" is missing")
        }
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            while try reader.next() != nil {}
            // Unlike a broken recording of an answer, half a question is of no use.
            if let loss = reader.warnings.first(where: \.isLoss) {
                throw SoundFileError(
                    kind: .unusable, path: path, reason: "\(loss.words); record or copy it again")
            }
        } catch {
            throw Problem(.malformed, "\(path): the recording of \"\(clip.id)\" \(error.reason)")
        }
        return path
    }

    func fileName(for clip: Clip) -> String { clip == .beep ? Beep.fileName : fileName(for: clip.text) }

    /// Returns the file name in the cache. It begins with the Latin letters of the first words, so that people
    /// recognise it. Then come 16 digits of a SHA-256 over the voice's name and the words.
    func fileName(for text: String) -> String {
        var words = ""
        for scalar in text.lowercased().unicodeScalars where words.utf8.count < 40 {
            switch scalar {
            case "a"..."z", "0"..."9": words.unicodeScalars.append(scalar)
            case "'", "’": break
            default: if !words.isEmpty && !words.hasSuffix("-") { words += "-" }
            }
        }
        if words.hasSuffix("-") { words.removeLast() }
        let hash = SHA256.hexadecimal(of: Array(((name ?? command) + [text]).joined(separator: "\0").utf8)).prefix(16)
        return (words.isEmpty ? "" : words + "-") + "\(hash).opus"
    }

    /// - Parameter write: Writes the file, under a name that nothing else uses.
    func put(
        into name: String, _ write: (_ part: String) async throws(Problem) -> Void
    ) async throws(Problem) -> String {
        try PrivateFile.createFolder(cache)
        // The name is unique because two exams may have the same words spoken at the same time, in one process or in
        // two. The last file replaces the earlier one, which sounds the same.
        let part = "\(cache)/\(name).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        defer { unlink(part) }
        try await write(part)
        try PrivateFile.move(part, to: "\(cache)/\(name)")
        return "\(cache)/\(name)"
    }

    private func speak(_ text: String, to part: String) async throws(Problem) {
        guard let program = command.first else { throw Problem(.unavailable, "the examiner's voice has no command") }
        defer { unlink(part + ".wav") }
        try await run(program, Array(command.dropFirst()), text: text, output: part + ".wav")
        try convert(part + ".wav", of: text, to: part)
    }

    func convert(_ path: String, of text: String, to part: String) throws(Problem) {
        do {
            try withSound { () throws(SoundFileError) in try Self.convert(path, to: part) }
        } catch {
            let program = command.first ?? ""
            throw Problem(
                .unavailable, "\(program): the voice wrote no sound for \"\(text.prefix(40))\" (\(error.sentence))")
        }
    }

    func run(
        _ program: String, _ arguments: [String], text: String, output path: String
    ) async throws(Problem) {
        // Both sides are files: a program that reads its input late or not at all would break or block a pipe.
        let input = try file(path + ".txt", O_RDWR)
        defer {
            close(input)
            unlink(path + ".txt")
        }
        guard PrivateFile.writeAll(Array(text.utf8), to: input), lseek(input, 0, SEEK_SET) == 0 else {
            throw PrivateFile.unwritable(path)
        }
        let output = try file(path, O_WRONLY)
        defer { close(output) }
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                program.contains("/") ? .path(.init(program)) : .name(program),
                arguments: .init(arguments),
                input: .fileDescriptor(.init(rawValue: input), closeAfterSpawningProcess: false),
                output: .fileDescriptor(.init(rawValue: output), closeAfterSpawningProcess: false),
                error: .discarded
            ).terminationStatus
        } catch {
            throw Problem(
                .unavailable,
                "\(program): the examiner's voice cannot be started; install it (apt install espeak-ng) or record the prompts"
            )
        }
        switch status {
        case .exited(0): break
        case .exited(let code):
            throw Problem(.unavailable, "\(program): the examiner's voice failed (exit code \(code))")
        default: throw Problem(.unavailable, "\(program): the examiner's voice was killed by a signal")
        }
    }

    private func file(_ path: String, _ access: Int32) throws(Problem) -> Int32 {
        let file = open(path, access | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        return file
    }

    private static func convert(_ path: String, to output: String) throws(SoundFileError) {
        let samples = try samples(of: path)
        try write(PromptEnding.filled(louder(samples) ?? samples), to: output)
    }

    private static func samples(of path: String) throws(SoundFileError) -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return Array(samples.prefix(reader.sampleCount))
    }

    private static func write(_ samples: [Float], to output: String) throws(SoundFileError) {
        let writer = try OpusFileWriter(path: output, bitRate: AnswerRecorder.opusBitRate, effort: .most)
        try writer.write(samples[...])
        try writer.close(durably: true)
    }
}

extension SessionRecord {
    /// The record of a session in a voice.
    public init(startedAt: String, consent: Consent, folders: [String], voice: ExaminerVoice) {
        self.init(
            startedAt: startedAt, consent: consent, folders: folders, voice: voice.command, voiceName: voice.name)
    }
}
