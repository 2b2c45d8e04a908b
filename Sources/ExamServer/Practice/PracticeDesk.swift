import ExamNode
import Foundation
import HTTPTypes
import Learning
import Study
import Synchronization
import SystemSupport

/// The learners whose practice a node knows: those who practised on it most recently.
final class PracticeDesk: Sendable {
    private struct State {
        var learners: [UUID: (practising: Practising, lastAsked: Int)] = [:]
        var asked = 0
    }

    private let services: Services
    private let state = Mutex(State())

    /// The maximum number of learners. Each needs several hundred kilobytes.
    static let most = 256

    init(_ services: Services) { self.services = services }

    /// Takes a step of a learner's practice. See `Practising`.
    func take<Outcome: Sendable>(
        of user: UUID, at moment: StudyMoment, _ step: @Sendable (inout PracticeStep) throws -> Outcome
    ) async throws -> Outcome {
        try await practising(of: user).take(at: moment, step)
    }

    /// Returns a learner's study day.
    func day(of user: UUID, at moment: StudyMoment) async throws -> PracticeDay {
        try await practising(of: user).day(at: moment)
    }

    /// Records that the learner looked at the results of an exam or a spoken drill. See `Practising`.
    func review(_ session: UUID, _ drill: HeldDrill?, of user: UUID, at moment: StudyMoment) async throws {
        try await practising(of: user).review(session.name, drill?.spoke, drill?.retelling, at: moment)
    }

    /// Returns a learner's profile and plans.
    func planning(of user: UUID) -> Planning {
        Planning(
            on: StoreShelf(services, services.owned(by: user)), practising(of: user), by: services.panel.rules,
            scope: Self.scope)
    }

    /// Enough exams to show a change and some more, and the lines of several months, which is as far back as the
    /// habit's score looks.
    private static let scope = Planning.Scope(exams: 15, lines: 10_000)

    private func practising(of user: UUID) -> Practising {
        state.withLock { state in
            state.asked += 1
            let practising =
                state.learners[user]?.practising
                ?? Practising(
                    on: StoreShelf(services, services.owned(by: user)), most: services.settings.limits.practiceLines)
            state.learners[user] = (practising, state.asked)
            if state.learners.count > Self.most,
                let oldest = state.learners.min(by: { $0.value.lastAsked < $1.value.lastAsked })?.key
            {
                state.learners[oldest] = nil
            }
            return practising
        }
    }
}

extension APIProblem {
    /// Converts the reason why a step of practice was not taken.
    init(_ refusal: PracticeRefusal) {
        switch refusal {
        case .full:
            self.init(
                .tooManyRequests, "storage-full", "No room left", "Your practice log is full. Erase it to go on.")
        case .busy: self = .busy
        case .notAsked:
            self.init(
                .conflict, "not-asked", "Another question is asked",
                "You are at another question or drill. Fetch the drill to see which.")
        case .notAnAnswer: self = .contradictory("answer: this question is not answered that way.")
        }
    }
}
