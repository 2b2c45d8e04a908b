import Assessment
import ExamCore
package import ExamStore

/// Says whether an exam's marks, findings and bands are based on sealed evidence.
package struct EvidenceStanding: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        /// All marks, findings and bands are based on it.
        case sealed
        /// Some are not: `stale` lists them with reasons.
        case stale
        /// The exam isn't sealed yet.
        case unsealed
    }

    /// An item that isn't based on the seal.
    package struct Stale: Encodable, Equatable, Sendable {
        /// `bands`, `marker 1`, or an assessor's id.
        package var what: String
        /// The answer's name; absent for an item about the whole exam.
        package var answer: String?
        /// The reason, as a sentence.
        package var why: String
    }

    package var state: State
    /// The seal's hash.
    package var seal: String?
    package var stale: [Stale]

    private static let before = "It was given before the exam was sealed, or names no seal."

    package init(of session: TestSession, _ marking: Marking, _ responses: [TestResponse], _ said: SaidOfAnswers) {
        seal = session.seal
        stale = []
        guard let seal else {
            state = .unsealed
            return
        }
        if session.hasBands, session.evidence != seal { stale.append(Stale(what: "bands", why: Self.before)) }
        for (sheet, own) in zip(marking.sheets, marking.seals) where own != seal {
            stale.append(Stale(what: sheet.marker, why: Self.before))
        }
        for response in responses {
            let findings = said.findings[response.id] ?? []
            for finding in findings {
                guard let why = SaidOfAnswers.whyStale(finding, among: findings, on: response) else { continue }
                stale.append(Stale(what: finding.source.id, answer: response.record.name, why: why))
            }
        }
        state = stale.isEmpty ? .sealed : .stale
    }
}

extension TestSession {
    fileprivate var hasBands: Bool { overallBand != nil || scores != Scores() }
}
