import AudioFiles
public import ExamCore
import Glibc
import Subprocess
import SystemPackage
public import SystemSupport

/// Finds the recording of what the examiner says, or has it spoken once and keeps it.
///
/// A recording that a format or paper names is used as it is. Any other is looked for by a hash of its text and of the
/// voice's command, in `recordings` and then in `cache`; where it is nowhere, the command speaks it into `cache` (Ogg/Opus,
/// 16 kHz mono, whose length is kept to the sample), as loud as every other voice (`VoiceLoudness`). So the same words in the same voice
/// sound, and last, the same every time.
public struct ExaminerVoice: Sendable {
    /// A program and its arguments: reads the text from standard input, writes WAV to standard output.
    public var command: [String]
    /// Folders with recordings; only read.
    public var recordings: [String]
    /// The folder that new recordings go to; made when it is first needed.
    public var cache: String

    /// espeak-ng's British voice at 150 words a minute: about what an examiner reads at.
    public static let espeak = ["espeak-ng", "-v", "en-gb", "-s", "150", "--stdin", "--stdout"]

    /// The same voice for an exam in another language: espeak-ng has one for most, and speaks Mandarin for `zh`. Any other program speaks as
    /// it does: whoever chose it chose its language.
    ///
    /// - Parameter language: a language tag; nil: English.
    public func speaking(_ language: String?) -> ExaminerVoice {
        guard let language, command.first == Self.espeak[0], let place = command.firstIndex(of: "-v"),
            place + 1 < command.count
        else { return self }
        var voice = self
        voice.command[place + 1] = Self.espeakVoice(for: language)
        return voice
    }

    /// Debian 12's espeak-ng (1.51) reads Chinese characters as English syllables with its voice `cmn`, and rightly with this one.
    private static func espeakVoice(for language: String) -> String {
        language.hasPrefix("zh") ? "cmn-latn-pinyin" : language.lowercased()
    }

    /// - Parameters:
    ///   - command: what speaks a text; `espeak` where nothing else is chosen.
    ///   - recordings: folders with the words that somebody recorded, looked through in this order.
    ///   - cache: where what was spoken is kept, for its owner only.
    public init(
        command: [String] = ExaminerVoice.espeak,
        recordings: [String] = [],
        cache: String = UserFolders.cache + "/prompts"
    ) {
        self.command = command
        self.recordings = recordings
        self.cache = cache
    }

    /// The recording of a clip.
    ///
    /// - Parameter folders: where a recording that the clip names may lie: the folders of the paper and of the format.
    /// - Throws: `Problem`: `missing` or `malformed` where a named recording is not there or no sound; `unavailable` where the
    ///   voice's program is not installed, fails or writes no sound; `unwritable`.
    public func recording(of clip: Clip, in folders: [String]) async throws(Problem) -> String {
        if let named = try Self.namedRecording(of: clip, in: folders) { return try await evened(named) }
        if let known = try known(clip, in: folders) { return known }
        return try await make(clip)
    }

    /// A recording as loud as the voice, and with no more silence at its end: itself if it is so, else a copy beside what was spoken, named by
    /// what is in it.
    private func evened(_ path: String) async throws(Problem) -> String {
        let samples = try withSound { () throws(SoundFileError) in try Self.samples(of: path) }
        guard let evened = Self.evened(samples) else { return path }
        let name = "evened-\(SHA256.hexadecimal(of: try PrivateFile.read(path)).prefix(16)).opus"
        if access("\(cache)/\(name)", R_OK) == 0 { return "\(cache)/\(name)" }
        return try await put(into: name) { (part) throws(Problem) in
            try withSound { () throws(SoundFileError) in try Self.write(evened, to: part) }
        }
    }

    /// - Returns: nil if the samples are as loud as the voice, and end as prompts do.
    private static func evened(_ samples: [Float]) -> [Float]? {
        let loud = louder(samples)
        return PromptEnding.cut(loud ?? samples) ?? loud
    }

    private static func louder(_ samples: [Float]) -> [Float]? {
        let gain = VoiceLoudness.gain(for: samples)
        return gain == 1 ? nil : samples.map { $0 * gain }
    }

