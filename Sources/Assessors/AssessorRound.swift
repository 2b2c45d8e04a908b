public import HTTPClient
import Synchronization

/// The assessors that are still asked in one round over an exam's answers. An assessor is no longer asked once it needs
/// a person's help, or after it failed on three consecutive answers.
public final class AssessorRound: Sendable {
    private struct State {
        var out: [String: ServiceFailure] = [:]
        var failedRunning: [String: Int] = [:]
        var gaps: [AnswerAssessing.Gap] = []
    }

    private static let patience = 3
    private let state = Mutex(State())

    public init() {}

    /// Returns why an assessor is not asked any more. Nil if it is still asked.
    public func whyOut(_ assessor: String) -> ServiceFailure? { state.withLock { $0.out[assessor] } }

    /// Records the result of an answer.
    public func note(_ gaps: [AnswerAssessing.Gap], said: [String]) {
        state.withLock { state in
            for assessor in said { state.failedRunning[assessor] = 0 }
            for gap in gaps {
                state.gaps.append(gap)
                // The assessor was not asked, and checking that again costs nothing.
                if gap.lacksConsentTo != nil { continue }
                state.failedRunning[gap.assessor, default: 0] += 1
                switch gap.failure.kind {
                case .setUp, .spent, .cancelled: state.out[gap.assessor] = gap.failure
                case .later where state.failedRunning[gap.assessor]! >= Self.patience:
                    state.out[gap.assessor] = gap.failure
                case .later, .refused: break
                }
            }
        }
    }

    /// The gaps so far, one for each assessor and reason, in order of occurrence.
    public var gaps: [AnswerAssessing.Gap] {
        state.withLock { state in
            state.gaps.reduce(into: []) { gaps, gap in
                if !gaps.contains(gap) { gaps.append(gap) }
            }
        }
    }
}
