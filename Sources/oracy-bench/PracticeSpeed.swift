import Foundation
import Glibc
import Learning
import SessionFolders
import Study
import StudyFolders

/// Measures a learner's practice after years: reads a log of 100,000 answers, and answers questions.
///
/// The reference is reading the same log and splitting it into lines and words, the least that any reader does.
struct PracticeSpeed {
    private let work: String
    private var path: String { work + "/practice.log" }
    private static let answers = 100_000

    init(work: String) { self.work = work }

    func report() async throws {
        section("practice, a log of \(Self.answers) answers, real time")
        try write()
        var (starts, splits, feedback) = ([Double](), [Double](), [Double]())
        for _ in 0..<10 {
            var began = ContinuousClock.now
            _ = try Self.words(of: path)
            splits.append(Self.seconds(since: began))
            began = .now
            let shelf = FolderShelf(SessionShelf(path: work + "/sessions"), data: work)
            let practising = Practising(on: shelf)
            _ = try await practising.take(at: .now) { DayLoad(of: $0.content.catalogue, $0.history, at: $0.moment) }
            starts.append(Self.seconds(since: began))
            var drill = try await practising.take(at: .now) { $0.begin(PracticeWish(count: 20, extra: true)) }
            for _ in 0..<20 {
                guard let asked = drill, let question = asked.question else { break }
                let answer = answer(to: question)
                began = .now
                drill = try await practising.take(at: .now) { step in
                    try step.answer(asked.number, question.id, seconds: 5) { _ in answer }.drill
                }
                feedback.append(Self.seconds(since: began))
            }
        }
        let (start, split) = (Spread(figures: starts), Spread(figures: splits))
        let ratio = decimal(start.median / split.median, 2)
        print("  start: \(start.text("ms", scale: 1000, places: 0)), \(ratio) × reading its words   bar: 300 ms")
        print("  answer to feedback: \(Spread(figures: feedback).text("ms", scale: 1000, places: 3))   bar: 20 ms\n")
    }

    private func answer(to question: PracticeQuestion) -> PracticeAnswer {
        switch question.key {
        case .multipleChoice(let key): .multipleChoice(selectedOption: key.correct)
        case .multipleResponse, .ordering, .matching: question.solution
        case .calculation: .calculation(numericAnswer: "0")
        case .fillInTheBlank, .spoken: .fillInTheBlank(textAnswer: "x")
        }
    }

    /// Writes forty answers a day, for all items.
    private func write() throws {
        let items = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn).packs.flatMap(
            \.items)
        var text = ""
        for number in 0..<Self.answers {
            let item = items[number * 7 % items.count]
            let moment = StudyMoment(seconds: 1_700_000_000 + number / 40 * 86_400 + number % 40 * 12, offset: 3600)
            let exercise = PracticeEvent.Exercise(memory: item.id, question: item.questions[0].id, role: .due)
            let verdict: Verdict = number % 7 == 0 ? .wrong : .right
            let event = PracticeEvent.answered(.init(drill: 0, exercise: exercise, verdict: verdict, seconds: 9.5))
            text += PracticeLine(moment, event).text + "\n"
        }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func words(of path: String) throws -> Int {
        let bytes = try Array(Data(contentsOf: URL(filePath: path)))
        return bytes.split(separator: UInt8(ascii: "\n")).reduce(0) {
            $0 + $1.split(separator: UInt8(ascii: " ")).count
        }
    }

    private static func seconds(since began: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - began) / .seconds(1)
    }
}
