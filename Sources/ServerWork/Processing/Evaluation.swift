import Assessment
import Assessors
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPClient
import Hearing
import Logging
import RecordingStores
import Study
import SystemSupport

/// Evaluates a finished session. Each answer is fetched, measured and passed to all assessors without a finding on it.
/// Their findings make the session's result.
///
/// Every finding is stored before the next step, and shown at once. A worker may die between any two steps. The next
/// worker continues with the rest. During an exam, a worker may already hear its words.
struct Evaluation: Sendable {
    let services: Services
    let job: Job
    private let round = AssessorRound()

    init(services: Services, job: Job) {
        self.services = services
        self.job = job
    }

    /// The number of answers processed at a time: services allow few simultaneous calls, and sound takes memory.
    private static let atOnce = 4

    /// The stored findings on the session's answers when the work begins.
    private struct Known: Sendable {
        /// The assessors to ask.
        var seats: [AnswerAssessing.Seat]
        var said: SaidOfAnswers
        var sounds: [UUID: MeasuredSound]
        var script: ExamScript?
        var questions: [String: String]
        var consents: Set<String>
    }

    /// Runs the evaluation.
    ///
    /// - Throws: `LostLease` if another worker has the job, and any other error if the evaluation must be retried.
    func run() async throws {
        let service = services.store.service
        // The session was erased meanwhile, and its job with it.
        guard let user = try await service.owner(of: job.session) else { return }
        // Seal the session before assessing it, so that it cannot change afterwards.
        _ = try await service.seal(job.session, assessor: nil)
        guard let session = try await service.session(job.session) else { return }
        let owned = services.owned(by: user)
        let responses = try await owned.responses(of: job.session)
        let known = try await known(session, owned)
        try await assess(responses, owned, known)
        let waiting = round.gaps.filter(\.mayComeLater)
        // Wait for findings that may still arrive, even if the job is given up. Only an operator ends it with gaps.
        if !waiting.isEmpty && !job.endsWithGaps { throw AssessorsAway(gaps: waiting) }
        let said = try await SaidOfAnswers(of: job.session, in: service)
        let sheets = try await service.marking(of: job.session).shown
        let evidence = try await StoredExam(session, of: owned, in: service).evidence
        let limits = ExamDossier(evidence, after: [], by: services.panel.rules).limits
        let result = ShownResult.of(
            responses.counted, said.findings, panel: services.panel, sheets: sheets, limits: limits)
        // If neither machines nor people mark, keep what an operator wrote into the rows.
        let version = services.panel.seats.isEmpty && sheets.isEmpty ? nil : services.panel.version
        let isStored = try await service.complete(
            job, result, by: version, restingOn: session.seal, markers: services.settings.markers)
        guard isStored else { throw LostLease() }
    }

    /// Hears the words of the answers that are stored so far, until the exam is over. Its evaluation then finds them,
    /// and hears the rest.
    ///
    /// - Throws: the errors of `run`.
    func hear() async throws {
        let service = services.store.service
        guard let user = try await service.owner(of: job.session) else { return }
        let owned = services.owned(by: user)
        for response in try await owned.responses(of: job.session).assessed where response.record.counts {
            guard let session = try await service.session(job.session), session.completedAt == nil else { return }
            let known = try await known(session, owned)
            let heard = known.said.findings[response.id] ?? []
            let isHeard = known.seats.allSatisfy { seat in
                heard.contains { $0.source == seat.assessor.source && $0.recording == response.sha256 }
            }
            if !isHeard { try await assess(response, owned, known) }
        }
    }

    private func known(_ session: TestSession, _ owned: OwnedStore) async throws -> Known {
        let service = services.store.service
        let template = session.templateID ?? TemplateIDs.template(session.format, session.paper)
        let questions = try await owned.questions(of: template)
        // The words of a spoken drill are written down, but it is practice: no service marks it.
        let isMarked = job.kind != .hear && SpokenDrill(paper: session.paper) == nil
        return Known(
            seats: isMarked ? services.panel.seats : services.panel.recognisers,
            said: try await SaidOfAnswers(of: session.id, in: service),
            sounds: try await service.findings(
                MeasuredSound.self, of: session.id, by: StoredExam.Finder.measurer),
            script: try await services.script(of: session.id),
            questions: Dictionary(questions.map { ($0.question, $0.text) }) { first, _ in first },
            consents: Set(try await owned.consents().map(\.recipient)))
    }

