import ArgumentParser
import AudioFiles
import ExamCore
import ExamKit
import FoundationEssentials
import Glibc
import HTTPClient
import Papers
import SystemSupport

struct VoicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voices",
        abstract: "Choose and try the examiner's voice, for prompts without a recording.",
        subcommands: [
            Now.self, VoicesListCommand.self, VoicesInstallCommand.self, VoicesTryCommand.self, Use.self, Ahead.self,
            Speak.self, VoicesBankCommand.self,
        ],
        defaultSubcommand: Now.self
    )

    struct Now: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "now", abstract: "Show which voice is used, and try it on a sentence.")

        @Option(help: "Try another voice: a command that reads text and writes WAV.")
        var voice: String?

        func run() async throws {
            try await failing {
                let voice = try VoiceSetting.voices(voice)[0]
                print((voice.name ?? voice.command).joined(separator: " "), whole: true)
                let words = SpokenBank.trial
                let path = try await voice.recording(of: Clip(id: "trial", text: words), in: [])
                let reader = try BlockReader(path: path)
                var count = 0
                while let block = try reader.next() { count += block.samples.count }
                let seconds = Double(count) / Double(AudioFormat.sampleRate)
                let rate = Int((Double(words.split(separator: " ").count) / seconds * 60).rounded())
                print("spoke \(words.split(separator: " ").count) words, \(rate) a minute: \(path)")
            }
        }
    }

    struct Use: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Choose the voice for all later exams.",
            discussion: """
                The name is hibari, pico or espeak-ng (oracy voices list), or the path of a voice file for hibari. \
                Without a name or options, uses espeak-ng with its defaults. Prompts that were spoken before keep their \
                voice. For Piper, see docs/formats-and-papers.md.
                """)

        @Argument(help: "A voice: hibari, pico, espeak-ng, or a voice file for hibari (.onnx).")
        var name: String?

        @Option(help: "A command that reads text from standard input and writes WAV to standard output.")
        var command: String?

        @Option(help: "espeak-ng's speed in words a minute, 80 to 300: slower for lower levels. Default: 150.")
        var wordsPerMinute: Int?

        @Option(help: "espeak-ng's pause between words in milliseconds, 0 to 500.")
        var pause: Int?

        @Option(
            help:
                """
                A server with OpenAI's /v1/audio/speech: https://api.openai.com/v1. Only the examiner's words are \
                sent there.
                """
        )
        var address: String?

        @OptionGroup var speech: SpeechArguments

        func validate() throws {
            if name != nil && (command != nil || address != nil) {
                throw ValidationError("Use either a name, --command or --address.")
            }
            if let name, name != "espeak-ng", wordsPerMinute != nil || pause != nil {
                throw ValidationError("--words-per-minute and --pause are only for espeak-ng.")
            }
            if command != nil && address != nil { throw ValidationError("Use either --command or --address.") }
            if let wordsPerMinute, !(80...300).contains(wordsPerMinute) {
                throw ValidationError("--words-per-minute must be between 80 and 300.")
            }
            if let pause, !(0...500).contains(pause) { throw ValidationError("--pause must be between 0 and 500.") }
            if (command != nil || address != nil) && (wordsPerMinute != nil || pause != nil) {
                throw ValidationError("--words-per-minute and --pause are only for espeak-ng.")
            }
        }

        func run() async throws {
            try await failing {
                if let name, name != "espeak-ng" { return try await VoiceNames.choose(name) }
                let chosen: [String]
                if let command {
                    chosen = command.split(separator: " ").map(String.init)
                } else if let address {
                    try speech.checkKey(for: address)
                    chosen = try [Self.program(), "voices", "speak", "--address", address] + speech.words
                } else {
                    chosen =
                        ["espeak-ng", "-v", "en-gb", "-s", "\(wordsPerMinute ?? 150)"]
                        + (pause.map { ["-g", "\($0 / 10)"] } ?? []) + ["--stdin", "--stdout"]
                }
                // Test the voice before choosing it.
                let voice = ExaminerVoice(command: chosen)
                _ = try await voice.recording(of: Clip(id: "trial", text: SpokenBank.shortTrial), in: [])
                try VoiceSetting.choose(chosen)
                print("The examiner's voice is now: \(chosen.joined(separator: " "))")
            }
        }

        private static func program() throws(Problem) -> String {
            guard let path = realpath("/proc/self/exe", nil) else {
                throw Problem(.missing, "/proc/self/exe: is not there")
            }
            defer { free(path) }
            return String(cString: path)
        }
    }

    struct Ahead: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ahead",
            abstract: "Prepare the sound of all questions of the bank and a format, so that no exam waits.",
            discussion: "Finished sentences are kept. ^C stops; run it again to continue.")

        @Option(help: "A built-in format or a .json file.")
        var format = "ielts-style"

        func run() async throws {
            try await failing {
                let format = try self.format.hasSuffix(".json") ? ExamFormat(file: self.format) : .builtIn(self.format)
                let sections = Set(format.parts.flatMap(\.items).compactMap(\.section))
                let items = try PaperDesk().bank().items.filter { sections.contains($0.section) }
                let words = format.lines.values.map(\.text).sorted() + items.flatMap(\.prompts)
                let voice = try VoiceSetting.voices(nil)[0]
                let isTerminal = isatty(STDERR_FILENO) == 1
                for start in stride(from: 0, to: words.count, by: 20) {
                    let end = min(start + 20, words.count)
                    try await voice.speak(words[start..<end].map { Clip(id: "ahead", text: $0) }, in: [])
                    if isTerminal { Self.tell("\r\(Self.bar(end, of: words.count)) \(end) of \(words.count)") }
                }
                if isTerminal { Self.tell("\n") }
                print("\(words.count) sentences are ready")
            }
        }

        private static func bar(_ done: Int, of all: Int) -> String {
            let filled = 30 * done / max(1, all)
            return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "]"
        }

        private static func tell(_ words: String) {
            let bytes = Array(words.utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
        }
    }

    struct Speak: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "speak",
            abstract: "Have a server speak text from standard input, and write WAV to standard output.",
            shouldDisplay: false)

        @Option var address: String
        @OptionGroup var speech: SpeechArguments

        func run() async throws {
            try await failing {
                var text: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4_096)
                while case let count = read(STDIN_FILENO, &piece, piece.count), count > 0 { text += piece[..<count] }
                let sound = try await speech.ask(address, for: String(decoding: text, as: UTF8.self))
                guard PrivateFile.writeAll(sound, to: STDOUT_FILENO) else {
                    throw Problem(.unwritable, "the sound could not be written to standard output")
                }
            }
        }
    }
}

