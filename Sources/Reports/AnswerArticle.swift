import Assessment
import ExamCore
import FoundationEssentials

/// One answer on the report page: the question, its sound on a time axis, its measures, and its words.
struct AnswerArticle {
    private let answer: ReportedAnswer
    private let comments: [(marker: String, comment: MarkComment)]
    private var name: String { answer.record.name.html }

    init(_ answer: ReportedAnswer, comments: [(marker: String, comment: MarkComment)]) {
        self.answer = answer
        self.comments = comments
    }

    var html: String {
        """
        <article class="answer" id="\(name)" data-answer="\(name)" aria-labelledby="\(name)-title">
        <h3 id="\(name)-title">\(title.html)</h3>
        \([card, examiner, sound, facts, delivery, transcripts, text, remarks].compactMap(\.self).joined(separator: "\n"))
        </article>
        """
    }

    private var title: String {
        "Part \(answer.record.part), question \(answer.number): \(answer.question ?? answer.record.question)"
    }

    private var card: String? {
        guard let card = answer.card else { return nil }
        let points = card.points.map { "<li>\($0.html)</li>" }.joined()
        return "<div class=\"card\"><p>\(card.topic.html)</p><ul>\(points)</ul><p>\(card.explain.html)</p></div>"
    }

    private var examiner: String? {
        guard !answer.promptPeaks.isEmpty else { return nil }
        return """
            <div class="examiner"><span class="faint">The examiner, \(seconds(answer.promptPeaks)) s</span>
            <svg viewBox="0 0 \(answer.promptPeaks.count) 100" preserveAspectRatio="none" aria-hidden="true">\
            \(Self.wave(answer.promptPeaks))</svg></div>
            """
    }

    private func seconds(_ peaks: [Double]) -> String { (Double(peaks.count) * SoundTimeline.peakStep).text(1) }

    private var sound: String? {
        guard let timeline = answer.sound?.timeline else {
            return player(duration: answer.record.duration?.duration.inSeconds ?? 0)
        }
        return axis(timeline) + (player(duration: timeline.duration) ?? "<p>This file does not contain its sound.</p>")
    }

    private func player(duration: Double) -> String? {
        guard let recording = answer.recording else { return nil }
        let sound = Data(recording.bytes).base64EncodedString()
        return """
            <div class="deck" hidden><button class="play">Play</button>\
            <input type="range" min="0" max="\(duration.text(3))" step="0.1" value="0" aria-label="Place in \(name)">\
            <output></output></div>
            <audio preload="none" src="data:\(recording.mediaType.html);base64,\(sound)"></audio>
            <noscript>This page plays sound with its own script, which this browser does not run.</noscript>
            """
    }

    private func axis(_ timeline: SoundTimeline) -> String {
        let peaks = timeline.peaks
        let width = max(1, peaks.count)
        let scale = timeline.duration > 0 ? Double(width) / timeline.duration : 0
        let pauses = timeline.pauses.map { pause in
            """
            <rect class="pause" x="\((pause.start * scale).text(1))" y="2" width="\((pause.length * scale).text(1))" \
            height="96"><title>pause of \(pause.length.text(1)) s at \(pause.start.clock)</title></rect>
            """
        }
        let words = answer.transcript == nil ? [] : answer.singleWords ?? answer.laidWords(over: timeline)
        let room = words.isEmpty ? "" : " style=\"width:\(max(1, timeline.duration * 6).text(1))rem\""
        return """
            <div class="scroller" tabindex="0" role="region" aria-label="Time axis of \(name)">\
            <div class="axis"\(room)>
            <svg viewBox="0 0 \(width) 100" preserveAspectRatio="none" role="img" aria-label="\(picture(timeline).html)">\
            \(Self.wave(peaks))\(pauses.joined())</svg>\(laid(words, timeline.duration))\
            <div class="here"></div></div></div>
            """
    }

    private func picture(_ timeline: SoundTimeline) -> String {
        let pauses = timeline.pauses
        let longest = pauses.max { $0.length < $1.length }
        let most = longest.map { ", the longest of \($0.length.text(1)) seconds at \($0.start.clock)" } ?? ""
        return "Waveform of \(timeline.duration.text(1)) seconds; hatched: \(pauses.count) pauses\(most)"
    }

