package import Assessment
package import Assessors
package import ExamStore
package import Foundation
import HTTPClient
import SystemSupport

/// An assessor without findings on an answer, with the reason in a form for the candidate.
package struct AssessorGap: Codable, Equatable, Sendable {
    package var assessor: String
    package var why: String
    /// The third party that the candidate has not agreed to.
    package var lacksConsentTo: String?

    package init(_ gap: AnswerAssessing.Gap) {
        assessor = gap.assessor
        lacksConsentTo = gap.lacksConsentTo
        // Addresses and settings are only the operator's business.
        why =
            if let recipient = gap.lacksConsentTo {
                "You did not agree that anything is sent to \(recipient)."
            } else {
                switch gap.failure.kind {
                case .later, .cancelled, .refused: "It did not answer."
                case .setUp: "It is not set up correctly. The operator of this server has to mend it."
                case .spent: "Today's budget is spent."
                }
            }
    }
}

/// The assessors' findings on a session's answers, and the gaps. They are in `assessments`, one row for each assessor
/// and answer.
package struct SaidOfAnswers: Sendable {
    /// The findings by the answers' ids.
    package private(set) var findings: [UUID: [AssessorFinding]]
    package private(set) var gaps: [UUID: [AssessorGap]]

    /// The prefix of the finders' names.
    package static let said = "said:"
    package static let missing = "gap:"

    package init(of session: UUID, in service: ServiceStore) async throws(StoreError) {
        findings = try await service.findings(AssessorFinding.self, of: session, byAll: Self.said)
        gaps = try await service.findings(AssessorGap.self, of: session, byAll: Self.missing)
    }

    /// Returns the assessors' findings on an answer that marks may be based on.
    package func resting(on response: TestResponse) -> [AssessorFinding] {
        Self.resting(findings[response.id] ?? [], on: response)
    }

    /// Leaves out findings about another recording, and findings about words that no recogniser heard in it: a learner
    /// may type anything.
    ///
    /// - Parameter findings: all on this answer.
    package static func resting(_ findings: [AssessorFinding], on response: TestResponse) -> [AssessorFinding] {
        findings.filter { whyStale($0, among: findings, on: response) == nil }
    }

    /// Returns a sentence with the reason why a finding leads to no mark; nil if it may lead to one.
    package static func whyStale(
        _ finding: AssessorFinding, among findings: [AssessorFinding], on response: TestResponse
    ) -> String? {
        if finding.recording != response.sha256 { return "It is about another recording." }
        guard let words = finding.words else { return nil }
        let isHeard = findings.contains { $0.recording == response.sha256 && $0.transcript?.digest == words }
        return isHeard ? nil : "It judged words that no machine heard in the recording."
    }

    /// Returns the name under which an assessor's findings are stored. Each version of an assessor has its own name.
    package static func finder(_ source: MarkSource) -> String {
        "\(said)\(source.id):\(SHA256.hexadecimal(of: Array(source.version.utf8)).prefix(12))"
    }

    /// Stores a finding, and removes an earlier gap of the same assessor.
    package static func keep(_ finding: AssessorFinding, of response: UUID, in service: ServiceStore)
        async throws(StoreError)
    {
        let finder = finder(finding.source)
        do throws(StoreError) {
            try await service.keep(finding, of: response, by: finder)
        } catch {
            guard error.kind == .invalid else { throw error }
            var other = AssessorFinding(
                answer: finding.answer, recording: finding.recording, source: finding.source, saidAt: finding.saidAt,
                sentTo: finding.sentTo)
            other.words = finding.words
            other.failure = "what was found cannot be stored"
            try await service.keep(other, of: response, by: finder)
        }
        try await service.removeFinding(of: response, by: missing + finding.source.id)
    }

    package static func keep(_ gap: AssessorGap, of response: UUID, in service: ServiceStore) async throws(StoreError) {
        try await service.keep(gap, of: response, by: missing + gap.assessor)
    }
}