    private func make(_ clip: Clip) async throws(Problem) -> String {
        let name = fileName(for: clip)
        return try await put(into: name) { (part) throws(Problem) in
            if clip == .beep { try Beep.write(to: part) } else { try await speak(clip.text, to: part) }
        }
    }

    /// Speaks what is not there yet, a few at a time: a program that speaks waits for disks as much as it works.
    ///
    /// - Throws: `Problem`: the first that went wrong.
    package func speak(_ clips: some Sequence<Clip>, in folders: [String]) async throws(Problem) {
        var texts: Set<String> = []
        var missing: [Clip] = []
        for clip in clips where texts.insert(clip.text).inserted {
            if try known(clip, in: folders) == nil { missing.append(clip) }
        }
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

    /// The recording of a clip where it is there already; nil: it would have to be spoken.
    ///
    /// - Throws: `Problem`: as `recording(of:in:)` for one that the clip names.
    package func known(_ clip: Clip, in folders: [String]) throws(Problem) -> String? {
        if let named = try Self.namedRecording(of: clip, in: folders) { return named }
        let name = fileName(for: clip)
        return (recordings + [cache]).map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
    }

    /// What the examiner says, as a picture: the loudest sample, 0 … 1, of each stretch. Nothing is spoken for it.
    ///
    /// - Parameter step: seconds of a stretch.
    /// - Returns: nothing where a recording is not there.
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

    /// The recording that a format or paper names for a clip, decoded to its end: what is broken is found before the exam (A16).
    ///
    /// - Returns: its path; nil where none is named.
    /// - Throws: `Problem`: `missing` where it is not there, `malformed` where it is no sound, or breaks off.
    package static func namedRecording(of clip: Clip, in folders: [String]) throws(Problem) -> String? {
        guard let audio = clip.audio else { return nil }
        let paths = folders.map { audio.path(in: $0) }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            throw Problem(.missing, "\(paths.first ?? audio): the recording of \"\(clip.id)\" is not there")
        }
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            while try reader.next() != nil {}
            // An answer counts as far as it goes. Half a question does not.
            if let loss = reader.warnings.first(where: \.isLoss) {
                throw SoundFileError(
                    kind: .unusable, path: path, reason: "\(loss.words); record it again, or copy it again")
            }
        } catch {
            throw Problem(.malformed, "\(path): the recording of \"\(clip.id)\" \(error.reason)")
        }
        return path
    }

    private func fileName(for clip: Clip) -> String { clip == .beep ? Beep.fileName : fileName(for: clip.text) }

    /// The beginning of the words as far as they have Latin letters, for people, and 16 digits of SHA-256 over command and words, for the cache.
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
        let hash = SHA256.hexadecimal(of: Array((command + [text]).joined(separator: "\0").utf8)).prefix(16)
        return (words.isEmpty ? "" : words + "-") + "\(hash).opus"
    }

    /// - Parameter write: writes the file, under a name that nobody else has.
    private func put(
        into name: String, _ write: (_ part: String) async throws(Problem) -> Void
    ) async throws(Problem) -> String {
        try PrivateFile.createFolder(cache)
        // A name of its own each time: two exams may have the same words spoken at once, in one process or in two, and the last one wins
        // with equal sound.
        let part = "\(cache)/\(name).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        defer { unlink(part) }
        try await write(part)
        try PrivateFile.move(part, to: "\(cache)/\(name)")
        return "\(cache)/\(name)"
    }

    private func speak(_ text: String, to part: String) async throws(Problem) {
        guard let program = command.first else { throw Problem(.unavailable, "the examiner's voice has no command") }
        defer { unlink(part + ".wav") }
        try await run(program, text: text, output: part + ".wav")
        do {
            try withSound { () throws(SoundFileError) in try Self.convert(part + ".wav", to: part) }
        } catch {
            throw Problem(.unavailable, "\(program): it wrote no sound for \"\(text.prefix(40))\" (\(error.sentence))")
        }
    }

    private func run(_ program: String, text: String, output path: String) async throws(Problem) {
        // Files on both sides: a program that does not read its input, or not at once, would break or block a pipe.
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
                arguments: .init(Array(command.dropFirst())),
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
