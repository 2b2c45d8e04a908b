import Assessors
import ExamStore
import Foundation
import HTTPClient

/// The memory of the calls to services about one answer of a job, in the store.
struct StoredCalls: AssessorMemory {
    let service: ServiceStore
    let job: Job
    let response: UUID
    let budget: AssessorBudget?

    private func stored(_ call: AssessorCall) -> ServiceStore.Call {
        .init(response: response, assessor: call.assessor, version: call.version, name: call.name)
    }

    private static func away(_ error: StoreError) -> ServiceFailure {
        ServiceFailure(.later(nil), "the database could not be reached")
    }

    func answer(to call: AssessorCall) async throws(ServiceFailure) -> String? {
        do throws(StoreError) {
            return try await service.answer(to: stored(call))
        } catch {
            throw Self.away(error)
        }
    }

    func begin(_ call: AssessorCall) async throws(ServiceFailure) {
        let begin: ServiceStore.CallBegin
        let budget = budget
        do throws(StoreError) {
            begin = try await service.begin(stored(call), for: job, seconds: call.seconds, cost: call.cost) {
                Self.refusal(by: budget, of: call, $0) == nil
            }
        } catch {
            throw Self.away(error)
        }
        switch begin {
        case .ask: return
        // Another worker has stored the answer meanwhile. The next attempt finds it.
        case .known, .elsewhere: throw ServiceFailure(.later(.seconds(1)), "another worker asks about this answer")
        case .lost: throw ServiceFailure(.cancelled, "the job is another worker's now")
        case .spent(let spent):
            throw ServiceFailure(.spent, Self.refusal(by: budget, of: call, spent) ?? "today's budget is spent")
        }
    }

    /// Returns the reason why a call exceeds the budget or its learner's share; nil if it doesn't.
    private static func refusal(
        by budget: AssessorBudget?, of call: AssessorCall, _ spent: ServiceStore.Spent
    ) -> String? {
        budget?.refusal(of: call, spent: AssessorSpending(seconds: spent.seconds, cost: spent.cost))
            ?? budget?.shareRefusal(
                of: call, spent: AssessorSpending(seconds: spent.learnerSeconds, cost: spent.learnerCost))
    }

    /// Stores the answer to a call. If the store is away, waits for it as long as the task runs: the call may have cost
    /// money.
    func keep(_ answer: String, to call: AssessorCall) async throws(ServiceFailure) {
        while true {
            do throws(StoreError) {
                return try await service.keep(answer, to: stored(call))
            } catch {
                guard error.kind == .unavailable else {
                    throw ServiceFailure(.refused, "what it answered cannot be stored")
                }
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { throw ServiceFailure(.cancelled, "was stopped") }
        }
    }
}
