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
        let answers = try SessionAssessing.assessment(of: folder).answers
        let voices = try await voices(of: answers.filter(\.record.counts).map(\.record.question), in: folder)
        let review = DrillReview(
            kind, target: target, answers, after: before?.telling, voices: voices.mapValues(\.timeline))
        for line in TellingsText.lines(review.entries.map(\.telling), glyphs: .ofLocale) { print(line) }
        print(review.outcome.verdict)
        for line in try await readings(in: folder) { print(line) }
        let takes = try folder.readManifest()?.takes ?? []
        let shown = review.entries.map { entry in
            let path: String? =
                switch entry.source {
                case .before: before?.path
                case .voice(let question): voices[question]?.path
                case .answer(let record):
                    takes.first { $0.record.name == record.name }.map { "\(folder.path)/\($0.file)" }
                }
            return (telling: entry.telling, recording: path.flatMap(Self.sound))
        }
        let page = "\(folder.path)/tellings.html"
        try PrivateFile.replace(
            page,
            with: Array(
                TellingsPage(title: kind.title, verdict: review.outcome.sentence, tellings: shown).html.utf8))
        print("The picture: \(page)")
        try await Practising.own.keep([.spoke(.init(kind, review, item: item))])
    }

    /// Returns how the sentences were heard. Empty if the drill has no sentences, or if there is no recogniser of
    /// phones.
    private func readings(in folder: SessionFolder) async throws -> [String] {
        guard kind.hasModel else { return [] }
        let told = try await ExamDossier(of: folder.name, on: FolderShelf(with: folder), by: .ielts)
        return (told?.text.answers ?? []).enumerated().flatMap { place, answer in
            answer.profile.readingLines.map { "You \(place + 1)  \($0.name): \($0.value)".cleaned }
        }
    }

    /// Returns the sound of the voice that the learner followed, by the questions' ids. Empty for a drill without a
    /// voice.
    private func voices(
        of questions: [String], in folder: SessionFolder
    ) async throws -> [String: (timeline: SoundTimeline, path: String)] {
        guard kind.hasModel else { return [:] }
        let frozen = try folder.frozenExam()
        let turns = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).script?.turns ?? []
        var voices: [String: (timeline: SoundTimeline, path: String)] = [:]
        for question in questions where voices[question] == nil {
            guard let text = turns.first(where: { $0.id == question })?.question else { continue }
            let path = try await voice(text, folder)
            voices[question] = (try Self.timeline(path), path)
        }
        return voices
    }

    private func voice(_ text: String, _ folder: SessionFolder) async throws(Problem) -> String {
        let voice = ExaminerVoice(of: try folder.readRecord())
        return try await voice.recording(of: Clip(id: "model", text: text), in: [])
    }

    private static func timeline(_ path: String) throws -> SoundTimeline {
        let reader = try BlockReader(path: path)
        var measurer = SoundMeasurer()
        while let block = try reader.next() { block.samples.withUnsafeBufferPointer { measurer.hear($0) } }
        return measurer.measured().timeline
    }

    private static func sound(_ path: String) -> ReportedSound? {
        SoundAsMP3.playable(path, mediaType: path.hasSuffix(".wav") ? "audio/wav" : "audio/ogg").map {
            ReportedSound(mediaType: $0.mediaType, bytes: $0.bytes)
        }
    }
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
