import Assessment
import ExamCore
import SessionFolders
import Study

/// An exam's dossier as text for a terminal. Pure.
struct DossierText {
    private let told: ToldDossier

    init(_ told: ToldDossier) { self.told = told }

    private var dossier: ExamDossier { told.dossier }

    /// A few lines for the end of an exam.
    var short: [String] {
        Self.hanging("delivery ", dossier.assessment.delivery.evidence) + steps
            + ["more     oracy results \(told.name)"]
    }

    /// The complete findings.
    var lines: [String] {
        let session = told.session
        var lines = [session.id]
        if !session.heldWith.isEmpty { lines.append("\(session.heldWith); \(session.state.words)") }
        if !estimates.isEmpty { lines += [""] + estimates }
        lines += [""] + Self.hanging("delivery ", dossier.assessment.delivery.evidence)
        lines += ["         " + Self.limits, ""] + table + [""] + measures
        for part in [erased, marks, said, words, compared, notAssessed, steps] where !part.isEmpty {
            lines += [""] + part
        }
        return lines
    }

    // MARK: - Estimate

    /// A line for each aspect with its range as a bar, its basis below, and one strength.
    private var estimates: [String] {
        let rows = dossier.estimates.map { [$0.title.cleaned, $0.bar, $0.words] }
        guard !rows.isEmpty else { return [] }
        let table = rows.columns(indent: 2)
        let details = zip(table, dossier.estimates).flatMap { line, estimate in
            let below = estimate.sentences.joined(separator: " ").cleaned
            return [line] + (below.isEmpty ? [] : Self.hanging("      ", below))
        }
        let strength = dossier.strength.map { Self.hanging("  good: ", $0.sentence) } ?? []
        return ["estimate (unofficial)"] + details + strength
    }

    private static let limits = "From the sound alone: part of one of the four criteria, and not a band."

    // MARK: - Delivery

    private var table: [String] {
        var rows = [["", "word", "speech", "speaking", "longest pause", "rate"]]
        func add(_ name: String, _ profile: DeliveryProfile) {
            let shown: [(ProgressMeasure, String)] = [
                (.speech, " s"), (.phonationTimeRatio, " %"), (.longestPause, " s"), (.speechRate, "/s"),
            ]
            let figures = shown.map { measure, unit in
                measure.value(profile).map { $0.figure(measure.digits) + unit } ?? "-"
            }
            rows.append([name, profile.word?.rawValue ?? profile.gates.map(\.words).joined(separator: ", ")] + figures)
        }
        add("exam", dossier.assessment.delivery)
        for part in dossier.assessment.parts { add("part \(part.part)", part.delivery) }
        for answer in dossier.assessment.answers { add("  " + answer.record.name, answer.delivery) }
        return rows.columns(right: 2...5)
    }

    private var measures: [String] {
        dossier.assessment.delivery.lines.flatMap { line in
            ["\(line.name): \(line.value)"] + line.sentence.wrapped(to: terminalColumns - 4).map { "    " + $0 }
        }
    }

    private var erased: [String] {
        dossier.evidence.withoutRecording.flatMap {
            Self.hanging(
                "",
                "\(dossier.asked.words(for: $0)): its recording was erased by hand. Its measures stay, but it cannot be played."
            )
        }
    }

    // MARK: - Marks and words

