import Foundation
import SessionFolders
import SystemSupport
import TestSupport
import Testing

@testable import ExamCore
@testable import ExamKit

/// Words become a recording once. If the voice fails, the error says so and leaves nothing behind.
@Suite struct ExaminerVoiceTests {
    @Test func theSameWordsAreSpokenOnce() async throws {
        let studio = try Studio()
        let voice = studio.voice()
        let first = try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: [])
        let again = try await voice.recording(of: Clip(id: "b", text: "Good morning."), in: [])
        #expect(first == again)
        #expect(studio.spoken == ["Good morning."])
        let other = try await voice.recording(of: Clip(id: "a", text: "Good evening."), in: [])
        #expect(other != first)
        #expect(studio.spoken == ["Good morning.", "Good evening."])
    }

    @Test func theRecordingIsWhatTheVoiceWrote() async throws {
        let studio = try Studio()
        let path = try await studio.voice().recording(of: Clip(id: "a", text: "Good morning."), in: [])
        #expect(path.hasPrefix(studio.cache + "/good-morning-"))
        #expect(path.hasSuffix(".opus"))
        let all = try Fixtures.samples(path)
        #expect(
            all.count == Studio.sampleCount + 1_600,
            "its length is kept to the sample, and a tenth of a second of silence follows")
        let samples = all.prefix(Studio.sampleCount)
        let power = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
        #expect((0.008..<0.0125).contains(power), "voices are evened to −20 dB, 0.01, not \(power)")
        #expect(
            studio.cached == [path.split(separator: "/").last.map(String.init)], "the cache holds only this recording")
    }

    @Test func anotherVoiceSpeaksForItself() async throws {
        let studio = try Studio()
        let clip = Clip(id: "a", text: "Good morning.")
        let one = try await studio.voice().recording(of: clip, in: [])
        let other = try await studio.voice(arguments: ["--slowly"]).recording(of: clip, in: [])
        #expect(one != other)
        #expect(studio.spoken.count == 2)
    }

    @Test func recordedPromptsAreNotSpoken() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        let recordings = studio.folder.path + "/recordings"
        try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
        let path = recordings + "/" + voice.fileName(for: "Good morning.")
        try FileManager.default.copyItem(atPath: studio.sound, toPath: path)
        voice.recordings = [studio.folder.path + "/nowhere", recordings]
        #expect(try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: []) == path)
        #expect(studio.spoken == [])
        #expect(studio.cached == [])
    }

    @Test func aPictureOfTheExaminerIsOfWhatIsRecorded() async throws {
        let studio = try Studio()
        let (voice, clip) = (studio.voice(), Clip(id: "a", text: "Good morning."))
        #expect(voice.peaks(of: [clip], in: [], step: 0.05).isEmpty)
        #expect(studio.spoken == [], "nothing is spoken for a picture")
        _ = try await voice.recording(of: clip, in: [])
        let peaks = voice.peaks(of: [clip, clip], in: [], step: 0.05)
        // Each clip ends with a tenth of a second of silence: two columns.
        let columns = (Studio.sampleCount + 799) / 800 + 2
        #expect(peaks.count == 2 * columns)
        let sounding = peaks.enumerated().filter { $0.offset % columns < columns - 2 }.map(\.element)
        #expect(
            sounding.dropFirst().dropLast().allSatisfy { (0.1..<0.2).contains($0) }, "a sine at −20 dB, not \(peaks)")
        // Half of the prompt would be a wrong picture.
        #expect(voice.peaks(of: [clip, Clip(id: "b", text: "Good evening.")], in: [], step: 0.05).isEmpty)
    }

    @Test func aRecordingThatAClipNamesIsUsedAsItIs() async throws {
        let studio = try Studio()
        let clip = Clip(id: "a", text: "Good morning.", audio: "sound.wav")
        let folders = [studio.folder.path + "/nowhere", studio.folder.path]
        #expect(try await studio.voice().recording(of: clip, in: folders) == studio.sound)
        let absolute = Clip(id: "a", text: "", audio: studio.sound)
        #expect(try await studio.voice().recording(of: absolute, in: ["/nowhere"]) == studio.sound)
        #expect(studio.spoken == [])
    }

    /// Other words in another voice would be worse than an error.
    @Test func aNamedRecordingThatIsMissingIsNotReplacedByTheVoice() async throws {
        let studio = try Studio()
        let clip = Clip(id: "home-1", text: "Good morning.", audio: "no.wav")
        let sentence = "\(studio.folder.path)/no.wav: the recording of \"home-1\" is missing"
        await #expect(throws: Problem(.missing, sentence)) {
            try await studio.voice().recording(of: clip, in: [studio.folder.path, "/nowhere"])
        }
        #expect(studio.spoken == [])
    }

    /// In the exam such a recording would be skipped, and the candidate would not know the question.
    @Test func aNamedRecordingThatBreaksOffIsFoundBeforeTheExam() async throws {
        let studio = try Studio()
        let sound = try Data(contentsOf: URL(filePath: studio.sound))
        for (name, bytes, reason) in [
            ("cut.wav", sound.prefix(sound.count / 2), nil),
            ("letter.wav", Data("Dear aunt".utf8), "is not a sound file that can be read (Format not recognised)"),
        ] {
            let path = "\(studio.folder.path)/\(name)"
            try bytes.write(to: URL(filePath: path))
            let clip = Clip(id: "home-1", text: "Good morning.", audio: name)
            let problem = await #expect(throws: Problem.self) {
                try await studio.voice().recording(of: clip, in: [studio.folder.path])
            }
            let sentence = "\(path): the recording of \"home-1\" "
            if let reason {
                #expect(problem == Problem(.malformed, sentence + reason))
            } else {
                #expect(problem?.kind == .malformed && problem?.sentence.hasPrefix(sentence + "ends ") == true)
                #expect(
                    problem?.sentence.hasSuffix(" s before its header says; record or copy it again") == true)
            }
        }
        #expect(studio.spoken == [])
    }

    // MARK: - Failures

    @Test(arguments: ["/nonexistent/voice", "no-such-voice-program"])
    func aMissingProgramIsNamed(_ program: String) async throws {
        let studio = try Studio()
        let problem = await problem(studio, command: [program])
        #expect(problem?.kind == .unavailable)
        #expect(problem?.sentence.hasPrefix("\(program): the examiner's voice cannot be started") == true)
    }

    @Test func aProgramThatFailsIsNamed() async throws {
        let studio = try Studio()
        let problem = await problem(studio, command: try studio.program("cat > /dev/null\ncat \"$SOUND\"\nexit 3"))
        #expect(problem?.kind == .unavailable)
        #expect(problem?.sentence.contains("the examiner's voice failed") == true)
        #expect(problem?.sentence.contains("3") == true)
    }

    @Test(arguments: ["cat > /dev/null", "cat", "cat > /dev/null\nhead -c 44 \"$SOUND\""])
    func aProgramThatWritesNoSoundIsNamed(_ script: String) async throws {
        let studio = try Studio()
        let command = try studio.program(script)
        let problem = await problem(studio, command: command)
        #expect(problem?.kind == .unavailable)
        #expect(problem?.sentence.hasPrefix("\(command[0]): the voice wrote no sound for \"Good morning.\"") == true)
    }

    @Test func aVoiceWithoutACommandIsUnavailable() async throws {
        let problem = await problem(try Studio(), command: [])
        #expect(problem == Problem(.unavailable, "the examiner's voice has no command"))
    }

    @Test func aVoiceThatDoesNotReadItsTextStillSpeaks() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        voice.command = try studio.program("exec cat \"$SOUND\"")
        for number in 0..<20 {
            let path = try await voice.recording(of: Clip(id: "a", text: "Number \(number)."), in: [])
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aCacheThatCannotBeMadeIsUnwritable() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        voice.cache = studio.sound + "/prompts"
        let problem = await #expect(throws: Problem.self) {
            try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: [])
        }
        #expect(problem?.kind == .unwritable)
        #expect(problem?.sentence.hasPrefix(studio.sound) == true)
    }

    /// Returns the problem of a broken voice, and checks that no file stays in the cache.
    private func problem(_ studio: Studio, command: [String]) async -> Problem? {
        var voice = studio.voice()
        voice.command = command
        let problem = await #expect(throws: Problem.self) {
            try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: [])
        }
        #expect(studio.cached == [])
        return problem
    }

    // MARK: - Voices with a name

    /// The command of an installed voice has the paths of one machine. Its recordings are found on every other one.
    @Test func aNamedVoiceFindsItsRecordingsUnderAnotherCommand() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        voice.name = ["hibari", "1"]
        let path = try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: [])
        voice.command = ["no-such-program"]
        #expect(try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: []) == path)
        voice.name = ["hibari", "2"]
        await #expect(throws: Problem.self) {
            try await voice.recording(of: Clip(id: "a", text: "Good morning."), in: [])
        }
    }

    @Test func aVoiceWithOneLanguageLeavesOthersToEspeak() {
        var voice = ExaminerVoice(command: ["hibari"], recordings: ["/shipped"], cache: "/cache")
        voice.language = "en"
        #expect(voice.speaking(nil).command == ["hibari"])
        #expect(voice.speaking("en-GB").command == ["hibari"])
        let chinese = voice.speaking("zh-CN")
        #expect(chinese.command == ["espeak-ng", "-v", "cmn-latn-pinyin", "-s", "150", "--stdin", "--stdout"])
        #expect(chinese.recordings == ["/shipped"] && chinese.cache == "/cache")
    }

    @Test func manyPromptsAreSpokenInOneCall() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        // A line has the text and the path, in this order or the other.
        voice.command = try studio.program(
            """
            echo "$1" >> "\(studio.folder.path)/calls"
            sed -E 's/.*"path":"([^"]*)".*/\\1/; s,\\\\/,/,g' "$2" | while read -r path; do cat "$SOUND" > "$path"; done
            """)
        voice.linesArgument = "--lines"
        let clips = ["One.", "Two.", "Three \"quoted\".", "One."].map { Clip(id: $0, text: $0) }
        try await voice.speak(clips + [.beep], in: [])
        #expect(try String(contentsOfFile: studio.folder.path + "/calls", encoding: .utf8) == "--lines\n")
        for clip in clips { #expect(try voice.known(clip, in: []) != nil) }
        #expect(studio.cached.count == 4, "three texts and the tone, and nothing else: \(studio.cached)")
    }

    @Test func aCallThatSpeaksOnlySomePromptsFails() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        voice.command = try studio.program("exit 0")
        voice.linesArgument = "--lines"
        await #expect(throws: Problem.self) {
            try await voice.speak([Clip(id: "a", text: "One."), Clip(id: "b", text: "Two.")], in: [])
        }
        #expect(studio.cached == [])
    }

    @Test func anotherVoiceSpeaksTheWholeExam() async throws {
        let studio = try Studio()
        // It speaks the first three prompts, and then fails: none of them may be heard.
        var failing = studio.voice()
        failing.name = ["failing"]
        failing.command = try studio.program(
            """
            echo x >> "\(studio.folder.path)/count"
            [ $(wc -l < "\(studio.folder.path)/count") -le 3 ] || exit 1
            cat "$SOUND"
            """)
        var other = studio.voice()
        other.name = ["other"]
        let prepared = try await PreparedExam(
            .builtIn("ielts-style"), .builtIn("bridges"), voice: failing, instead: [other])
        #expect(prepared.voice.name == ["other"])
        #expect(prepared.warnings.contains { $0.hasSuffix("another voice speaks instead") })
        for (clip, prompt) in prepared.recordings where clip != .beep && clip.audio == nil {
            #expect(prompt.path == "\(studio.cache)/\(other.fileName(for: clip.text))")
        }
    }

    @Test func withoutAnotherVoiceTheFailureIsReported() async throws {
        let studio = try Studio()
        var voice = studio.voice()
        voice.command = ["no-such-program"]
        await #expect(throws: Problem.self) {
            try await PreparedExam(.builtIn("ielts-style"), .builtIn("bridges"), voice: voice, instead: [voice])
        }
    }

    @Test func aSessionKeepsItsVoice() {
        var voice = ExaminerVoice(command: ["python3", "/home/a/voice.py", "heart"])
        voice.name = ["hibari-tts", "0.2.1", "heart", "seed 1"]
        let record = SessionRecord(
            startedAt: "2026-11-28T09:00:00Z", consent: .init(words: "yes", givenAt: "2026-11-28T09:00:00Z"),
            folders: [], voice: voice)
        let again = ExaminerVoice(of: record)
        #expect(again.command == voice.command)
        #expect(again.fileName(for: "Hello.") == voice.fileName(for: "Hello."))
        #expect(ExaminerVoice(of: nil).command == ExaminerVoice.espeak)
    }

    // MARK: - Names and the real voice

    @Test func aRecordingsNameBeginsWithItsWords() {
        let voice = ExaminerVoice(command: ["voice"], cache: "/nowhere")
        #expect(voice.fileName(for: "What's  next — tea?").hasPrefix("whats-next-tea-"))
        let long = voice.fileName(for: String(repeating: "many words ", count: 30))
        #expect(long.utf8.count <= 40 + 1 + 16 + 5)
        #expect(voice.fileName(for: "Yes.") != voice.fileName(for: "Yes!"), "other words sound otherwise")
        #expect(voice.fileName(for: "../../etc").hasPrefix("etc-"), "no name leads out of the folder")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/espeak-ng"), "needs espeak-ng"))
    func espeakSpeaks() async throws {
        let studio = try Studio()
        let voice = ExaminerVoice(cache: studio.cache)
        let path = try await voice.recording(of: Clip(id: "a", text: "Good morning, and welcome."), in: [])
        let samples = try Fixtures.samples(path)
        #expect((16_000..<64_000).contains(samples.count), "four words take 1 to 4 s, not \(samples.count) samples")
        #expect(samples.contains { abs($0) > 0.1 })
    }
}

