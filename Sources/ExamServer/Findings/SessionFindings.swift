import Assessment
import ExamCore
import ExamStore
import Foundation
import Reports
import SystemSupport

/// The findings on a session: measurements of its recordings, the candidate's typed words, and the assessors' findings.
struct SessionFindings: Sendable {
    let session: TestSession
    /// In the order of the exam, without introductions.
    let responses: [TestResponse]
    /// Whether there are introductions besides.
    private let hasIntroduction: Bool
    /// The measurements of all answers that were measured.
    let assessment: ExamAssessment
    /// The words that the candidate typed and those that assessors heard, with the mistakes found in them.
    let transcripts: [AnswerTranscript]
    /// The assessors' findings in the order of the exam.
    let said: [AssessorFinding]
    /// The assessors' gaps with the reasons, one for each assessor and reason.
    let gaps: [AssessorGap]
    /// The findings on which marks may be based: about the recordings, or about words that a machine heard in them.
    let resting: [AssessorFinding]
    /// Whether the marked evidence is the sealed evidence.
    let evidence: EvidenceAnswer
    /// The progress of the people who mark it.
    let marking: Marking
    /// The ids of the bank items in the session's paper. Empty if it was not drawn from a bank.
    let items: [String]
    /// The sentences to repeat, by the questions' ids.
    private let sentences: [String: SentenceToSay]
    /// The scale of the format's own test, if it names one.
    private let scoring: ExamFormat.Scoring?

    /// The names of finders in `assessments`.
    enum Finder {
        /// The measurements, `MeasuredSound`. Other versions of the rules have other names.
        static let measurer = "oracy:" + DeliveryProfile.version
        /// The candidate's typed words, `AnswerTranscript`.
        static let candidate = "oracy:candidate"
    }

    /// The number of exams, of all formats, among which comparable ones are sought: enough to show a change.
    private static let mostEarlier = 30

    /// Returns the user's earlier exams with which this one is compared, latest first. Empty for readers of another user's
    /// exam, who see only that exam.
    func earlier(for services: Services, _ owned: OwnedStore) async throws(StoreError) -> [EarlierExam] {
        if owned.isReadOnly { return [] }
        var earlier: [EarlierExam] = []
        for session in try await owned.sessions(limit: Self.mostEarlier, before: PageCursor(after: session)) {
            let found = try await Self.assessment(
                of: session.id, try await owned.responses(of: session.id), in: services.store.service)
            guard !found.answers.isEmpty,
                let comparable = EarlierExam(
                    session: session.id.name, startedAt: session.startedAt, format: session.format,
                    delivery: found.delivery, parts: found.parts,
                    before: (self.session.format, self.session.startedAt))
            else { continue }
            earlier.append(comparable)
        }
        return earlier
    }

    init(of session: TestSession, for services: Services, _ owned: OwnedStore) async throws(StoreError) {
        self.session = session
        let stored = try await owned.responses(of: session.id)
        let responses = stored.assessed
        hasIntroduction = responses.count < stored.count
        let typed = try await services.store.service.findings(
            AnswerTranscript.self, of: session.id, by: Finder.candidate)
        self.responses = responses
        let all = try await SaidOfAnswers(of: session.id, in: services.store.service)
        said = responses.flatMap { all.findings[$0.id] ?? [] }
        resting = responses.flatMap { all.resting(on: $0) }
        gaps = responses.flatMap { all.gaps[$0.id] ?? [] }.reduce(into: []) { gaps, gap in
            if !gaps.contains(gap) { gaps.append(gap) }
        }
        let marking = try await services.store.service.marking(of: session.id)
        self.marking = marking
        evidence = EvidenceAnswer(of: session, marking, responses, all)
        transcripts = responses.compactMap { typed[$0.id] }.joined(with: said) {
            SHA256.hexadecimal(of: Array($0.utf8))
        }
        let exam = try await services.frozenExam(of: session.id)
        sentences = transcripts.isEmpty ? [:] : exam?.script?.sentences ?? [:]
        scoring = exam?.format.scoring
        items = exam?.paper.origin?.items ?? []
        assessment = try await Self.assessment(of: session.id, responses, in: services.store.service)
    }

    /// Returns only the measurements, with which exams are compared.
    private static func assessment(
        of session: UUID, _ responses: [TestResponse], in store: ServiceStore
    ) async throws(StoreError) -> ExamAssessment {
        let sounds = try await store.findings(MeasuredSound.self, of: session, by: Finder.measurer)
        return .make(
            session: session.name,
            answers: responses.compactMap { response in
                sounds[response.id].map { .init(record: response.record, recording: response.sha256, sound: $0) }
            })
    }

    /// The answers without measurements: their recordings have not been processed yet, or cannot be decoded.
    var unmeasured: [TestResponse] {
        let measured = Set(assessment.answers.map(\.record.name))
        return responses.filter { !measured.contains($0.record.name) }
    }

    var text: ExamText { ExamText(of: assessment, transcripts, sentences: sentences) }

    func steps(after earlier: [EarlierExam]) -> [NextStep] {
        NextStep.steps(for: assessment, transcripts: transcripts, earlier: earlier)
    }

    /// The limits that delivery and words set to machines' marks.
    var limits: MarkLimits { MarkLimits(assessment.answers.isEmpty ? nil : assessment.delivery, text.exam) }

    /// The result of all marks; nil if there are no marks.
    var result: ExamResult? {
        let evidence = resting.flatMap(\.countedEvidence)
        if evidence.isEmpty && marking.shown.isEmpty { return nil }
        return ExamResult.make(
            sheets: marking.shown, findings: evidence, answers: responses.compactMap(\.spoken), limits: limits)
    }

    /// The aspects that nothing here judges, each with the reason.
    var notAssessed: [ReportContent.NotAssessed] {
        var list = ReportContent.unjudged(result, transcripts: transcripts, scoring: scoring)
        if hasIntroduction { list.append(.introduction) }
        list += gaps.map { .init(what: $0.assessor, why: $0.why) }
        list += unmeasured.map { response in
            .init(what: "the sound of \(response.record.name)", why: response.error ?? "It was not measured yet.")
        }
        return list
    }
}

extension Services {
    /// Returns the questions of a session that was held here. Nil if it was held elsewhere.
    func script(of session: UUID) async throws(StoreError) -> ExamScript? {
        try await frozenExam(of: session)?.script
    }
}

extension TestResponse {
    /// The answer's weight in marks. Nil if it does not count, or its speech was not measured. Then the weight stated
    /// by its assessor is used.
    var spoken: SpokenAnswer? {
        guard record.counts, let speech = record.speech else { return nil }
        return SpokenAnswer(
            name: record.name, speech: Double(speech.duration.milliseconds) / 1000, recording: sha256)
    }
}
