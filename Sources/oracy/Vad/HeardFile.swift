import AudioFiles
import ExamCore
import SessionFolders

/// The detector's findings in one recording. Times count from its beginning, in whole milliseconds.
struct HeardFile: Equatable {
    struct Sound: Equatable {
        var start: Duration
        var end: Duration
        /// The RMS over all frequencies, dB of full scale; −120 for digital silence.
        var levelDBFS: Double
        /// The detector's verdict. A sound cut off by the end of the recording counts as speech.
        var kind = EndOfAnswer.Sound.speech

        var duration: Duration { end - start }
    }

    /// The end of an answer.
    struct AnswerEnd: Equatable {
        /// The time at which it was declared.
        var at: Duration
        /// The end of the speech before it.
        var silentSince: Duration
        var reason: EndOfAnswer.Reason
        /// The reason in plain words: `silent for 1.500 s`.
        var words: String
    }

    /// The recording's name in the output.
    var name: String
    /// The path as the user gave it.
    var path: String
    var duration: Duration
    /// All voice-like sounds, in order, without overlaps.
    var sounds: [Sound]
    /// The ends of answers, in order; nil unless they were requested.
    var ends: [AnswerEnd]?
    /// The voice's final level over the noise, as the mean over the bands; nil if no one spoke.
    var voiceOverNoiseDB: Double?
    /// Whether the channels cancelled each other out, so that the loudest was heard instead of their mean.
    var channelsCancelled = false
    /// The faults of the recording and of its header. It was heard in spite of them.
    var warnings: [RecordingWarning] = []

    /// The speech, doubtful sounds included.
    var segments: [Sound] { sounds.filter(\.kind.counts) }
    /// The sounds that are not the speaker's.
    var notCounted: [Sound] { sounds.filter { !$0.kind.counts } }

    var speech: Duration { segments.reduce(.zero) { $0 + $1.duration } }

    /// The part of the recording that is speech, 0 to 1.
    var speechPart: Double {
        duration > .zero ? Double(speech.milliseconds) / Double(duration.milliseconds) : 0
    }

    /// The summary: `speech 9.800 s of 12.340 s (79 %), 3 segments; 1 sound did not count`
    var totals: String {
        let percent = Int((100 * speechPart).rounded())
        let others = notCounted.isEmpty ? "" : "; \(notCounted.count.of("sound")) did not count"
        return "speech \(speech.text) s of \(duration.text) s (\(percent) %), \(segments.count.of("segment"))\(others)"
    }
}