    private var marks: [String] {
        guard let marks = dossier.result else { return [] }
        let evidence = dossier.evidence
        let names = evidence.sheets.map(\.marker) + evidence.said.filter { !$0.evidence.isEmpty }.map(\.source.id)
        let givers = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element.cleaned)
        let from = "from \(givers.joined(separator: ", ")), rules \(marks.rules)"
        var rows: [[String]] = []
        for criterion in Criterion.allCases {
            guard let trait = marks.criteria[criterion], let mark = trait.outcome.mark else { continue }
            rows.append([criterion.title, mark.asMark, trait.basis.cleaned])
        }
        if let topic = marks.topicRelevance.outcome.mark {
            rows.append(["topic (not a criterion)", topic.asMark, marks.topicRelevance.basis.cleaned])
        }
        if let band = marks.overall.mark { rows.insert(["overall, \(marks.label)", band.asMark, ""], at: 0) }
        if rows.isEmpty { return [] }
        return ["marks    \(from)"] + rows.columns(right: 1...1, indent: 2)
    }

    /// The findings of each assessor, in the order of the exam.
    private var said: [String] {
        var lines = dossier.evidence.said.isEmpty ? [] : ["findings of assessors"]
        for answer in dossier.assessment.answers {
            for said in dossier.evidence.said where said.answer == answer.record.name {
                lines += Self.hanging("  \(said.answer)  \(said.source.id): ".cleaned, said.summary.cleaned)
                for advice in said.strengths + said.improvements { lines += Self.hanging("    ", advice.cleaned) }
            }
        }
        return lines
    }

    private var words: [String] {
        let text = dossier.text
        let all =
            text.answers.count > 1 ? text.exam.map { ["all \($0.words.of("word")) together"] + Self.counted($0) } : nil
        return (all ?? [])
            + dossier.transcripts.flatMap { transcript -> [String] in
                let count = transcript.text.split { $0.isWhitespace }.count
                let whose = transcript.recogniser.map { "heard by \($0.id)" } ?? "typed by the candidate"
                var lines = ["\(transcript.answer)  \(count.of("word")), \(whose)".cleaned]
                if transcript.recogniser != nil { lines += Self.hanging("    ", transcript.text.cleaned) }
                if let profile = text[transcript.answer], profile.source == transcript.source {
                    lines += Self.counted(profile)
                }
                for check in transcript.checks {
                    lines.append("  \(check.source.cleaned): \(check.mistakes.count.of("mistake"))")
                    lines += check.mistakes.flatMap {
                        Self.hanging("    ", "\"\($0.original)\" → \"\($0.correction)\"".cleaned)
                    }
                }
                return lines
            }
    }

    private static func counted(_ profile: TextProfile) -> [String] {
        profile.lines.filter { $0.id != "words" }.map { "  \($0.name): \($0.value)".cleaned }
    }

    // MARK: - Comparison and omissions

    private var compared: [String] {
        let compared = told.compared
        guard let first = compared.first else { return [] }
        return ["compared with your \(first.exams.of("earlier exam")) of this format"]
            + compared.map { item in
                "  \(item.measure): above \(item.percentile.figure(0)) % of them"
            }
    }

    /// Aspects with the same reason share a line.
    private var notAssessed: [String] {
        var reasons: [(why: String, link: String?, what: [String])] = []
        for item in told.notAssessed {
            if let same = reasons.firstIndex(where: { $0.why == item.why }) {
                reasons[same].what.append(item.what)
            } else {
                reasons.append((item.why, item.link, [item.what]))
            }
        }
        let lines = reasons.flatMap { reason in
            Self.hanging("  ", "\(reason.what.joined(separator: ", ")): \(reason.why)".cleaned)
                + (reason.link.map { ["    " + $0] } ?? [])
        }
        return lines.isEmpty ? [] : ["not assessed"] + lines
    }

    private var steps: [String] {
        var lines: [String] = []
        for (number, step) in told.steps.enumerated() {
            lines += Self.hanging((number == 0 ? "next" : "    ") + "     \(number + 1). ", step.step.advice)
            lines += Self.hanging(Self.below, step.step.evidence.cleaned)
            if let link = step.link { lines.append(Self.below + link) }
        }
        return lines
    }

    /// The indent below the words of a step.
    private static let below = String(repeating: " ", count: 12)

    /// Wraps text with a hanging indent. Commands are to be copied, so they stand alone and are never broken.
    private static func hanging(_ head: String, _ text: String) -> [String] {
        text.wrapped(to: max(20, terminalColumns - head.count)).enumerated().map { index, line in
            (index == 0 ? head : String(repeating: " ", count: head.count)) + line
        }
    }
}

extension DeliveryGate {
    /// The text in a cell of a table.
    fileprivate var words: String {
        switch self {
        case .tooShort: "too short"
        case .noisy: "noisy"
        case .clipped: "clipped"
        case .incomplete: "incomplete"
        }
    }
}

extension AspectEstimate {
    /// The range on its scale: a character for each half mark.
    fileprivate var bar: String {
        let steps = (0...Int(scale.top * 2)).map { Double($0) / 2 }
        return steps.map { (counted.low...counted.high).contains($0) ? "█" : "·" }.joined()
    }
}
