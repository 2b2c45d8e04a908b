import ExamCore
import SystemSupport

/// Problems that do not stop an exam. Each one ends when the part that failed works again.
struct OpenProblems: Equatable, Sendable {
    /// The detector may miss the end of an answer in this room.
    var isNoisy = false
    /// The examiner's last words were not played, or broke off.
    var promptFailed = false

    /// Returns the sentence for the candidate about the worst problem; nil if all is well.
    ///
    /// - Parameter storing: The problem that keeps answers from being encoded.
    func sentence(storing: Problem?) -> String? {
        if let storing { return storing.sentence }
        if promptFailed { return "The examiner's last words could not be played. The exam continues without them." }
        if isNoisy {
            return "It is too noisy to hear where your answers end. Come closer to the microphone, or make it quieter."
        }
        return nil
    }

    /// Takes note of an event. A prompt that plays to its end clears the problem of one that could not be played.
    mutating func note(_ event: Exam.Event) {
        switch event {
        case .promptEnded: promptFailed = false
        case .promptFailed: promptFailed = true
        default: break  // The other events don't tell whether words can be played.
        }
    }
}