    /// Assesses several answers at a time. A failure does not stop the others: their findings are stored, and only the
    /// rest is repeated.
    private func assess(_ responses: [TestResponse], _ owned: OwnedStore, _ known: Known) async throws {
        var failure: (any Error)?
        await withTaskGroup(of: (any Error)?.self) { group in
            for (number, response) in responses.enumerated() {
                if number >= Self.atOnce, let outcome = await group.next() { failure = failure ?? outcome }
                if Task.isCancelled { break }
                group.addTask {
                    do {
                        try await assess(response, owned, known)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await outcome in group { failure = failure ?? outcome }
        }
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    private func assess(_ response: TestResponse, _ owned: OwnedStore, _ known: Known) async throws {
        if response.record.purpose == .introduction { return try await showWaveform(of: response, owned) }
        let service = services.store.service
        var findings = known.said.findings[response.id] ?? []
        let (panel, turn) = (services.panel, known.script?.turns.first { $0.id == response.question })
        // An answer that does not count is measured but not assessed.
        let assessing = AnswerAssessing(
            response.record.counts ? known.seats : [],
            memory: StoredCalls(service: service, job: job, response: response.id, budget: panel.budget),
            consents: known.consents)
        func toAssess(_ path: String, _ sound: MeasuredSound) -> AnswerToAssess? {
            AnswerToAssess(
                record: response.record, recording: response.sha256, path: path, sound: sound,
                // Leave out the words that the learner typed: no machine marks them as spoken words.
                question: turn?.question ?? known.questions[response.question],
                textToSay: known.script?.sentences[response.question]?.text, card: turn?.card)
        }
        // Everything is known, so nothing needs to be fetched.
        if let sound = known.sounds[response.id], response.peaks != nil,
            toAssess("", sound).map({ assessing.isDone($0, known: findings) }) ?? true
        {
            return try await show(response, findings, isDone: true)
        }
        guard let file = try await fetched(response, owned) else { return }
        let known = known.sounds[response.id]
        guard let studied = try await studied(file, response, known: known, heardHere: panel.hears, owned) else {
            return
        }
        for words in studied.warnings {
            services.logger.warning(
                "a recording is not as its file says",
                metadata: ["session": "\(job.session.name)", "answer": "\(response.id.name)", "what": "\(words)"])
        }
        let (sound, peaks) = (studied.sound, studied.peaks)
        if known == nil {
            try await service.keep(sound, of: response.id, by: StoredExam.Finder.measurer)
        }
        try await show(response, findings, peaks, isDone: false)
        guard var answer = toAssess(file.path, sound) else { return }
        var said: [String] = []
        answer.samples = studied.samples?.path
        // Learners take turns at the recogniser on this machine. Whoever has ended an exam waits for its words.
        let weight = job.kind == .hear ? 1.0 : 4.0
        let gaps = try await HearingTurn.$party.withValue(owned.user.uuidString) {
            try await HearingTurn.$weight.withValue(weight) {
                try await assessing.assess(answer, known: findings, whyOut: round.whyOut) { finding in
                    try await SaidOfAnswers.keep(finding, of: response.id, in: service)
                    said.append(finding.source.id)
                    findings.append(finding)
                    try await show(response, findings, isDone: false)
                }
            }
        }
        if gaps.contains(where: { $0.failure.kind == .cancelled }) {
            // The evaluation was stopped and the job returned, or another worker has it.
            try Task.checkCancellation()
            throw LostLease()
        }
        // The evaluation asks again, and reports what is missing then.
        if job.kind == .hear { return }
        round.note(gaps, said: said)
        for gap in gaps {
            try await SaidOfAnswers.keep(AssessorGap(gap), of: response.id, in: service)
            services.logger.warning(
                "an assessor said nothing of an answer",
                metadata: ["assessor": "\(gap.assessor)", "what": "\(gap.failure.sentence)"])
        }
        try await show(response, findings, isDone: gaps.allSatisfy { !$0.mayComeLater } || job.endsWithGaps)
    }

    /// Draws the waveform that the candidate sees next to their own introduction, and keeps nothing else.
    private func showWaveform(of response: TestResponse, _ owned: OwnedStore) async throws {
        var result = ResponseResult(response: response.id)
        if response.peaks == nil {
            guard let file = try await fetched(response, owned),
                let studied = try await studied(file, response, known: nil, heardHere: false, owned)
            else { return }
            result.peaks = studied.peaks
        }
        try await services.store.service.show(result, isDone: true)
    }

    /// Returns the recording. Nil if it is missing or is not the stored one; the answer then says so.
    private func fetched(_ response: TestResponse, _ owned: OwnedStore) async throws -> FetchedFile? {
        guard let recording = try await owned.recording(response.id), let key = AudioKey(recording.key) else {
            try await fail(response, "The recording is missing.")
            return nil
        }
        let file = try await FetchedFile(key, from: services.audio, in: services.settings.folder)
        guard file.sha256 == recording.sha256 else {
            try await fail(response, "The recording is not the one that was stored.")
            return nil
        }
        return file
    }

    /// Returns a worker's findings about the recording. Nil if it cannot be decoded. The answer's row then says so.
    private func studied(
        _ file: borrowing FetchedFile, _ response: TestResponse, known: MeasuredSound?, heardHere: Bool,
        _ owned: OwnedStore
    ) async throws -> StudiedSound? {
        do throws(SoundWorkers.Failure) {
            return try await StudiedSound(
                of: file, response, known: known, heardHere: heardHere, owner: owned.user, services)
        } catch {
            // The other failures are not the recording's fault.
            guard case .refused(let reason) = error else { throw error }
            let why = error == .tooCostly ? ": it \(reason)" : ""
            try await fail(response, "The recording cannot be decoded\(why).")
            return nil
        }
    }

    private func show(
        _ response: TestResponse, _ findings: [AssessorFinding], _ peaks: [Double]? = nil, isDone: Bool
    ) async throws {
        let service = services.store.service
        var azure: [String] = []
        for finding in findings where finding.pronunciation != nil {
            let source = finding.source
            let answers = try await service.answers(by: source.id, version: source.version, about: response.id)
            // "piece 10 of 12" comes after "piece 9 of 12".
            azure += answers.sorted { $0.key.compare($1.key, options: .numeric) == .orderedAscending }.map(\.value)
        }
        var result = ShownResult.of(response, findings, panel: services.panel, azure: azure)
        result.peaks = peaks
        try await service.show(result, isDone: isDone)
    }

    /// Records a final failure: the same bytes would fail again.
    private func fail(_ response: TestResponse, _ reason: String) async throws {
        try await services.store.service.show(ResponseResult(response: response.id, error: reason), isDone: true)
        services.logger.warning(
            "an answer cannot be assessed",
            metadata: ["session": "\(job.session.name)", "answer": "\(response.id.name)"])
    }
}

/// The error if some assessors did not answer, but may later.
struct AssessorsAway: Error {
    var gaps: [AnswerAssessing.Gap]

    /// Seconds until the first of these assessors may be asked again; the queue's own delays may be longer.
    ///
    /// - Parameters:
    ///   - now: the time, for a spent budget: it is renewed at midnight, UTC.
    ///   - chance: 0 to 1, to spread the sessions that wait for midnight.
    func seconds(at now: Date, chance: Double = .random(in: 0...1)) -> Double {
        let second = now.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400)
        let waits = gaps.map { gap -> Double in
            switch gap.failure.kind {
            case .later(let wait?): Double(wait.components.seconds)
            case .spent: 86_400 - second + 1_800 * chance
            default: 0
            }
        }
        return waits.min() ?? 0
    }

    /// The message for the session's owner.
    var words: String {
        Set(gaps.map(\.assessor)).sorted().joined(separator: ", ") + " did not answer; it is asked again."
    }
}
