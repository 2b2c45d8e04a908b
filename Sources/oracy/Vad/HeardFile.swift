import AudioFiles
import ExamCore
import ExamKit

/// What the detector heard in one recording. Times are counted from its beginning, in whole milliseconds.
struct HeardFile: Equatable {
    struct Sound: Equatable {
        var start: Duration
        var end: Duration
        /// RMS of all frequencies, dB of full scale; −120 for digital silence.
        var levelDBFS: Double
        /// What it turned out to be. What was not over when the recording was is taken for speech.
        var kind = EndOfAnswer.Sound.speech

        var duration: Duration { end - start }
    }

    /// The end of an answer.
    struct AnswerEnd: Equatable {
        /// When it was declared.
        var at: Duration
        /// When the speech before it was over.
        var silentSince: Duration
        var reason: EndOfAnswer.Reason
        /// The reason in plain words: `silent for 1.500 s`.
        var words: String
    }

    /// How it is called in what is written.
    var name: String
    /// As its user gave it.
    var path: String
    var duration: Duration
    /// All that sounded like a voice, in order; none overlaps another.
    var sounds: [Sound]
    /// In order; nil where nobody asked for them.
    var ends: [AnswerEnd]?
    /// How far the voice stood out of the noise at last, in the mean over the bands; nil where nobody spoke.
    var voiceOverNoiseDB: Double?
    /// Whether its channels cancelled each other out, and the loudest was heard instead of their mean.
    var channelsCancelled = false
    /// The faults of the recording and of its header; it was heard all the same.
    var warnings: [RecordingWarning] = []

    /// Speech, and what may be.
    var segments: [Sound] { sounds.filter(\.kind.counts) }
    /// What is not the speaker's.
    var notCounted: [Sound] { sounds.filter { !$0.kind.counts } }

    var speech: Duration { segments.reduce(.zero) { $0 + $1.duration } }

    /// The part of the recording that is speech, 0 to 1.
    var speechPart: Double {
        duration > .zero ? Double(speech.milliseconds) / Double(duration.milliseconds) : 0
    }

    /// `speech 9.800 s of 12.340 s (79 %), 3 segments; 1 sound did not count`
    var totals: String {
        let percent = Int((100 * speechPart).rounded())
        let others = notCounted.isEmpty ? "" : "; \(notCounted.count.of("sound")) did not count"
        return "speech \(speech.text) s of \(duration.text) s (\(percent) %), \(segments.count.of("segment"))\(others)"
    }
}
