import AudioFiles
import ExamCore

extension [HeardFile] {
    var json: String { JSONText.of(HearingReport(files: map(HearingReport.File.init))) + "\n" }
}

/// The output of `--json`. The name of each number ends in its unit. A number without a unit is a count, except
/// `speechPart`.
private struct HearingReport: Encodable {
    struct File: Encodable {
        /// The name in `--csv`.
        var file: String
        /// The path on the command line.
        var path: String
        var durationSeconds: Double
        var speechSeconds: Double
        /// A fraction, 0 to 1.
        var speechPart: Double
        /// The voice's final level over the noise. Left out if no one spoke.
        var voiceOverNoiseDB: Double?
        /// Sentences on the file's defects. Left out if it is whole.
        var warnings: [String]?
        /// The sound that the file is known to lack. Left out if it is whole.
        var missingSeconds: Double?
        var segments: [Segment]
        var soundsNotCounted: [Other]
        /// Left out without `--end-of-answer`.
        var endsOfAnswers: [End]?
    }

    struct Segment: Encodable {
        var startSeconds: Double
        var endSeconds: Double
        /// The RMS, −120 (digital silence) to 0. A sine of full scale is at −3.01.
        var levelDBFS: Double
        /// Whether it is so short and so weakly voiced that it may not be speech.
        var doubtful: Bool
    }

    struct Other: Encodable {
        var startSeconds: Double
        var endSeconds: Double
        /// Defined as for a segment.
        var levelDBFS: Double
        /// The reason in plain words.
        var reason: String
    }

    struct End: Encodable {
        /// The time at which it was declared.
        var endSeconds: Double
        /// The end of the speech before it.
        var sinceSeconds: Double
        /// The silence that ended an answer at that time.
        var silenceSeconds: Double
        /// Whether the speaker's own pauses had changed that silence.
        var adapted: Bool
        /// Whether the wait for doubtful sounds was given up.
        var putOff: Bool
        /// The number of sounds in this answer that did not count.
        var soundsNotCounted: Int
        /// All of this in plain words.
        var reason: String
    }

    var files: [File]
}

extension HearingReport.File {
    init(_ heard: HeardFile) {
        file = heard.name
        path = heard.path
        durationSeconds = heard.duration.wholeMilliseconds
        speechSeconds = heard.speech.wholeMilliseconds
        speechPart = (heard.speechPart * 1000).rounded() / 1000
        voiceOverNoiseDB = heard.voiceOverNoiseDB.map { ($0 * 10).rounded() / 10 }
        if !heard.warnings.isEmpty {
            warnings = heard.warnings.map(\.description)
            missingSeconds = (heard.warnings.reduce(0) { $0 + $1.missingSeconds } * 1000).rounded() / 1000
        }
        segments = heard.segments.map { segment in
            HearingReport.Segment(
                startSeconds: segment.start.wholeMilliseconds,
                endSeconds: segment.end.wholeMilliseconds,
                levelDBFS: segment.levelDBFS.toTenths,
                doubtful: segment.kind == .doubtful
            )
        }
        soundsNotCounted = heard.notCounted.map { sound in
            HearingReport.Other(
                startSeconds: sound.start.wholeMilliseconds,
                endSeconds: sound.end.wholeMilliseconds,
                levelDBFS: sound.levelDBFS.toTenths,
                reason: sound.kind.remark ?? ""
            )
        }
        endsOfAnswers = heard.ends.map { ends in
            ends.map { end in
                HearingReport.End(
                    endSeconds: end.at.wholeMilliseconds,
                    sinceSeconds: end.silentSince.wholeMilliseconds,
                    silenceSeconds: end.reason.silence.wholeMilliseconds,
                    adapted: end.reason.isOwn,
                    putOff: end.reason.isPutOff,
                    soundsNotCounted: end.reason.soundsNotCounted,
                    reason: end.words
                )
            }
        }
    }
}

extension Double {
    fileprivate var toTenths: Double { (self * 10).rounded() / 10 }
}

extension Duration {
    /// The duration in seconds, rounded down to the millisecond.
    fileprivate var wholeMilliseconds: Double { Double(milliseconds) / 1000 }
}
