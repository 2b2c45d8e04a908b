import ArgumentParser
import ExamCore
import ExamKit
import PulseRoom
import SystemSupport

struct VoicesTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Hear a voice: hibari, pico, espeak-ng, or a voice file for hibari.")

    @Argument(help: "The voice. Default: the examiner's voice in use.")
    var name: String?

    @Option(help: "The words to speak.")
    var text = SpokenBank.trial

    func run() async throws {
        try await failing {
            let voice =
                switch name {
                case nil: try VoiceSetting.voices(nil)[0]
                case "espeak-ng": ExaminerVoice()
                case let name?: try VoiceNames.voice(name)
                }
            let path = try await voice.recording(of: Clip(id: "trial", text: text), in: [])
            print(path, whole: true)
            guard let player = try? AnswerPlayer() else {
                return complain("no loudspeaker found; oracy devices lists them")
            }
            defer { player.close() }
            await withCheckedContinuation { done in
                if !player.play(path, from: .zero, ended: { _ in done.resume() }) { done.resume() }
            }
        }
    }
}
