public import Assessment
import FoundationEssentials

/// Tellings of one text, one below the other on a common time axis, as one HTML file. It needs no network and loads
/// nothing from outside.
public struct TellingsPage: Sendable {
    private let title: String
    private let verdict: String
    private let tellings: [(telling: Telling, recording: ReportedSound?)]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - verdict: the result in one or two sentences.
    ///   - tellings: the tellings in order, each with its recording if it can be played.
    public init(title: String, verdict: String, tellings: [(telling: Telling, recording: ReportedSound?)]) {
        self.title = title
        self.verdict = verdict
        self.tellings = tellings
    }

    /// The page. The same content gives the same page.
    public var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
        media-src data:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>\(title.html)</title>
        <style>
        \(String(decoding: PackageResources.report_css, as: UTF8.self))
        .telling { margin: 0.75rem 0; } .telling svg { display: block; width: 100%; height: 4.5rem; background: var(--sheet); }
        .telling audio { width: 100%; } .axis-line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
        </style>
        </head>
        <body>
        <header><h1>\(title.html)</h1><p>\(verdict.html)</p></header>
        <main>
        <section aria-labelledby="sound"><h2 id="sound">On one axis</h2>
        <svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs><pattern id="hatch" \
        width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs></svg>
        \(tellings.map { picture($0.telling, $0.recording) }.joined(separator: "\n"))
        <p class="faint">All start at the left with the same scale, \(longest.text(1)) seconds wide. \
        Pauses of at least a quarter of a second are hatched.</p></section>
        \(table)
        </main>
        <footer><p>IELTS-style practice, made by Oracy from the timing of the sound alone. \
        The sound is inside this file: anyone who has the file can hear it.</p></footer>
        </body>
        </html>

        """
    }

    private var longest: Double { tellings.map(\.telling.timeline.duration).max() ?? 0 }

    private func picture(_ telling: Telling, _ recording: ReportedSound?) -> String {
        let timeline = telling.timeline
        let width = max(1, longest / SoundTimeline.peakStep)
        let pauses = timeline.pauses.map { pause in
            let (x, wide) = (pause.start / SoundTimeline.peakStep, pause.length / SoundTimeline.peakStep)
            return """
                <rect class="pause" x="\(x.text(1))" y="2" width="\(wide.text(1))" height="96">\
                <title>pause of \(pause.length.text(1)) s at \(pause.start.clock)</title></rect>
                """
        }
        let label =
            "\(telling.name): \(timeline.duration.text(1)) seconds, \(timeline.pauses.count.counted("pause")), \(timeline.syllables.count.counted("syllable"))"
        let sound = recording.map {
            "<audio controls preload=\"none\" aria-label=\"\(telling.name.html)\" src=\"data:\($0.mediaType.html);base64,"
                + Data($0.bytes).base64EncodedString() + "\"></audio>"
        }
        return """
            <div class="telling"><h3>\(telling.name.html)</h3>
            <svg viewBox="0 0 \(width.text(1)) 100" preserveAspectRatio="none" role="img" aria-label="\(label.html)">\
            <line class="axis-line" x1="0" y1="50" x2="\(width.text(1))" y2="50"/>\
            \(AnswerArticle.wave(timeline.peaks))\(pauses.joined())</svg>\(sound ?? "")</div>
            """
    }

    private var table: String {
        let names = tellings.map { "<th scope=\"col\">\($0.telling.name.html)</th>" }.joined()
        let rows = TellingMeasure.allCases.map { measure in
            let cells = tellings.map { "<td>\((measure.value($0.telling.measures)?.text(1) ?? "–").html)</td>" }
            return "<tr><th scope=\"row\">\(measure.name.html)</th>\(cells.joined())</tr>"
        }
        return """
            <section aria-labelledby="measures"><h2 id="measures">Side by side</h2>
            <div class="wide"><table><thead><tr><th scope="col">Measure</th>\(names)</tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></section>
            """
    }
}

/// A measure by which tellings are compared.
public enum TellingMeasure: CaseIterable, Sendable {
    case speech, speechRate, articulationRate, meanLengthOfRun, pausesPerMinute, meanPause, longestPause

    public var name: String {
        switch self {
        case .speech: "Speech, seconds"
        case .speechRate: "Syllables a second, with pauses"
        case .articulationRate: "Syllables a second of speech"
        case .meanLengthOfRun: "Syllables between pauses"
        case .pausesPerMinute: "Pauses a minute"
        case .meanPause: "Mean pause, seconds"
        case .longestPause: "Longest pause, seconds"
        }
    }

    /// Returns the measure. Nil if its divisor is 0.
    public func value(_ measures: DeliveryMeasures) -> Double? {
        switch self {
        case .speech: measures.speech
        case .speechRate: measures.speechRate
        case .articulationRate: measures.articulationRate
        case .meanLengthOfRun: measures.meanLengthOfRun
        case .pausesPerMinute: measures.pausesPerMinute
        case .meanPause: measures.meanPause
        case .longestPause: measures.longestPause
        }
    }
}
