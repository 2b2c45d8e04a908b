import HTTPClient
public import Papers
import SystemSupport

/// Puts a generation's questions before a model, one after the other, and tells the machine what came of each.
///
/// It keeps nothing: whoever runs it is given the state after each event, and ends the program or goes on with it.
public struct ModelWriting<Wish: GenerationWish>: Sendable {
    /// What happened, with the state to be kept.
    public enum Step: Sendable {
        /// A question is put now.
        case asks(Generation<Wish>.Attempt)
        /// It was answered, or not.
        case ended(Generation<Wish>.Attempt)
    }

    private let model: any TextModel
    /// `bank_item`: what the answers are called.
    private let name: String

    public init(_ model: any TextModel, name: String) {
        self.model = model
        self.name = name
    }

    /// Goes on until all is over, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - known: what stood there when it began.
    ///   - keep: is given the state after each step, before anything else happens.
    /// - Returns: the machine as it is then.
    /// - Throws: `ServiceFailure` where a person has to mend something first; what `keep` throws.
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
                // By the user, and not by the clock.
                if Task.isCancelled { break }
                Self.tell(.passed(milliseconds: max(took, left)), to: &generation, known)
                try await keep(.ended(attempt), generation)
                continue
            }
            Self.tell(.passed(milliseconds: took), to: &generation, known)
            // Too late, it is no answer any more.
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

    /// What the machine is told; nil: nobody waited for it.
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
