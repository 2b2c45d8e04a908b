import Assessment
import ExamCore

/// Exports an answer's times for other programs: subtitles, Praat, and tables. A session's exports consist of its
/// answers' exports.
extension ReportedAnswer {
    /// The answer as WebVTT: a cue with the words of each stretch of speech, or `[speech]` without words, and `[pause]`
    /// between them.
    public var webVTT: String {
        var text = "WEBVTT\n"
        guard let timeline = sound?.timeline else { return text }
        let words = laidWords(over: timeline)
        let speech = words.map { ($0.time, $0.text.isEmpty ? "[speech]" : $0.text.vtt) }
        let pauses = timeline.pauses.map { ($0, "[pause]") }
        for (time, words) in (speech + pauses).sorted(by: { $0.0.start < $1.0.start }) where time.length > 0 {
            text += "\n\(time.start.vtt) --> \(time.end.vtt)\n\(words)\n"
        }
        return text
    }

    /// The answer as Praat's TextGrid: the tiers `speech`, `pauses`, `syllables` (points) and, with a transcript,
    /// `words`. The words are single ones if they were aligned by phones.
    public var textGrid: String {
        let timeline = sound?.timeline ?? SoundTimeline(duration: 0)
        var tiers: [TextGrid.Tier] = [
            .intervals(name: "speech", timeline.stretches.map { ($0.start.text(3), $0.end.text(3), "speech") }),
            .intervals(name: "pauses", timeline.pauses.map { ($0.start.text(3), $0.end.text(3), "pause") }),
            .points(name: "syllables", timeline.syllables.map { ($0.text(3), "") }),
        ]
        if transcript != nil {
            // Praat refuses intervals without a length.
            let words = (singleWords ?? laidWords(over: timeline)).filter { $0.time.length > 0 }
            tiers.append(.intervals(name: "words", words.map { ($0.time.start.text(3), $0.time.end.text(3), $0.text) }))
        }
        return TextGrid(duration: timeline.duration.text(3), tiers: tiers).text
    }
}

extension ReportContent {
    /// A table with one row of measures for each answer, in seconds and ratios of seconds. Measures that are missing
    /// are empty fields.
    public var answersCSV: String {
        let names = [
            "answer", "purpose", "question", "end", "duration_s", "span_s", "speech_s", "pause_time_s", "pauses",
            "longest_pause_s", "mean_pause_s", "pauses_per_minute", "syllables", "runs", "speech_rate",
            "articulation_rate", "phonation_time_ratio", "mean_length_of_run", "response_latency_s",
            "time_to_first_pause_s", "speech_over_noise_db", "clipped_share", "word", "index", "reliability", "gates",
            "version", "calibration", "words", "words_per_minute", "mtld", "mattr",
        ]
        return CSVText.text([names] + answers.map(\.csvRow))
    }

    /// A table with one row for each pause of each answer, in seconds from the recording's beginning.
    public var pausesCSV: String {
        CSVText.text(
            [["answer", "start_s", "end_s", "length_s"]]
                + answers.flatMap { answer in
                    (answer.sound?.timeline.pauses ?? []).map {
                        [answer.record.name, $0.start.text(3), $0.end.text(3), $0.length.text(3)]
                    }
                })
    }
}

extension ReportedAnswer {
    fileprivate var csvRow: [String] {
        let timing = delivery?.measures
        func seconds(_ value: Double?) -> String { value?.text(3) ?? "" }
        func count(_ value: Int?) -> String { value.map(String.init) ?? "" }
        let head = [
            record.name, record.purpose.rawValue, question ?? "", record.end ?? "",
            seconds(sound?.timeline.duration),
        ]
        let times = [
            seconds(timing?.span), seconds(timing?.speech), seconds(timing?.pauseTime), count(timing?.pauses),
            seconds(timing?.longestPause), seconds(timing?.meanPause), seconds(timing?.pausesPerMinute),
            count(timing?.syllables), count(timing?.runs),
        ]
        let rates = [
            seconds(timing?.speechRate), seconds(timing?.articulationRate), seconds(timing?.phonationTimeRatio),
            seconds(timing?.meanLengthOfRun), seconds(timing?.responseLatency), seconds(timing?.timeToFirstPause),
        ]
        let gates = delivery?.gates.map(\.rawValue).joined(separator: " ")
        let profile: [String?] = [
            seconds(sound?.speechOverNoise), sound?.clippedShare.text(5), delivery?.word?.rawValue,
            delivery?.index?.text(2), delivery?.reliability.text(2), gates, delivery?.version, delivery?.calibration,
        ]
        let words = [
            count(text?.words), seconds(text?.wordsPerMinute), seconds(text?.diversity?.mtld),
            seconds(text?.diversity?.mattr),
        ]
        return head + times + rates + profile.map { $0 ?? "" } + words
    }
}

extension Double {
    /// For example, `00:01:07.250`.
    fileprivate var vtt: String {
        let milliseconds = Int((max(0, self) * 1000).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = String(milliseconds % 1000)
        return "\(two(milliseconds / 3_600_000)):\(two(milliseconds / 60_000 % 60)):\(two(milliseconds / 1000 % 60))."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

extension String {
    /// The text of a cue, without markup or arrows. Players show entities other than these three literally (WebVTT,
    /// 3.3).
    fileprivate var vtt: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
