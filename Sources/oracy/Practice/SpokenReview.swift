import Assessment
import AudioFiles
import ExamCore
import ExamKit
import Learning
import Reports
import SessionFolders
import Study
import StudyFolders
import SystemSupport

/// The review of a spoken drill: tellings side by side, in the terminal and as a page, and a line in the practice log.
struct SpokenReview {
    let kind: SpokenDrill
    let target: Double
    /// The spoken item, by its name in the practice log.
    let item: String
    /// The answer of an exam that is given again, with its recording's path.
    var before: (telling: Telling, path: String)?

    func tell(_ folder: SessionFolder) async throws {
        let assessment = try SessionAssessing.assessment(of: folder)
        let frozen = try folder.frozenExam()
        let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).script
        var (own, models, shown) = ([Telling](), [Telling](), [(telling: Telling, recording: ReportedSound?)]())
        if let before {
            models.append(before.telling)
            shown.append((before.telling, Self.sound(before.path)))
        }
        for (place, answer) in assessment.answers.enumerated() where answer.record.counts {
            let name =
                switch kind {
                case .fourThreeTwo: Self.tellings[min(place, 2)]
                case .again: "Now"
                default: "Answer \(place + 1)"
                }
            let telling = Telling(
                name: kind.hasModel ? "You \(place + 1)" : name, timeline: answer.sound.timeline,
                measures: answer.delivery.measures)
            own.append(telling)
            if kind.hasModel, let text = script?.turns.first(where: { $0.id == answer.record.question })?.question {
                let path = try await voice(text, folder)
                let model = try Self.measured(path, "Voice \(place + 1)")
                models.append(model)
                shown.append((model, Self.sound(path)))
            }
            let take = try folder.readManifest()?.takes.first { $0.record.name == answer.record.name }
            shown.append((telling, take.flatMap { Self.sound("\(folder.path)/\($0.file)") }))
        }
        let outcome = kind.outcome(own, model: models, target: target)
        for line in TellingsText.lines(shown.map(\.telling), glyphs: .ofLocale) { print(line) }
        print((outcome.isReached ? "Reached. " : "Not yet. ") + outcome.sentence)
        let page = "\(folder.path)/tellings.html"
        try PrivateFile.replace(
            page,
            with: Array(
                TellingsPage(title: kind.title, verdict: outcome.sentence, tellings: shown).html.utf8))
        print("The picture: \(page)")
        let speech = own.reduce(0) { $0 + $1.measures.speech }
        try PracticeLog(path: PracticeHome.logFile).append(
            [.spoke(.init(kind: kind.rawValue, item: item, speech: speech, isReached: outcome.isReached))], at: .now)
    }

    private static let tellings = ["First", "Second", "Third"]

    private func voice(_ text: String, _ folder: SessionFolder) async throws(Problem) -> String {
        let voice = ExaminerVoice(of: try folder.readRecord())
        return try await voice.recording(of: Clip(id: "model", text: text), in: [])
    }

    private static func measured(_ path: String, _ name: String) throws -> Telling {
        let reader = try BlockReader(path: path)
        var measurer = SoundMeasurer()
        while let block = try reader.next() { block.samples.withUnsafeBufferPointer { measurer.hear($0) } }
        return Telling(name: name, timeline: measurer.measured().timeline)
    }

    private static func sound(_ path: String) -> ReportedSound? {
        SoundAsMP3.playable(path, mediaType: path.hasSuffix(".wav") ? "audio/wav" : "audio/ogg").map {
            ReportedSound(mediaType: $0.mediaType, bytes: $0.bytes)
        }
    }
}

extension SpokenDrill {
    /// Whether the learner follows a voice.
    var hasModel: Bool { self == .shadowing || self == .repeatAfterMe }
}

/// Tellings for a terminal: a small waveform of each on a common axis, then their measures. Pure.
enum TellingsText {
    static func lines(_ tellings: [Telling], glyphs: Glyphs) -> [String] {
        guard !tellings.isEmpty else { return [] }
        let longest = tellings.map(\.timeline.duration).max() ?? 0
        let width = 60
        var lines = ["", "On one axis, \(longest.oneDecimal) seconds wide:"]
        for telling in tellings {
            let columns = longest > 0 ? Int(telling.timeline.duration / longest * Double(width)) : 0
            lines.append("  \(telling.name.padded(to: 24))")
            lines.append("    " + glyphs.heights(telling.timeline.peaks(count: max(1, columns)).map { $0 }, from: 0))
        }
        lines.append("")
        var rows = [["measure"] + tellings.indices.map { tellings[$0].name }]
        for measure in TellingMeasure.allCases {
            rows.append(
                [measure.name] + tellings.map { measure.value($0.measures)?.oneDecimal ?? "-" })
        }
        return (lines + rows.columns(right: 1...max(1, tellings.count)) + [""]).map(glyphs.text)
    }
}
