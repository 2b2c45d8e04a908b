import ArgumentParser
import ExamCore
import ExamKit
import Glibc
import SystemSupport

struct VoicesBankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bank",
        abstract: "Speak everything that comes with Oracy into a folder, for a package: make voice.",
        shouldDisplay: false)

    @Argument(help: "The folder for the recordings.")
    var folder: String

    @Option(help: "The voice: hibari, pico, or a voice file for hibari.")
    var voice = "hibari"

    /// The texts of one call of the voice. A call takes a second to begin.
    private static let atOnce = 200

    func run() async throws {
        try await failing {
            var voice = try VoiceNames.voice(voice)
            (voice.recordings, voice.cache) = ([], folder)
            let clips = try SpokenBank.texts().map { Clip(id: "bank", text: $0) }
            for start in stride(from: 0, to: clips.count, by: Self.atOnce) {
                let end = min(start + Self.atOnce, clips.count)
                try await voice.speak(clips[start..<end], in: [])
                if isatty(STDERR_FILENO) == 1 { tell("\(end) of \(clips.count)\n") }
            }
            print("\(clips.count) texts are in \(folder)")
        }
    }
}
