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

    /// The number of texts to speak in one call of the voice, because each call takes a second to begin.
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
            try list(clips, voice)
            print("\(clips.count) texts are in \(folder)")
        }
    }

    /// Lists the recordings with their hashes. Recordings of texts that Oracy no longer has are left out.
    private func list(_ clips: [Clip], _ voice: ExaminerVoice) throws(Problem) {
        var lines: [String] = []
        for clip in clips {
            guard let path = try voice.known(clip, in: []) else {
                throw Problem(.unavailable, "\"\(clip.text.prefix(40))\" was not spoken; run it again")
            }
            lines.append("\(try PrivateFile.digest(path).sha256)  \(path.dropFirst(folder.count + 1))\n")
        }
        try PrivateFile.replace("\(folder)/\(SpokenBank.list)", with: Array(lines.sorted().joined().utf8))
    }
}
