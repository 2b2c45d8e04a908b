package import ExamStore
package import Foundation

extension OwnedStore {
    /// Returns a session's evaluation. Nil if it was not requested, or this user has no such session.
    package func evaluation(of session: UUID) async throws(StoreError) -> EvaluationState? {
        try await sessionWithEvaluation(session)?.evaluation
    }
}
