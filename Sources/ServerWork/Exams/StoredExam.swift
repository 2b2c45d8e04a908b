package import Assessment
package import ExamCore
package import ExamNode
package import ExamStore
package import Foundation
import SessionFolders
package import Study
import SystemSupport

/// The rows of one session: its answers, their measurements, the words about them, and its marks. `ExamDossier` draws
/// the conclusions.
package struct StoredExam: Sendable {
    package let session: TestSession
    /// In the order of the exam, without introductions.
    package let responses: [TestResponse]
    /// All answers, including introductions.
    private let all: [TestResponse]
    private let sounds: [UUID: MeasuredSound]
    private let typed: [UUID: AnswerTranscript]
    private let said: SaidOfAnswers
    /// The progress of the people who mark it.
    package let marking: Marking
    /// The format, paper and options. Nil if the session was held elsewhere.
    private let frozen: FrozenExam?
    /// The words of its template's questions, if the paper is unknown.
    private let questions: [String: String]

    /// The names of finders in `assessments`.
    package enum Finder {
        /// The measurements, `MeasuredSound`. Other versions of the rules have other names.
        package static let measurer = "oracy:" + DeliveryProfile.version
        /// The candidate's typed words, `AnswerTranscript`.
        package static let candidate = "oracy:candidate"
    }

    package init(_ session: TestSession, of owned: OwnedStore, in service: ServiceStore) async throws(StoreError) {
        self.session = session
        all = try await owned.responses(of: session.id)
        responses = all.assessed
        sounds = try await service.findings(MeasuredSound.self, of: session.id, by: Finder.measurer)
        typed = try await service.findings(AnswerTranscript.self, of: session.id, by: Finder.candidate)
        said = try await SaidOfAnswers(of: session.id, in: service)
        marking = try await service.marking(of: session.id)
        frozen = try await service.files(of: session.id)["exam.json"].flatMap { try? FrozenExam($0, from: "exam.json") }
        let asked = Set(frozen?.script?.turns.map(\.id) ?? [])
        if responses.allSatisfy({ asked.contains($0.question) }) {
            questions = [:]
        } else {
            let template = session.templateID ?? TemplateIDs.template(session.format, session.paper)
            let rows = try await owned.questions(of: template)
            questions = Dictionary(rows.map { ($0.question, $0.text) }) { first, _ in first }
        }
    }

    /// The assessors' gaps with the reasons, one for each assessor and reason.
    package var gaps: [AssessorGap] {
        responses.flatMap { said.gaps[$0.id] ?? [] }.reduce(into: []) { gaps, gap in
            if !gaps.contains(gap) { gaps.append(gap) }
        }
    }

    /// Whether the marked evidence is the sealed evidence.
    package var standing: EvidenceStanding { EvidenceStanding(of: session, marking, responses, said) }

    /// The measurements of all answers that were measured, with the phones that were heard in them.
    package var assessment: ExamAssessment {
        let phones = responses.flatMap { said.findings[$0.id] ?? [] }.phones
        return .make(session: session.id.name, responses, sounds, phones: phones)
    }

    /// The answers without measurements: their recordings have not been processed yet, or cannot be decoded.
    package var unmeasured: [TestResponse] { responses.filter { sounds[$0.id] == nil } }

    /// Everything that a learner's shelf keeps of the exam.
    package var evidence: ExamEvidence {
        var evidence = ExamEvidence(
            entry: ExamEntry(session), name: session.name, frozen: frozen,
            answers: all.map { response in
                KeptAnswer(record: response.record, recording: response.sha256, whyUnmeasured: response.error)
            },
            assessment: assessment)
        evidence.questions = questions
        evidence.typed = responses.compactMap { typed[$0.id] }
        evidence.said = responses.flatMap { said.findings[$0.id] ?? [] }
        evidence.resting = responses.flatMap { said.resting(on: $0) }
        evidence.gaps = gaps.map { AssessorAbsence(assessor: $0.assessor, why: $0.why) }
        evidence.sheets = marking.shown
        evidence.provenance = provenance
        return evidence
    }

    /// A text for reports that says who held the exam and whether its evidence is sealed.
    private var provenance: String {
        let held = session.held == .server ? "held by the server" : "recorded elsewhere"
        guard let seal = session.seal, let sealedAt = session.sealedAt else { return "\(held), not sealed yet" }
        let stale = standing.state == .stale ? "; some of what is said does not rest on it" : ""
        return "\(held), sealed \(sealedAt) as \(seal.prefix(12))\(stale)"
    }
}

extension ExamEntry {
    package init(_ session: TestSession) {
        var ending: ExamEnding?
        if let word = session.outcome {
            ending = Exam.Outcome(rawValue: word).map(ExamEnding.outcome) ?? .other(word)
        }
        self.init(
            id: session.id.name, format: session.format, paper: session.paper, startedAt: session.startedAt,
            ending: ending)
    }
}

extension ExamAssessment {
    /// Makes the assessment of a session's answers that were measured.
    ///
    /// - Parameter phones: the phones that were heard, by the recording's SHA-256. The measures that compare exams need
    ///   no phones.
    package static func make(
        session: String, _ responses: [TestResponse], _ sounds: [UUID: MeasuredSound],
        phones: [String: HeardPhones] = [:]
    ) -> ExamAssessment {
        make(
            session: session,
            answers: responses.compactMap { response in
                sounds[response.id].map {
                    .init(record: response.record, recording: response.sha256, sound: $0.with(phones[response.sha256]))
                }
            })
    }
}

extension Services {
    /// Returns the questions of a session that was held here. Nil if it was held elsewhere.
    package func script(of session: UUID) async throws(StoreError) -> ExamScript? {
        try await frozenExam(of: session)?.script
    }

    /// Returns the frozen exam of a session that was held here. Nil if it was held elsewhere.
    package func frozenExam(of session: UUID) async throws(StoreError) -> FrozenExam? {
        guard let bytes = try await store.service.files(of: session)["exam.json"] else { return nil }
        return try? FrozenExam(bytes, from: "exam.json")
    }
}

extension TestResponse {
    /// The answer as `KeptAnswer.spoken` returns it.
    package var spoken: SpokenAnswer? { KeptAnswer(record: record, recording: sha256).spoken }
}

extension FrozenExam {
    /// The title for people.
    package var title: String { "\(format.title): \(paper.title)" }

    package var script: ExamScript? { ExamScript.assemble(format, paper, options: options).script }
}

extension PaperFilter {
    /// Exams, without spoken drills.
    package static let exams = PaperFilter.without(SpokenDrill.paperIDs)
}
