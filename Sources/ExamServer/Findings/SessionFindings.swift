import Assessment
import ExamCore
import ExamKit
import ExamStore
import Foundation
import Reports
import SystemSupport

/// What is known of a session: what was measured in its recordings, what its candidate typed, and what assessors said.
struct SessionFindings: Sendable {
    let session: TestSession
    /// In the order of the exam, without introductions.
    let responses: [TestResponse]
    /// Whether there are introductions besides.
    private let hasIntroduction: Bool
    /// Of the answers that were measured.
    let assessment: ExamAssessment
    /// The candidate's own and what assessors heard, with what was found wrong in either.
    let transcripts: [AnswerTranscript]
    /// What assessors said, in the order of the exam.
    let said: [AssessorFinding]
    /// Where they said nothing, and why: one for each assessor and reason.
    let gaps: [AssessorGap]
    /// Those of them that marks are made of: they rest on the recordings, or on words that a machine heard in them.
    let resting: [AssessorFinding]
    /// Whether what was marked is what was sealed.
    let evidence: EvidenceAnswer
    /// How far people are who mark it.
    let marking: Marking
    /// Ids of the bank's items that its paper was drawn from; none where it was drawn from no bank.
    let items: [String]
    /// What was to be said again, by the questions' ids.
    private let sentences: [String: SentenceToSay]
    /// The scale of the format's own tests, where it names one.
    private let scoring: ExamFormat.Scoring?

    /// Whose finding it is, in `assessments`.
    enum Finder {
        /// `MeasuredSound`; what other rules measured is another finder's.
        static let measurer = "oracy:" + DeliveryProfile.version
        /// `AnswerTranscript`
        static let candidate = "oracy:candidate"
    }

    /// Exams before this one that it is compared with: as many as show a change.
    private static let mostEarlier = 10

    /// The user's exams before this one, the latest first, as far as they were measured. Whoever reads one exam of another's is told of that
    /// one alone.
    func earlier(for services: Services, _ owned: OwnedStore) async throws(StoreError) -> [EarlierExam] {
        if owned.isReadOnly { return [] }
        var earlier: [EarlierExam] = []
        for session in try await owned.sessions(limit: Self.mostEarlier, before: PageCursor(after: session)) {
            let found = try await Self.assessment(
                of: session.id, try await owned.responses(of: session.id), in: services.store.service)
            guard !found.answers.isEmpty else { continue }
            earlier.append(
                EarlierExam(
                    session: session.id.name, startedAt: session.startedAt, delivery: found.delivery,
                    parts: found.parts))
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

    /// What was measured, and nothing else: all that earlier exams are compared by.
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

    /// Answers without a measure: their recordings were not processed yet, or cannot be decoded.
    var unmeasured: [TestResponse] {
        let measured = Set(assessment.answers.map(\.record.name))
        return responses.filter { !measured.contains($0.record.name) }
    }

    var text: ExamText { ExamText(of: assessment, transcripts, sentences: sentences) }

    func steps(after earlier: [EarlierExam]) -> [NextStep] {
        NextStep.steps(for: assessment, transcripts: transcripts, earlier: earlier).map(\.withoutCommand)
    }

    /// How far delivery and words let machines' marks go.
    var limits: MarkLimits { MarkLimits(assessment.answers.isEmpty ? nil : assessment.delivery, text.exam) }

    /// What all marks come to; nil where nobody gave any.
    var result: ExamResult? {
        let evidence = resting.flatMap(\.countedEvidence)
        if evidence.isEmpty && marking.shown.isEmpty { return nil }
        return ExamResult.make(
            sheets: marking.shown, findings: evidence, answers: responses.compactMap(\.spoken), limits: limits)
    }

    /// What nothing here judges, each with the reason.
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
    /// What a session that was held here was asked; nil where it was held elsewhere.
    func script(of session: UUID) async throws(StoreError) -> ExamScript? {
        try await frozenExam(of: session)?.script
    }
}

extension TestResponse {
    /// As marks weigh it; nil where it does not count, or nobody measured its speech: then it weighs what whoever assessed it says.
    var spoken: SpokenAnswer? {
        guard record.counts, let speech = record.speech else { return nil }
        return SpokenAnswer(
            name: record.name, speech: Double(speech.duration.milliseconds) / 1000, recording: sha256)
    }
}

extension NextStep {
    /// Commands are the tool's: here nobody has a terminal.
    fileprivate var withoutCommand: NextStep {
        var step = self
        step.link = nil
        return step
    }
}
