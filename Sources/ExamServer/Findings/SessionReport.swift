import Assessment
import AudioFiles
import ExamCore
import ExamStore
import Foundation
import Reports
import SessionFolders
import SystemSupport

/// The report of a session: the same page as the tool makes from a folder, made from the store.
struct SessionReport: Sendable {
    let services: Services
    let owned: OwnedStore
    /// The source of the examiner's recordings.
    let exams: PreparedExams
    /// The user who requested it.
    let reader: UUID

    /// The most bytes of sound in a report: four and a half hours. The report leaves out the rest.
    private static let mostSound = 48 << 20

    /// Returns the page. Recordings are fetched one after the other and converted for browsers.
    ///
    /// - Throws: `StoreError`, or `AudioStoreError` if the recordings' store is unavailable. If a recording is gone,
    ///   its answer has no sound.
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
        var room = Self.mostSound
        for response in findings.responses {
            let turn = script?.turns.first { $0.id == response.question }
            let sound = room > 0 ? try await recording(of: response) : nil
            room -= sound?.bytes.count ?? 0
            let measured = findings.assessment.answers.first { $0.record.name == response.record.name }
            answers.append(
                ReportedAnswer(
                    record: response.record,
                    question: turn?.question ?? questions.first { $0.question == response.question }?.text,
                    card: turn?.card, sound: measured?.sound, delivery: measured?.delivery,
                    recording: sound, promptPeaks: await peaks(of: turn?.prompt ?? []),
                    transcripts: findings.transcripts.filter { $0.answer == response.record.name },
                    text: text[response.record.name]))
        }
        let content = ReportContent(
            session: session.id.name, title: frozen.map { "\($0.format.title): \($0.paper.title)" } ?? session.name,
            startedAt: session.startedAt, outcome: session.outcome.map { Exam.Outcome(rawValue: $0)?.words ?? $0 },
            provenance: findings.provenance, answers: answers,
            delivery: findings.assessment.answers.isEmpty ? nil : findings.assessment.delivery,
            parts: findings.assessment.parts, text: text.exam, sheets: findings.marking.shown, result: findings.result,
            earlier: earlier, steps: findings.steps(after: earlier),
            notAssessed: findings.notAssessed)
        return await runBlocking { ReportPage(content).html }
    }

    /// Returns the examiner's prompt over time, if this node has its sound.
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
            return try await playable(file, response)
        } catch let error as AudioStoreError where error.kind == .missing {
            return nil
        }
    }

    /// Returns a recording as MP3, or unchanged if this machine cannot write MP3. Nil if it cannot be decoded.
    private func playable(_ file: borrowing FetchedFile, _ response: TestResponse) async throws -> ReportedSound? {
        guard SoundAsMP3.isThere else {
            let path = file.path
            return await runBlocking { try? PrivateFile.read(path) }.map {
                ReportedSound(mediaType: response.mediaType, bytes: $0)
            }
        }
        do throws(SoundWorkers.Failure) {
            let (_, bytes) = try await services.sound.perform(
                .mp3, on: file.path, byteCount: file.byteCount, for: reader, .person)
            return ReportedSound(mediaType: "audio/mpeg", bytes: bytes)
        } catch {
            if error == .cancelled { throw CancellationError() }
            return nil
        }
    }
}
