import ArgumentParser
import Assessors
import Glibc
import HTTPClient
import Papers
import SystemSupport
import TextModels

/// Has a model write items. Asks the model, passes its answers to the machine, stores the state after each answer, and
/// keeps items that pass as drafts.
struct PaperWriting {
    private let shelf = DraftShelf()
    private let entry: AssessorEntry
    private let model: any TextModel
    private let known: KnownItems
    private let start: Generation<ItemWish>

    /// Starts a new generation. A stopped one is forgotten, but its drafts stay.
    init(_ arguments: WritingArguments, about wishes: PaperArguments, seed: UInt64) throws {
        let entry = try arguments.source.entry()
        var limits = GenerationLimits()
        limits.milliseconds = arguments.source.seconds * 1_000
        let generation = Generation(
            arguments.itemWishes(wishes), writer: entry.model ?? "", seed: seed, limits: limits)
        try self.init(DraftShelf.Job(entry: entry, generation: generation), arguments)
    }

    /// Continues the generation that was stopped.
    init(resuming arguments: WritingArguments) throws {
        try self.init(DraftShelf().job(), arguments)
    }

    private init(_ job: DraftShelf.Job, _ arguments: WritingArguments) throws {
        try WritingTurn.take()
        entry = job.entry
        model = try entry.textModel(client: UploadsHome.client(), in: currentFolder())
        try arguments.source.obtainConsent(
            for: entry, sending: "Your topics, and titles of items in your bank,")
        known = try shelf.known()
        var generation = job.generation
        if generation.attempt == nil, generation.statistics.failed > 0 {
            try generation.handle(.retry, beside: known)
        }
        start = generation
    }

    /// - Throws: `ExitCode` 75 if it was stopped, or some items failed: `--resume` continues.
    func run() async throws {
        // The last run may have been killed between an answer and its file.
        if let last = start.written.last, !known.has(last.id) { try shelf.add(last) }
        try keep(start)
        let end = try await Stoppable.run { try await write() }
        for line in WritingText.lines(end.statistics, noun: "item") { print(line) }
        guard end.attempt == nil else {
            print("Stopped. To continue: oracy papers new --resume")
            throw ExitCode(75)
        }
        if end.statistics.written > 0 { print("To review the drafts: oracy papers review") }
        guard end.statistics.failed == 0 else {
            print("To retry what failed: oracy papers new --resume")
            throw ExitCode(75)
        }
        shelf.forgetJob()
    }

    /// - Returns: The machine when it has finished or was stopped.
    private func write() async throws -> Generation<ItemWish> {
        defer { WritingText.clear() }
        do {
            return try await ModelWriting<ItemWish>(model, name: "bank_item").run(start, beside: known) {
                // The state is stored first. Otherwise, after a kill in between, the model would be asked again and
                // write a duplicate of the stored draft.
                try keep($1)
                switch $0 {
                case .asks(let attempt): WritingText.progress($1, attempt)
                case .ended(let attempt): try ended(attempt, $1)
                }
            }
        } catch let failure as ServiceFailure {
            throw Problem(
                .unavailable, "\(failure.sentence); once this is solved, continue with oracy papers new --resume")
        }
    }

    private func ended(_ attempt: Generation<ItemWish>.Attempt, _ generation: Generation<ItemWish>) throws {
        guard let outcome = generation.outcomes[attempt.wish] else { return }
        if case .written(let item) = outcome { try shelf.add(item) }
        WritingText.ended(attempt, generation) { "\($0.id): \"\($0.about.title)\"" }
    }

    private func keep(_ generation: Generation<ItemWish>) throws(Problem) {
        try shelf.write(DraftShelf.Job(entry: entry, generation: generation))
    }
}
