import ExamCore
import ExamKit

/// What the ears heard in one recording. Times are counted from its beginning, in whole milliseconds.
struct HeardFile: Equatable {
    struct Segment: Equatable {
        var start: Duration
        var end: Duration
        /// RMS of all frequencies, dB of full scale; −120 for digital silence.
        var levelDBFS: Double

        var duration: Duration { end - start }
    }

    /// How it is called in what is written.
    var name: String
    /// As its user gave it.
    var path: String
    var duration: Duration
    /// Speech, in order; none overlaps another.
    var segments: [Segment]

    var speech: Duration { segments.reduce(.zero) { $0 + $1.duration } }

    /// The part of the recording that is speech, 0 to 1.
    var speechPart: Double {
        duration > .zero ? Double(speech.milliseconds) / Double(duration.milliseconds) : 0
    }

    /// `speech 9.800 s of 12.340 s (79 %), 3 segments`
    var totals: String {
        let percent = Int((100 * speechPart).rounded())
        return "speech \(speech.text) s of \(duration.text) s (\(percent) %), \(segments.count.of("segment"))"
    }
}
