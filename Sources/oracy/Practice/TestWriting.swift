import ArgumentParser
import Assessors
import HTTPClient
import Learning
import Papers
import StudyFolders
import SystemSupport
import TextModels

/// Has a model write a test, question by question. The state is stored after each answer, so that writing can be
/// continued.
struct TestWriting {
    private let shelf: OwnTests
    private let model: any TextModel
    private let known: KnownQuestions
    private let start: PracticeTest

    init(
        _ test: PracticeTest, _ source: ModelArguments, on shelf: OwnTests, _ bank: [PracticeQuestion]
    ) throws {
        var test = test
        let entry = try source.entry()
        var limits = GenerationLimits()
        limits.milliseconds = source.seconds * 1_000
        test.generation = Generation(
            test.blueprint.slots.map(QuestionWish.init), writer: entry.model ?? "", seed: test.request.seed,
            limits: limits)
        try self.init(test, entry, source, on: shelf, KnownQuestions(bank))
    }

    init(
        resuming id: String, _ source: ModelArguments, on shelf: OwnTests, _ bank: [PracticeQuestion]
    ) throws {
        var test = try shelf.test(id)
        guard test.generation != nil else {
            throw Problem(.malformed, "\(id): is \(test.status.word); only stopped or failed tests can be resumed")
        }
        let known = KnownQuestions(bank)
        if test.status == .failed {
            try test.handle(.retry)
            try test.generation?.handle(.retry, beside: known)
        }
        try self.init(test, shelf.writer(of: id), source, on: shelf, known)
    }

    private init(
        _ test: PracticeTest, _ entry: AssessorEntry, _ source: ModelArguments, on shelf: OwnTests,
        _ known: KnownQuestions
    ) throws {
        try WritingTurn.take()
        model = try entry.textModel(client: UploadsHome.client(), in: currentFolder())
        try source.obtainConsent(for: entry, sending: "Your topics, and prompts of questions on them,")
        try shelf.write(entry, of: test.id)
        try shelf.write(test)
        (self.shelf, start, self.known) = (shelf, test, known)
    }

    /// - Throws: `ExitCode` 75 if it was stopped, or some questions failed: `--resume` continues.
    func run() async throws {
        guard let generation = start.generation else { return }
        let end = try await Stoppable.run { try await write(generation) }
        WritingText.clear()
        for line in WritingText.lines(end.statistics, noun: "question") { print(line) }
        var test = start
        test.generation = end
        if end.attempt == nil {
            if let questions = PracticeTest.questions(of: end, standIns: known) {
                try test.handle(.written(questions))
            } else {
                try test.handle(.failed("some questions could not be written"))
            }
        }
        try shelf.write(test)
        guard test.status == .ready else {
            print("To continue: oracy practice new --resume \(test.id)")
            throw ExitCode(75)
        }
        shelf.forgetWriter(of: test.id)
        TestText.made(test)
    }

    private func write(_ generation: Generation<QuestionWish>) async throws -> Generation<QuestionWish> {
        do {
            return try await ModelWriting<QuestionWish>(model, name: "practice_question").run(
                generation, beside: known
            ) {
                var test = start
                test.generation = $1
                try shelf.write(test)
                switch $0 {
                case .asks(let attempt): WritingText.progress($1, attempt)
                case .ended(let attempt): WritingText.ended(attempt, $1) { "\"\($0.prompt)\"" }
                }
            }
        } catch let failure as ServiceFailure {
            WritingText.clear()
            throw Problem(
                .unavailable,
                "\(failure.sentence); once this is solved, continue with oracy practice new --resume \(start.id)")
        }
    }
}
