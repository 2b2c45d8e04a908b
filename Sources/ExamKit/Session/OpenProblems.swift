import ExamCore

/// What goes wrong while an exam goes on all the same; each is over when what failed goes well again (A8).
struct OpenProblems: Equatable, Sendable {
    /// The detector may miss the end of an answer in this room.
    var isNoisy = false
    /// The examiner's last words were not played, or broke off (A16).
    var promptFailed = false

    /// What the candidate is told: the worst of them; nil where nothing is wrong.
    ///
    /// - Parameter storing: what keeps answers from being encoded.
    func sentence(storing: Problem?) -> String? {
        if let storing { return storing.sentence }
        if promptFailed { return "The examiner's last words could not be played. The exam goes on without them." }
        if isNoisy {
            return "It is too noisy to hear where your answers end. Come closer to the microphone, or make it quieter."
        }
        return nil
    }

    /// A prompt that is played to its end ends what an unplayable one began.
    mutating func note(_ event: Exam.Event) {
        switch event {
        case .promptEnded: promptFailed = false
        case .promptFailed: promptFailed = true
        default: break  // Nothing else tells whether words can be played.
        }
    }
}
