import Assessment
import AudioFiles
import ExamCore
import ExamKit
import ExamStore
import Foundation
import Reports
import SystemSupport

/// A session's report: the page that the tool makes of a folder, made of what the store has.
struct SessionReport: Sendable {
    let services: Services
    let owned: OwnedStore
    /// What knows the examiner's recordings.
    let exams: PreparedExams

    /// Recordings are fetched and turned into what browsers play, one after the other.
    ///
    /// - Throws: `StoreError`; `AudioStoreError` where the recordings' store is away. A recording that is gone leaves its answer without sound.
    func html(of findings: SessionFindings) async throws -> String {
        let session = findings.session
        let files = try await services.store.service.files(of: session.id)
        let frozen = files["exam.json"].flatMap { try? FrozenExam($0, from: "exam.json") }
        let script = frozen.flatMap { ExamScript.assemble($0.format, $0.paper, options: $0.options).0 }
        let template = session.templateID ?? TemplateIDs.template(session.format, session.paper)
        let questions = try await owned.questions(of: template)
        let text = findings.text
        let earlier = try await findings.earlier(for: services, owned)
        var answers: [ReportedAnswer] = []
        for response in findings.responses {
            let turn = script?.turns.first { $0.id == response.question }
            let measured = findings.assessment.answers.first { $0.record.name == response.record.name }
            answers.append(
                ReportedAnswer(
                    record: response.record,
                    question: turn?.question ?? questions.first { $0.question == response.question }?.text,
                    card: turn?.card, sound: measured?.sound, delivery: measured?.delivery,
                    recording: try await recording(of: response), promptPeaks: await peaks(of: turn?.prompt ?? []),
                    transcripts: findings.transcripts.filter { $0.answer == response.record.name },
                    text: text[response.record.name]))
        }
        let content = ReportContent(
            session: session.id.name, title: frozen.map { "\($0.format.title): \($0.paper.title)" } ?? session.name,
            startedAt: session.startedAt, outcome: session.outcome, provenance: findings.provenance, answers: answers,
            delivery: findings.assessment.answers.isEmpty ? nil : findings.assessment.delivery,
            parts: findings.assessment.parts, text: text.exam, sheets: findings.marking.shown, result: findings.result,
            earlier: earlier, steps: findings.steps(after: earlier),
            notAssessed: findings.notAssessed)
        return await runBlocking { ReportPage(content).html }
    }

    /// What the examiner said, where this node has the sound of it.
    private func peaks(of prompt: [Clip]) async -> [Double] {
        let exams = exams
        return await runBlocking { exams.peaks(of: prompt, step: SoundTimeline.peakStep) }
    }

    private func recording(of response: TestResponse) async throws -> ReportedSound? {
        guard let recording = try await owned.recording(response.id), let key = AudioKey(recording.key) else {
            return nil
        }
        do {
            let file = try await FetchedFile(key, from: services.audio, in: services.settings.folder)
            guard file.sha256 == recording.sha256 else { return nil }
            let path = file.path
            let sound = await runBlocking { SoundAsMP3.playable(path, mediaType: response.mediaType) }
            return sound.map { ReportedSound(mediaType: $0.mediaType, bytes: $0.bytes) }
        } catch let error as AudioStoreError where error.kind == .missing {
            return nil
        }
    }
}
