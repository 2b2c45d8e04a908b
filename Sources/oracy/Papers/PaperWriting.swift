import ArgumentParser
import Assessors
import ExamKit
import Glibc
import HTTPClient
import Papers
import SystemSupport
import TextModels

/// Has a model write items: asks it, tells the machine what came, keeps the state after each answer and what passed as drafts.
struct PaperWriting {
    private let shelf = DraftShelf()
    private let entry: AssessorEntry
    private let model: any TextModel
    private let known: KnownItems
    private let start: ItemGeneration

    /// A new one; what was stopped before is forgotten, its drafts are not.
    init(_ arguments: WritingArguments, about wishes: PaperArguments, seed: UInt64) throws {
        let entry = try arguments.entry()
        var limits = ItemGeneration.Limits()
        limits.milliseconds = arguments.seconds * 1_000
        let generation = ItemGeneration(
            arguments.itemWishes(wishes), writer: entry.model ?? "", seed: seed, limits: limits)
        try self.init(DraftShelf.Job(entry: entry, generation: generation), arguments)
    }

    /// The one that was stopped.
    init(resuming arguments: WritingArguments) throws {
        try self.init(DraftShelf().job(), arguments)
    }

    private init(_ job: DraftShelf.Job, _ arguments: WritingArguments) throws {
        try shelf.takeTurn()
        entry = job.entry
        model = try entry.textModel(client: UploadsHome.client(), in: currentFolder())
        try arguments.obtainConsent(for: entry)
        known = try shelf.known()
        var generation = job.generation
        if generation.attempt == nil, generation.statistics.failed > 0 { Self.tell(.retry, to: &generation, known) }
        start = generation
    }

    /// - Throws: `ExitCode` 75 where it was stopped, or some items failed: `--resume` goes on.
    func run() async throws {
        // Killed between an answer and its file.
        if let last = start.written.last, !known.has(last.id) { try shelf.add(last) }
        try keep(start)
        let task = Task { try await write() }
        let signals = [SIGINT, SIGTERM, SIGHUP].map { InterruptSource($0) { task.cancel() } }
        defer { for signal in signals { signal.cancel() } }
        let end = try await task.value
        for line in WritingText.lines(end.statistics) { print(line) }
        guard end.attempt == nil else {
            print("Stopped: oracy papers new --resume goes on.")
            throw ExitCode(75)
        }
        if end.statistics.written > 0 { print("Look at what was written: oracy papers review") }
        guard end.statistics.failed == 0 else {
            print("Try again what failed: oracy papers new --resume")
            throw ExitCode(75)
        }
        shelf.forgetJob()
    }

    // MARK: - One question after the other

    /// - Returns: the machine when all is over, or when it was stopped.
    private func write() async throws -> ItemGeneration {
        var generation = start
        while let attempt = generation.attempt, !Task.isCancelled {
            guard let prompt = generation.prompt(beside: known) else { break }
            WritingText.progress(generation, attempt)
            Self.tell(.asked, to: &generation, known)
            try keep(generation)
            let left = generation.limits.milliseconds - attempt.milliseconds
            let (answer, took) = await ask(prompt, attempt, milliseconds: left)
            guard let event = try answer.event(model.model) else {
                // By the user, and not by the clock.
                if Task.isCancelled { break }
                Self.tell(.passed(milliseconds: max(took, left)), to: &generation, known)
                try ended(attempt, generation)
                continue
            }
            Self.tell(.passed(milliseconds: took), to: &generation, known)
            // Too late, it is no answer any more.
            if case .asking = generation.state { Self.tell(event, to: &generation, known) }
            try ended(attempt, generation)
        }
        WritingText.clear()
        return generation
    }

    /// Keeps the state first: what is asked again would be a duplicate of its own draft.
    private func ended(_ attempt: ItemGeneration.Attempt, _ generation: ItemGeneration) throws {
        try keep(generation)
        guard let outcome = generation.outcomes[attempt.wish] else { return }
        if case .written(let item) = outcome { try shelf.add(item) }
        WritingText.clear()
        print(
            WritingText.line(outcome, number: attempt.wish + 1, of: generation.wishes.count, attempts: attempt.number))
    }

    private func keep(_ generation: ItemGeneration) throws(Problem) {
        try shelf.write(DraftShelf.Job(entry: entry, generation: generation))
    }

    private func ask(
        _ prompt: ItemPrompt, _ attempt: ItemGeneration.Attempt, milliseconds: Int
    ) async -> (Answer, took: Int) {
        let own = ModelPrompt(
            rules: prompt.system, material: prompt.user, schema: prompt.schema, name: "bank_item")
        let seed = Int(start.seed % 1_000_000) + attempt.number
        let key = "papers-\(start.seed)-\(attempt.wish)-\(attempt.number)"
        let model = model
        let began = SteadyClock.now
        let asking = Task { () -> Answer in
            do throws(ServiceFailure) {
                return .reply(try await model.reply(to: own, seed: seed, key: key))
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
        let took = (SteadyClock.now - began) / .milliseconds(1)
        return (answer, Int(took))
    }

    private enum Answer: Sendable {
        case reply(ModelReply)
        case failure(ServiceFailure)

        /// What the machine is told; nil: nobody waited for it.
        ///
        /// - Throws: `Problem.unavailable` where a person has to mend something first.
        func event(_ name: String) throws(Problem) -> ItemGeneration.Event? {
            switch self {
            case .reply(.text(let text)): return .answered(text)
            case .reply(.cutOff): return .cut
            case .reply(.declined): return .declined
            case .failure(let failure):
                switch failure.kind {
                case .cancelled: return nil
                case .later, .refused, .spent: return .unavailable(failure.sentence)
                case .setUp:
                    throw Problem(
                        .unavailable, "\(failure.sentence); oracy papers new --resume goes on when it is mended")
                }
            }
        }
    }

    private static func tell(
        _ event: ItemGeneration.Event, to generation: inout ItemGeneration, _ known: KnownItems
    ) {
        do throws(ItemGeneration.IllegalEvent) {
            try generation.handle(event, beside: known)
        } catch {
            preconditionFailure(error.sentence)
        }
    }
}
