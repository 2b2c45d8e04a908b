public import HTTPClient
import Synchronization

/// Who is still asked in one round over an exam's answers: who needs a person is asked no more, and nor is who failed three answers running.
public final class AssessorRound: Sendable {
    private struct State {
        var out: [String: ServiceFailure] = [:]
        var failedRunning: [String: Int] = [:]
        var gaps: [AnswerAssessing.Gap] = []
    }

    private static let patience = 3
    private let state = Mutex(State())

    public init() {}

    /// Why an assessor is not asked any more; nil: it is.
    public func whyOut(_ assessor: String) -> ServiceFailure? { state.withLock { $0.out[assessor] } }

    /// Takes note of what became of an answer.
    public func note(_ gaps: [AnswerAssessing.Gap], said: [String]) {
        state.withLock { state in
            for assessor in said { state.failedRunning[assessor] = 0 }
            for gap in gaps {
                state.gaps.append(gap)
                // Nobody was asked, and it costs nothing to find that out.
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

    /// What was not said, one for each assessor and reason, in the order they came.
    public var gaps: [AnswerAssessing.Gap] {
        state.withLock { state in
            state.gaps.reduce(into: []) { gaps, gap in
                if !gaps.contains(gap) { gaps.append(gap) }
            }
        }
    }
}
