import ExamCore
import SessionFolders

// The decisions on sounds and ends of answers in plain words.

extension EndOfAnswer.Sound {
    /// The reason why it isn't clearly speech; nil for speech.
    var remark: String? {
        switch self {
        case .speech: nil
        case .doubtful: "doubtful: short and hardly voiced"
        case .distant: "far quieter than the speaker"
        case .unvoiced: "without a vowel: a breath, a cough, a chair"
        case .steady: "too steady for speech: the room became louder"
        }
    }
}

extension EndOfAnswer.Reason {
    /// Returns the reason in words, for example `silent for 2.400 s, twice the speaker's own pauses, 2 sounds did not
    /// count`.
    ///
    /// - Parameter range: The limits of the silence; nil if the speaker's pauses did not matter.
    func words(in range: ExamScript.SilenceRange?) -> String {
        ([spell] + [own(in: range), others].compactMap(\.self)).joined(separator: ", ")
    }

    private var spell: String {
        isPutOff
            ? "silent except for doubtful sounds, which no longer count" : "silent for \(silence.text) s"
    }

    private func own(in range: ExamScript.SilenceRange?) -> String? {
        guard isOwn, !isPutOff else { return nil }
        // At a limit, the silence is not exactly twice a pause.
        return switch silence {
        case range?.floor: "the shortest allowed, as the speaker's own pauses are short"
        case range?.ceiling: "the longest allowed, as the speaker's own pauses are long"
        default: "twice the speaker's own pauses"
        }
    }

    private var others: String? {
        soundsNotCounted > 0 ? "\(soundsNotCounted.of("sound")) did not count" : nil
    }
}