/// The options for requests to a speech server.
struct SpeechArguments: ParsableArguments {
    @Option(help: "The server's model.")
    var model = "tts-1"

    @Option(help: "The server's voice.")
    var serverVoice = "alloy"

    @Option(help: "The server's speed, 0.25 to 4.")
    var speed = 1.0

    @Option(help: "A file that contains only the server's key.")
    var keyFile: String?

    @Option(help: "An environment variable that holds the server's key.")
    var keyEnvironment: String?

    func validate() throws {
        guard (0.25...4).contains(speed) else { throw ValidationError("--speed must be between 0.25 and 4.") }
    }

    /// The same options as arguments of a command.
    var words: [String] {
        ["--model", model, "--server-voice", serverVoice, "--speed", "\(speed)"]
            + (keyFile.map { ["--key-file", $0] } ?? []) + (keyEnvironment.map { ["--key-environment", $0] } ?? [])
    }

    /// - Throws: `Problem`: `unavailable` if the server cannot be reached or refuses; `malformed` if a key would be
    ///   sent unencrypted.
    func ask(_ address: String, for text: String) async throws(Problem) -> [UInt8] {
        struct Asked: Encodable {
            var model, voice, input: String
            var form = "wav"
            var speed: Double

            enum CodingKeys: String, CodingKey {
                case model, voice, input, speed
                case form = "response_format"
            }
        }
        var headers = [("Content-Type", "application/json")]
        try checkKey(for: address)
        if let key = try key() { headers.append(("Authorization", "Bearer \(key)")) }
        let body = Array(
            (try? JSONEncoder().encode(Asked(model: model, voice: serverVoice, input: text, speed: speed))) ?? Data())
        let url = (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/audio/speech"
        let answer: HTTPResponse
        do throws(HTTPFailure) {
            answer = try await CurlClient().exchange(
                HTTPRequest("POST", url, headers: headers, body: .bytes(body)), limits: HTTPLimits(), sent: { _ in })
        } catch {
            throw Problem(.unavailable, error.sentence)
        }
        guard answer.status == 200 else { throw Problem(.unavailable, "\(url): answered \(answer.status)") }
        return answer.body
    }

    /// Checks that no key is sent to another machine unencrypted, and warns of a key that all users can read.
    ///
    /// - Throws: `Problem.malformed`.
    func checkKey(for address: String) throws(Problem) {
        guard keyFile != nil || keyEnvironment != nil else { return }
        if let keyFile { SecretFile.complainIfExposed(keyFile) }
        let place = URLComponents(string: address)
        guard place?.scheme?.lowercased() != "http" || LocalHost.isThisMachine(place?.host ?? "") else {
            throw Problem(.malformed, "\(address): is http, and the key would be read on its way; use https")
        }
    }

    private func key() throws(Problem) -> String? {
        if let keyFile {
            let text = String(decoding: try PrivateFile.read(keyFile), as: UTF8.self)
            return String(text.prefix { !$0.isWhitespace })
        }
        guard let keyEnvironment else { return nil }
        guard let key = ProcessInfo.processInfo.environment[keyEnvironment], !key.isEmpty else {
            throw Problem(.missing, "\(keyEnvironment): is not set in the environment")
        }
        return key
    }
}
