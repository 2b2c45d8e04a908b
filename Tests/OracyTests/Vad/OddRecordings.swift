import AudioFiles
import Foundation
import Testing

/// Unusual recordings for `oracy vad`. Each is heard, or gives one true sentence and no other output.
@Suite struct OddRecordings {
    private let home: Home
    private let answer = Tool.fixtures + "/answers/home-4.flac"

    init() throws { home = try Home() }

    private func run(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["vad"] + arguments, home: home.path)
    }

    /// Runs a shell command in which `$0` is the tool and `$1` an answer.
    private func shell(_ line: String) throws -> Tool.Result {
        try Tool.run(["-c", line, Tool.debug, answer], tool: "/bin/bash", home: home.path)
    }

    private func write(_ bytes: Data, to name: String) throws -> String {
        let path = home.path + "/" + name
        try bytes.write(to: URL(filePath: path))
        return path
    }

    private let advice = "; name a whole WAV, FLAC, Ogg or MP3 file\n"

    // MARK: - Pipes

    @Test func standardInputIsHeardAsAFileIs() throws {
        let csv = try run("--csv", answer).output.replacingOccurrences(of: "home-4,", with: "stdin,")
        #expect(csv.contains("stdin,"))
        for line in ["cat \"$1\" | \"$0\" vad --csv -", "\"$0\" vad --csv - < \"$1\""] {
            let result = try shell(line)
            #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
            #expect(result.output == csv, "\(line)")
        }
        let picture = try shell("cat \"$1\" | \"$0\" vad - --plot \"$HOME/stdin.svg\"")
        #expect(picture.code == 0, "\(picture.errors)")
        let drawing = try Drawing(String(contentsOfFile: home.path + "/stdin.svg", encoding: .utf8))
        #expect(drawing.texts.contains("stdin"))
    }

    @Test func namedPipesAndThoseOfAShellAreHeard() throws {
        let totals = try run(answer).output.split(separator: "\n").last
        for line in [
            "\"$0\" vad <(cat \"$1\")",
            "mkfifo \"$HOME/a.wav\"; cat \"$1\" > \"$HOME/a.wav\" & \"$0\" vad \"$HOME/a.wav\"",
        ] {
            let result = try shell(line)
            #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
            #expect(result.output.split(separator: "\n").last == totals, "\(line)")
        }
    }

    @Test func problemsOfAPipeNameThePipe() throws {
        let nothing = try shell("\"$0\" vad - < /dev/null")
        #expect(nothing.code == 65 && nothing.errors == "oracy: stdin: is empty (0 bytes)" + advice)
        let half = try shell("head -c 50000 \"$1\" | \"$0\" vad -")
        #expect(half.code == 0 && half.output.hasPrefix("stdin\n"))
        #expect(half.errors.hasPrefix("oracy: stdin: ends ") && half.errors.hasSuffix(" s before its header says\n"))
        let full = try shell("TMPDIR=/none \"$0\" vad - < \"$1\"")
        #expect(full.code == 74)
        #expect(full.errors.hasPrefix("oracy: /none: has no room for what stdin sends"), "\(full.errors)")
    }

    @Test func standardInputIsReadOnceAndNotFromATerminal() throws {
        let twice = try run("-", answer, "-")
        #expect(twice.code == 64)
        #expect(twice.errors.contains("- is standard input, which can be read only once. Name it once."))
        let terminal = try Tool.run(["vad", "-"], home: home.path, input: PseudoTerminal(typing: ""))
        #expect(terminal.code == 65)
        #expect(
            terminal.errors.hasPrefix("oracy: stdin: is a terminal; give it a recording"), "\(terminal.errors)")
    }

    // MARK: - Files that aren't sound

    static let noSound: [(name: String, bytes: Data)] = {
        var dice = UInt64(3)
        let noise = Data(
            (0..<100_000).map { _ in
                dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(dice >> 56)
            })
        let tag = Data("ID3\u{3}\0\0\0\0\0\u{a}0123456789".utf8)
        return ["mp3", "flac", "ogg", "opus", "wav"].map { ("noise.\($0)", noise) } + [
            ("letter.mp3", Data("Dear examiner, this is my answer in writing, and I am sorry.\n".utf8)),
            ("tag.mp3", tag), ("noise-after-tag.mp3", tag + noise), ("zeros.mp3", Data(repeating: 0, count: 3_000)),
            ("noise-that-begins-well.mp3", Data([0xff, 0xfb, 0x90, 0x64]) + noise),
            ("title.mp3", Data("TAG".utf8) + Data(repeating: 0, count: 125)),
        ]
    }()

    @Test(arguments: noSound.indices)
    func otherFilesGetOneSentence(_ index: Int) throws {
        let (name, bytes) = Self.noSound[index]
        let path = try write(bytes, to: name)
        let result = try run(path)
        #expect(result.code == 65 && result.output.isEmpty)
        let sentence = "oracy: \(path): is not a sound file that can be read (Format not recognised)" + advice
        #expect(result.errors == sentence)
    }

    @Test func aHeaderWithoutSoundIsRefusedAsAnEmptyFileIs() throws {
        _ = try GrowingWAV(path: home.path + "/nothing.wav")
        let result = try run(home.path + "/nothing.wav")
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.errors == "oracy: \(home.path)/nothing.wav: holds no sound: not one sample follows its header"
                + advice)
    }

    // MARK: - MP3

    /// A frame of silence, 26 ms in 417 bytes: MPEG 1, layer III, 128 kbit/s, 44.1 kHz, stereo.
    private let frame = Data([0xff, 0xfb, 0x90, 0x04]) + Data(repeating: 0, count: 413)

    /// Returns a first frame that announces the number of others, as most programs write it.
    private func promise(_ count: Int) -> Data {
        let numbers = [3, count, (count + 1) * frame.count].flatMap { number in
            [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }
        }
        return Data(frame[..<36] + Data("Info".utf8) + numbers + frame[52...])
    }

    private func frames(_ count: Int) -> Data { Data((0..<count).flatMap { _ in frame }) }

    @Test func anMP3IsHeardWithoutAWordOfItsDecoder() throws {
        for (name, bytes) in [
            ("plain", frames(100)), ("promised", promise(100) + frames(100)),
            ("title", promise(100) + frames(100) + Data("TAG".utf8) + Data(repeating: 0, count: 125)),
            ("rest of a download", frames(100) + Data(repeating: 0x55, count: 3_000)),
        ] {
            let result = try run(write(bytes, to: name + ".mp3"))
            #expect(result.code == 0 && result.errors.isEmpty, "\(name): \(result.errors)")
            #expect(result.output.contains("  speech 0.000 s of 2."), "\(result.output)")
        }
    }

    @Test func anMP3ThatIsCutOffOrDamagedIsHeardWithOneSentence() throws {
        let hole = frames(50) + Data(repeating: 0x55, count: 500) + frames(50)
        for (name, bytes, words, length) in [
            ("promise", promise(100) + frames(60), "ends 1.045 s before its header says", "1.567"),
            ("frame", frames(60) + frame[..<200], "ends 0.026 s before its header says", "1.567"),
            ("hole", hole, "is damaged at 1.306 s: 500 bytes are not sound", "2.612"),
        ] {
            let path = try write(bytes, to: name + ".mp3")
            let result = try run(path)
            #expect(result.code == 0)
            #expect(result.output.contains("  speech 0.000 s of \(length) s"), "\(result.output)")
            #expect(result.errors == "oracy: \(path): \(words)\n")
        }
        let nothing = try write(promise(0), to: "nothing.mp3")
        let refused = try run(nothing)
        #expect(refused.code == 65 && refused.output.isEmpty)
        let reason = "holds no sound: not one frame follows the first, which tells their number"
        #expect(refused.errors == "oracy: \(nothing): \(reason)" + advice)
    }

    // MARK: - Telephones and browsers

    /// Without the program that decodes it, the user gets one piece of advice and no other.
    @Test func aTelephonesRecordingIsRefusedWithTheCommandThatConvertsIt() throws {
        let path = try write(Data("#!AMR\n".utf8) + Data(repeating: 0, count: 100), to: "my answer.amr")
        let result = try Tool.run(
            ["-c", "PATH=/none \"$0\" vad \"$1\"", Tool.debug, path], tool: "/bin/bash", home: home.path)
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.errors == """
                oracy: \(path): is AMR, which needs the program ffmpeg, and that is not installed here; \
                install it (apt install ffmpeg), or convert the recording: \
                ffmpeg -i 'my answer.amr' -vn -ac 1 -ar 16000 'my answer.wav'

                """)
    }

    /// Two seconds of AMR, the format of old telephones, in frames of 20 ms and 13 bytes.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"),
            "no /usr/bin/ffmpeg: apt-get install ffmpeg"))
    func aTelephonesRecordingIsHeard() throws {
        let frame = Data([4]) + Data((0..<12).map { UInt8($0 * 21 & 0xff) })
        let path = try write(Data("#!AMR\n".utf8) + Data((0..<100).flatMap { _ in frame }), to: "a.amr")
        let result = try run(path)
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.contains(" of 2.000 s"), "\(result.output)")
    }

    // MARK: - Channels

    /// A 16-bit stereo WAV file at 16 kHz.
    private func stereo(_ left: [Float], _ right: [Float]) -> Data {
        let pcm = zip(left, right).flatMap { [$0, $1] }.map { Int16(($0 * 32_767).rounded()) }
        var bytes = Data("RIFF".utf8)
        func put(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        put(UInt32(36 + 2 * pcm.count))
        bytes.append(contentsOf: Array("WAVEfmt ".utf8))
        put(UInt32(16))
        for number: UInt16 in [1, 2] { put(number) }
        for number: UInt32 in [16_000, 64_000] { put(number) }
        for number: UInt16 in [4, 16] { put(number) }
        bytes.append(contentsOf: Array("data".utf8))
        put(UInt32(2 * pcm.count))
        for sample in pcm { put(sample) }
        return bytes
    }

    @Test func anAnswerInAntiphaseIsHeardWithAWarning() throws {
        let reader = try BlockReader(path: answer)
        var said: [Float] = []
        while let block = try reader.next() { said += block.samples }
        said = Array(said[..<reader.sampleCount])
        let path = try write(stereo(said, said.map { -0.9 * $0 }), to: "home-4.wav")
        let result = try run("--csv", path)
        #expect(result.code == 0)
        #expect(
            result.errors == """
                oracy: \(path): its channels cancel each other out; one may be wired the wrong way round; \
                only the loudest was used

                """)
        #expect(result.output == (try run("--csv", answer)).output)
        let plain = try run("--csv", write(stereo(said, said), to: "home-4.wav"))
        #expect(plain.code == 0 && plain.errors.isEmpty && plain.output == result.output)
    }
}
