public import Assessment
import ExamCore
public import HTTPClient
import SystemSupport

/// Has one answer assessed by all assessors: first those that hear the recording, then those that judge words.
public struct AnswerAssessing: Sendable {
    /// The reason why an assessor said nothing about an answer. A gap is recorded and never interrupts the exam.
    public struct Gap: Error, Equatable, Sendable {
        /// The assessor's id.
        public var assessor: String
        public var failure: ServiceFailure
        /// The third party that the candidate has not agreed to. Nil if that is not the reason.
        public var lacksConsentTo: String?

        /// Whether asking again may help without any change by a person.
        public var mayComeLater: Bool { lacksConsentTo == nil && failure.kind != .cancelled }
    }

    /// An assessor with its prices.
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
    /// The names of the third parties that the candidate agreed to.
    let consents: Set<String>

    /// Creates the assessment.
    ///
    /// - Parameter consents: the third parties (`Assessor.recipient`) that may get recordings and words.
    public init(_ seats: [Seat], memory: any AssessorMemory, consents: Set<String>) {
        self.seats = seats
        self.memory = memory
        self.consents = consents
    }

    /// Returns whether every assessor has a finding on this answer.
    ///
    /// - Parameter known: earlier findings on this answer.
    public func isDone(_ answer: AnswerToAssess, known: [AssessorFinding]) -> Bool {
        var answer = answer
        answer.words = Self.words(of: answer, known, seats)
        return seats.allSatisfy { seat in known.contains { seat.assessor.hasSaid($0, of: answer.words) } }
    }

    /// Asks every assessor that has no finding on this answer and these words yet.
    ///
    /// - Parameters:
    ///   - known: earlier findings on this answer.
    ///   - whyOut: returns why an assessor, given by its id, must not be asked any more. Nil if it may be asked.
    ///   - keep: receives each finding at once.
    /// - Returns: the assessors without a finding, with the reasons.
    /// - Throws: the errors of `keep`.
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
                    let why = ServiceFailure(.setUp, "the candidate has not agreed to send anything to \(recipient)")
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

    /// Asks one assessor. If a service refuses this particular answer, the refusal is kept as its finding and the
    /// service is not asked again.
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

    /// Returns the words to judge: those of the first recogniser in the settings that heard any, and otherwise what the
    /// candidate typed. A recogniser is preferred because it is impartial.
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
    /// Returns whether this assessor has already made this finding about these words, so that it need not be asked
    /// again.
    fileprivate func hasSaid(_ finding: AssessorFinding, of words: AnswerTranscript?) -> Bool {
        finding.source == source && (!needsWords || finding.words == words?.digest)
    }
}

extension AnswerTranscript {
    /// The SHA-256 of the words, as hexadecimal digits.
    public var digest: String { SHA256.hexadecimal(of: Array(text.utf8)) }
}
