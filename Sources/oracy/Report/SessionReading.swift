import Assessment
import AudioFiles
import ExamCore
import ExamKit
import Reports
import SessionFolders
import SystemSupport

/// Reads the content of a report from a session's folder.
struct SessionReading {
    private let folder: SessionFolder
    private let shelf: SessionShelf

    init(_ folder: SessionFolder, on shelf: SessionShelf) {
        self.folder = folder
        self.shelf = shelf
    }

    /// Returns the content. Recordings that have not been measured yet are measured first.
    ///
    /// - Throws: `Problem`: `missing` if the exam isn't over; `malformed`, `unwritable`.
    func content(withSound: Bool) throws(Problem) -> ReportContent {
        guard let manifest = try folder.readManifest() else {
            throw Problem(
                .missing, "\(folder.name): is not over yet; finish it first: oracy resume \(folder.nameOnShelf)")
        }
        let assessment = try SessionAssessing.assessment(of: folder)
        let frozen = try folder.frozenExam()
        let script = ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0
        let transcripts = try folder.transcriptsAndHeard()
        let text = ExamText(of: assessment, transcripts, sentences: script?.sentences ?? [:])
        let sheets = try folder.readMarks()
        let record = try folder.readRecord()
        var answers: [ReportedAnswer] = []
        for take in manifest.takes.assessed {
            let turn = script?.turns.first { $0.id == take.question }
            let measured = assessment.answers.first { $0.record.name == take.record.name }
            answers.append(
                ReportedAnswer(
                    record: take.record, question: turn?.question, card: turn?.card,
                    sound: measured?.sound, delivery: measured?.delivery,
                    recording: withSound ? sound("\(folder.path)/\(take.file)") : nil,
                    promptPeaks: peaks(of: turn?.prompt ?? [], record),
                    transcripts: transcripts.filter { $0.answer == take.record.name && $0.recording == take.sha256 },
                    text: text[take.record.name]))
        }
        let startedAt = record?.startedAt
        let summary = SessionSummary(folder)
        let (earlier, name) = (shelf.earlierExams(than: summary), summary.name(on: shelf))
        return ReportContent(
            session: folder.name, title: "\(frozen.format.title): \(frozen.paper.title)", startedAt: startedAt,
            outcome: manifest.outcome?.words ?? "broken off", answers: answers, delivery: assessment.delivery,
            parts: assessment.parts, text: text.exam, sheets: sheets,
            result: try folder.markedResult(), earlier: earlier,
            steps: NextStep.steps(for: assessment, transcripts: transcripts, earlier: earlier),
            command: { $0.command(for: name) },
            notAssessed: notAssessed(
                try folder.markedResult(), transcripts, frozen.format.scoring,
                hasIntroduction: manifest.takes.assessed.count < manifest.takes.count))
    }

    /// Returns nil if a recording is missing or cannot be decoded. The page then says that it has no sound.
    private func sound(_ path: String) -> ReportedSound? {
        let mediaType = path.hasSuffix(".wav") ? "audio/wav" : "audio/ogg"
        return SoundAsMP3.playable(path, mediaType: mediaType).map {
            ReportedSound(mediaType: $0.mediaType, bytes: $0.bytes)
        }
    }

    /// Returns the peaks of a prompt, if its sound is still on this machine.
    private func peaks(of prompt: [Clip], _ record: SessionRecord?) -> [Double] {
        guard !prompt.isEmpty else { return [] }
        let voice = ExaminerVoice(of: record, recordings: UserFolders.recordings)
        return voice.peaks(of: prompt, in: record?.folders ?? [], step: SoundTimeline.peakStep)
    }

    private func notAssessed(
        _ result: ExamResult?, _ transcripts: [AnswerTranscript], _ scoring: ExamFormat.Scoring?,
        hasIntroduction: Bool
    ) -> [ReportContent.NotAssessed] {
        var list = ReportContent.unjudged(result, transcripts: transcripts, scoring: scoring)
        if hasIntroduction { list.append(.introduction) }
        if !SoundAsMP3.isThere {
            let why =
                "this libsndfile cannot write MP3, so the page has Ogg/Opus sound, which older Safari cannot play."
            list.append(.init(what: "sound for every browser", why: why))
        }
        return list
    }
}
