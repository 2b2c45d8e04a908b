import ExamCore

extension [HeardFile] {
    var json: String { JSONText.of(HearingReport(files: map(HearingReport.File.init))) + "\n" }
}

/// What `--json` prints. Each number's name ends in its unit.
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
        var segments: [Segment]
    }

    struct Segment: Encodable {
        var startSeconds: Double
        var endSeconds: Double
        /// RMS, −120 (digital silence) to 0; a sine of full scale is −3.01.
        var levelDBFS: Double
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
        segments = heard.segments.map { segment in
            HearingReport.Segment(
                startSeconds: segment.start.inSeconds,
                endSeconds: segment.end.inSeconds,
                levelDBFS: (segment.levelDBFS * 10).rounded() / 10
            )
        }
    }
}

extension Duration {
    /// To the millisecond.
    var inSeconds: Double { Double(milliseconds) / 1000 }
}
