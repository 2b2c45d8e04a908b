public import Assessment
import ExamCore
public import HTTPClient
import SystemSupport

/// Has one answer assessed by all who can: first those who hear, then those who judge words.
public struct AnswerAssessing: Sendable {
    /// Why an assessor said nothing about an answer: a gap that is named, never an error in the exam's way.
    public struct Gap: Error, Equatable, Sendable {
        /// The assessor's id.
        public var assessor: String
        public var failure: ServiceFailure
        /// The third party that nobody agreed to; nil where that is not the reason.
        public var lacksConsentTo: String?

        /// Whether asking again may help without anybody's doing.
        public var mayComeLater: Bool { lacksConsentTo == nil && failure.kind != .cancelled }
    }

    /// An assessor, and what asking it costs.
    public struct Seat: Sendable {
        public var assessor: any Assessor
        public var prices: AssessorPrices

        public init(_ assessor: any Assessor, prices: AssessorPrices = AssessorPrices()) {
            self.assessor = assessor
            self.prices = prices
        }
    }

    public let seats: [Seat]
    let memory: any AssessorMemory
    /// Third parties that the candidate agreed to, by name.
    let consents: Set<String>

    /// - Parameter consents: third parties (`Assessor.recipient`) that recordings and words may go to.
    public init(_ seats: [Seat], memory: any AssessorMemory, consents: Set<String>) {
        self.seats = seats
        self.memory = memory
        self.consents = consents
    }

    /// Whether all have said what they say of this answer.
    ///
    /// - Parameter known: findings on this answer from before.
    public func isDone(_ answer: AnswerToAssess, known: [AssessorFinding]) -> Bool {
        var answer = answer
        answer.words = Self.words(of: answer, known, seats)
        return seats.allSatisfy { seat in known.contains { seat.assessor.hasSaid($0, of: answer.words) } }
    }

    /// Asks everybody who has not said yet what they say of this answer and these words.
    ///
    /// - Parameters:
    ///   - known: findings on this answer from before.
    ///   - whyOut: why an assessor, by its id, is not to be asked any more; nil: it is.
    ///   - keep: is given each finding, at once.
    /// - Returns: what nobody said, and why.
    /// - Throws: what `keep` throws.
    public func assess(
        _ answer: AnswerToAssess, known: [AssessorFinding], whyOut: (String) -> ServiceFailure? = { _ in nil },
        keep: (AssessorFinding) async throws -> Void
    ) async throws -> [Gap] {
        var answer = answer
        var findings = known.filter { $0.answer == answer.record.name && $0.recording == answer.recording }
        var gaps: [Gap] = []
        for needsWords in [false, true] {
            if needsWords { answer.words = Self.words(of: answer, findings, seats) }
            for seat in seats where seat.assessor.needsWords == needsWords {
                let assessor = seat.assessor
                if findings.contains(where: { assessor.hasSaid($0, of: answer.words) }) { continue }
                if let why = whyOut(assessor.source.id) {
                    gaps.append(Gap(assessor: assessor.source.id, failure: why))
                    continue
                }
                if let recipient = assessor.recipient, !consents.contains(recipient) {
                    let why = ServiceFailure(.setUp, "nobody agreed that anything is sent to \(recipient)")
                    gaps.append(Gap(assessor: assessor.source.id, failure: why, lacksConsentTo: recipient))
                    continue
                }
                let finding: AssessorFinding
                do throws(ServiceFailure) {
                    finding = try await ask(seat, answer)
                } catch {
                    gaps.append(Gap(assessor: assessor.source.id, failure: error))
                    if error.kind == .cancelled { return gaps }
                    continue
                }
                findings.append(finding)
                try await keep(finding)
            }
        }
        return gaps
    }

    /// A service that refuses this very answer has said all that it will: that is kept, and not asked for again.
    private func ask(_ seat: Seat, _ answer: AnswerToAssess) async throws(ServiceFailure) -> AssessorFinding {
        let assessor = seat.assessor
        let calls = AssessorCalls(memory, for: assessor.source, on: answer.recording, prices: seat.prices)
        do throws(ServiceFailure) {
            return try await assessor.assess(answer, calls)
        } catch {
            guard error.kind == .refused else { throw error }
            var finding = answer.finding(by: assessor.source, sentTo: assessor.recipient)
            finding.words = assessor.needsWords ? answer.words?.digest : nil
            finding.failure = error.sentence
            return finding
        }
    }

    /// The words that are judged: those of the first recogniser in the settings that heard any, else what the candidate typed. A recogniser
    /// is nobody's friend.
    private static func words(
        of answer: AnswerToAssess, _ findings: [AssessorFinding], _ seats: [Seat]
    ) -> AnswerTranscript? {
        for seat in seats {
            let source = seat.assessor.source
            if let heard = findings.last(where: { $0.source == source })?.transcript { return heard }
        }
        return answer.words
    }
}

extension Assessor {
    /// Whether a finding is this assessor's on these words, so that there is nothing to be asked.
    fileprivate func hasSaid(_ finding: AssessorFinding, of words: AnswerTranscript?) -> Bool {
        finding.source == source && (!needsWords || finding.words == words?.digest)
    }
}

extension AnswerTranscript {
    /// SHA-256 of its words, as hexadecimal digits.
    public var digest: String { SHA256.hexadecimal(of: Array(text.utf8)) }
}