    private func laid(_ words: [TimedWords], _ duration: Double) -> String {
        guard !words.isEmpty, duration > 0 else { return "" }
        let buttons = words.filter { !$0.text.isEmpty }.map { stretch in
            let (left, width) = (stretch.time.start / duration * 100, stretch.time.length / duration * 100)
            return """
                <button data-answer="\(name)" data-at="\(stretch.time.start.text(3))" \
                data-end="\(stretch.time.end.text(3))"\(Self.mark(stretch.word)) style="left:\(left.text(2))%;width:\(width.text(2))%">\
                \(stretch.text.html)</button>
                """
        }
        return "<div class=\"words\">\(buttons.joined(separator: "\n"))</div>"
    }

    private static func mark(_ word: AnswerWords.Word?) -> String {
        let marks = [
            word?.isDoubtful == true ? ("doubt", "probably misheard") : nil,
            word?.isFiller == true ? ("filler", "fills a pause") : nil,
            word?.isRepeated == true ? ("again", "repeated") : nil,
        ].compactMap(\.self)
        if marks.isEmpty { return "" }
        let (classes, titles) = (marks.map(\.0).joined(separator: " "), marks.map(\.1).joined(separator: ", "))
        return " class=\"\(classes)\" title=\"\(titles)\""
    }

    /// Returns the path of the loudest samples, one bar for each step, above and below the middle.
    static func wave(_ peaks: [Double]) -> String {
        var path = ""
        for (index, peak) in peaks.enumerated() {
            let half = max(0.5, min(1, peak) * 48)
            path += "M\(index) \((50 - half).text(0))h1v\((2 * half).text(0))h-1z"
        }
        return "<path class=\"wave\" d=\"\(path)\"/>"
    }

    private var facts: String? {
        let end = answer.record.endWords.map { "How it ended: \($0)." }
        let lost = answer.record.lost.map { "The microphone missed \($0.duration.inSeconds.text(1)) s." }
        let words = [end, lost].compactMap(\.self).joined(separator: " ")
        return words.isEmpty ? nil : "<p>\(words.html)</p>"
    }

    private var delivery: String? {
        guard let delivery = answer.delivery else { return "<p>Its sound was not measured.</p>" }
        return "<p>\(delivery.evidence.html)</p>"
            + Self.measures(delivery.lines, caption: "Measured in the sound")
    }

    static func measures(_ lines: [MeasureLine], caption: String) -> String {
        guard !lines.isEmpty else { return "" }
        let rows = lines.map {
            "<tr><th scope=\"row\">\($0.name.html)</th><td>\($0.value.html)</td><td>\($0.sentence.html)</td></tr>"
        }
        return """
            <details><summary>\(caption.html)</summary><table class="measures"><thead><tr><th scope="col">Measure</th>\
            <th scope="col">Value</th><th scope="col">What it says</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></details>
            """
    }

    private var transcripts: String? {
        guard !answer.transcripts.isEmpty else { return nil }
        let words = answer.singleWords
        func some(_ sign: String, _ isMarked: (AnswerWords.Word) -> Bool?) -> String {
            words?.contains { $0.word.map { isMarked($0) == true } ?? false } == true ? sign : ""
        }
        let note =
            words == nil
            ? "Words are placed by counting syllables between pauses, accurate to a word or two."
            : "Words are placed by their phones, accurate to about a tenth of a second."
                + some(" Dotted words are probably misheard.", \.isDoubtful)
                + some(" Slanted words fill a pause.", \.isFiller)
                + some(" Words with a double line are repeated.", \.isRepeated)
        return answer.transcripts.map { MarkedTranscript($0).html }.joined(separator: "\n")
            + "<p class=\"faint\">\(note)</p>"
    }

    private var text: String? {
        answer.text.map { Self.measures($0.lines, caption: "Counted in \($0.source.transcript)") }
    }

    private var remarks: String? {
        guard !comments.isEmpty else { return nil }
        let items = comments.sorted { $0.comment.at < $1.comment.at }.map { marker, comment in
            """
            <li><button data-answer="\(name)" data-at="\(comment.at.text(3))">Play at \(comment.at.clock)</button> \
            <strong>\(marker.html)</strong>: \(comment.text.html)</li>
            """
        }
        return "<h4>Comments</h4><ul>\(items.joined(separator: "\n"))</ul>"
    }
}
