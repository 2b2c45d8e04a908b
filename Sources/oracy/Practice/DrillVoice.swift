import ExamCore
import ExamKit
import Learning
import PulseRoom
import SystemSupport

/// Speaks the audio of listening questions with the examiner's voice.
final class DrillVoice {
    private var player: AnswerPlayer?

    func say(_ question: PracticeQuestion, trouble: (String) -> Void) async {
        if let words = question.speech { await say(words, trouble: trouble) }
    }

    /// Plays the words once, and waits for the end.
    ///
    /// - Parameter trouble: Called with one sentence if nothing can be heard.
    func say(_ words: String, trouble: (String) -> Void) async {
        do throws(Problem) {
            let voice = try VoiceSetting.voices(nil)[0]
            await play(try await voice.recording(of: Clip(id: "practice", text: words), in: []), trouble: trouble)
        } catch {
            trouble(error.sentence)
        }
    }

    /// Plays a recording once, and waits for the end.
    ///
    /// - Parameter trouble: Called with one sentence if nothing can be heard.
    func play(_ path: String, trouble: (String) -> Void) async {
        do {
            let player = try player ?? AnswerPlayer()
            self.player = player
            await withCheckedContinuation { done in
                if !player.play(path, from: .zero, ended: { _ in done.resume() }) { done.resume() }
            }
        } catch {
            trouble("no loudspeaker found; oracy devices lists them")
        }
    }

    func close() {
        player?.close()
        player = nil
    }
}
