import AudioFiles
import ExamCore

extension [HeardFile] {
    var json: String { JSONText.of(HearingReport(files: map(HearingReport.File.init))) + "\n" }
}

/// What `--json` prints. Each number's name ends in its unit; one without a unit is a count, but for `speechPart`.
private struct HearingReport: Encodable {
    struct File: Encodable {
        /// How `--csv` calls it.
        var file: String
        /// As it was named on the command line.
        var path: String
        var durationSeconds: Double
        var speechSeconds: Double
        /// 0 to 1.
        var speechPart: Double
        /// How far the voice stood out of the noise at last; left out where nobody spoke.
        var voiceOverNoiseDB: Double?
        /// Sentences about what the file lacks; left out if it is whole.
        var warnings: [String]?
        /// Sound that the file is known to lack; left out if it is whole.
        var missingSeconds: Double?
        var segments: [Segment]
        var soundsNotCounted: [Other]
        /// Not there without `--end-of-answer`.
        var endsOfAnswers: [End]?
    }

    struct Segment: Encodable {
        var startSeconds: Double
        var endSeconds: Double
        /// RMS, −120 (digital silence) to 0; a sine of full scale is −3.01.
        var levelDBFS: Double
        /// So short and so little voiced that it may be no speech.
        var doubtful: Bool
    }

    struct Other: Encodable {
        var startSeconds: Double
        var endSeconds: Double
        /// As of a segment.
        var levelDBFS: Double
        /// In plain words.
        var reason: String
    }

    struct End: Encodable {
        /// When it was declared.
        var endSeconds: Double
        /// When the speech before it was over.
        var sinceSeconds: Double
        /// The silence that ends an answer, as it was then.
        var silenceSeconds: Double
        /// Whether the speaker's own pauses had changed that silence.
        var adapted: Bool
        /// Whether doubtful sounds were not waited for any longer.
        var putOff: Bool
        /// How many sounds of this answer did not count.
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
        durationSeconds = heard.duration.inSeconds
        speechSeconds = heard.speech.inSeconds
        speechPart = (heard.speechPart * 1000).rounded() / 1000
        voiceOverNoiseDB = heard.voiceOverNoiseDB.map { ($0 * 10).rounded() / 10 }
        if !heard.warnings.isEmpty {
            warnings = heard.warnings.map(\.description)
            missingSeconds = (heard.warnings.reduce(0) { $0 + $1.missingSeconds } * 1000).rounded() / 1000
        }
        segments = heard.segments.map { segment in
            HearingReport.Segment(
                startSeconds: segment.start.inSeconds,
                endSeconds: segment.end.inSeconds,
                levelDBFS: segment.levelDBFS.toTenths,
                doubtful: segment.kind == .doubtful
            )
        }
        soundsNotCounted = heard.notCounted.map { sound in
            HearingReport.Other(
                startSeconds: sound.start.inSeconds,
                endSeconds: sound.end.inSeconds,
                levelDBFS: sound.levelDBFS.toTenths,
                reason: sound.kind.remark ?? ""
            )
        }
        endsOfAnswers = heard.ends.map { ends in
            ends.map { end in
                HearingReport.End(
                    endSeconds: end.at.inSeconds,
                    sinceSeconds: end.silentSince.inSeconds,
                    silenceSeconds: end.reason.silence.inSeconds,
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
    /// To the millisecond.
    var inSeconds: Double { Double(milliseconds) / 1000 }
}
