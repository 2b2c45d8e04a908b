import HTTPClient
public import Papers
import SystemSupport

/// Sends the prompts of a `Generation` to a model, one after the other, and passes the results back to it.
///
/// It stores nothing. The caller receives the state after each event, and decides how to store it.
public struct ModelWriting<Wish: GenerationWish>: Sendable {
    /// An event, given to the caller with the state to store.
    public enum Step: Sendable {
        /// The prompt is sent to the model now.
        case asks(Generation<Wish>.Attempt)
        /// The attempt ended, with or without an answer.
        case ended(Generation<Wish>.Attempt)
    }

    private let model: any TextModel
    /// The name of the schema that an answer must follow: `bank_item`.
    private let name: String

    public init(_ model: any TextModel, name: String) {
        self.model = model
        self.name = name
    }

    /// Continues until all wishes are done or the task is cancelled.
    ///
    /// - Parameters:
    ///   - known: the pieces that existed before this generation, so that the model does not write one again.
    ///   - keep: receives the state after each step, before anything else happens.
    /// - Returns: the generation in its last state.
    /// - Throws: `ServiceFailure` if a person has to fix something first, and errors from `keep`.
    public func run(
        _ start: Generation<Wish>, beside known: Wish.Known,
        keep: (Step, Generation<Wish>) async throws -> Void
    ) async throws -> Generation<Wish> {
        var generation = start
        while let attempt = generation.attempt, !Task.isCancelled {
            guard let prompt = generation.prompt(beside: known) else { break }
            Self.tell(.asked, to: &generation, known)
            try await keep(.asks(attempt), generation)
            let left = generation.limits.milliseconds - attempt.milliseconds
            let (answer, took) = await ask(prompt, attempt, generation.seed, milliseconds: left)
            guard let event = try Self.event(answer) else {
                // Cancelled by the user rather than by the time limit.
                if Task.isCancelled { break }
                Self.tell(.passed(milliseconds: max(took, left)), to: &generation, known)
                try await keep(.ended(attempt), generation)
                continue
            }
            Self.tell(.passed(milliseconds: took), to: &generation, known)
            // After the time limit an answer no longer counts.
            if case .asking = generation.state { Self.tell(event, to: &generation, known) }
            try await keep(.ended(attempt), generation)
        }
        return generation
    }

    private typealias Answer = Result<ModelReply, ServiceFailure>

    private func ask(
        _ prompt: GenerationPrompt, _ attempt: Generation<Wish>.Attempt, _ chance: UInt64, milliseconds: Int
    ) async -> (Answer, took: Int) {
        let own = ModelPrompt(rules: prompt.system, material: prompt.user, schema: prompt.schema, name: name)
        let seed = Int(chance % 1_000_000) + attempt.number
        let key = "papers-\(chance)-\(attempt.wish)-\(attempt.number)"
        let model = model
        let began = SteadyClock.now
        let asking = Task { () -> Answer in
            do throws(ServiceFailure) {
                return .success(try await model.reply(to: own, seed: seed, key: key))
            } catch {
                return .failure(error)
            }
        }
        let alarm = Task {
            try await Task.sleep(for: .milliseconds(milliseconds))
            asking.cancel()
        }
        let answer = await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
        alarm.cancel()
        return (answer, Int((SteadyClock.now - began) / .milliseconds(1)))
    }

    /// Returns the event for the generation. Nil if the call was cancelled.
    private static func event(_ answer: Answer) throws(ServiceFailure) -> Generation<Wish>.Event? {
        switch answer {
        case .success(.text(let text)): return .answered(text)
        case .success(.cutOff): return .cut
        case .success(.declined): return .declined
        case .failure(let failure):
            switch failure.kind {
            case .cancelled: return nil
            case .later, .refused, .spent: return .unavailable(failure.sentence)
            case .setUp: throw failure
            }
        }
    }

    private static func tell(
        _ event: Generation<Wish>.Event, to generation: inout Generation<Wish>, _ known: Wish.Known
    ) {
        do throws(IllegalEvent) {
            try generation.handle(event, beside: known)
        } catch {
            preconditionFailure(error.sentence)
        }
    }
}