/// A test voice: a program that records what it is asked to say, and always makes the same sound.
private struct Studio {
    static let sampleCount = 8_000

    let folder: TemporaryFolder
    var cache: String { folder.path + "/cache" }
    var sound: String { folder.path + "/sound.wav" }
    private var notes: String { folder.path + "/spoken" }

    init() throws {
        folder = try TemporaryFolder()
        let step: Float = 440 * 2 * .pi / 16_000
        let sine = (0..<Self.sampleCount).map { index -> Float in 0.1414 * sin(Float(index) * step) }
        try Fixtures.write(sine, to: sound)
        _ = try program("cat >> \"\(notes)\"\necho >> \"\(notes)\"\ncat \"$SOUND\"", name: "voice")
    }

    func voice(arguments: [String] = []) -> ExaminerVoice {
        ExaminerVoice(command: ["\(folder.path)/voice"] + arguments, cache: cache)
    }

    /// Returns a command that runs a shell script, with the recording in `$SOUND`.
    func program(_ script: String, name: String = "other") throws -> [String] {
        let path = "\(folder.path)/\(name)"
        try "#!/bin/sh\nSOUND=\"\(sound)\"\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return [path]
    }

    /// The texts that the voice was asked to say, in order.
    var spoken: [String] {
        let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The files in the cache.
    var cached: [String] { folder.names(in: "/cache") }
}
