import Foundation
import Glibc
import Learning
import StudyFolders

/// Measures a learner's practice log after years: opens 100,000 answers, and stores one more.
///
/// The reference is reading the same log and splitting it into lines and words, the least that any reader does.
struct Practising {
    private let path: String
    private static let answers = 100_000

    init(work: String) { path = work + "/practice.log" }

    func report() throws {
        section("practice, a log of \(Self.answers) answers, real time")
        try write()
        let catalogue = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn)
        var (starts, splits, feedback) = ([Double](), [Double](), [Double]())
        for _ in 0..<10 {
            splits.append(try seconds { _ = try Self.words(of: path) })
            var log: PracticeLog?
            starts.append(
                try seconds {
                    let catalogue = PracticeCatalogue(packs: QuestionPack.builtIn, lessons: LessonCategory.builtIn)
                    let opened = try PracticeLog(path: path)
                    _ = DayLoad(of: catalogue, opened.history, at: .now)
                    log = opened
                })
            guard let log else { continue }
            for number in 0..<20 {
                let item = catalogue.packs[0].items[number]
                let exercise = PracticeEvent.Exercise(memory: item.id, question: item.questions[0].id, role: .due)
                var drill = Drill(number, [exercise], of: catalogue, log.history)
                // An item that was not remembered is shown before it is asked.
                if drill.phase == .showing { _ = try drill.handle(.next) }
                feedback.append(
                    try seconds {
                        for case .keep(let event) in try drill.handle(.answer(answer(drill), seconds: 5)) {
                            try log.append([event], at: .now)
                        }
                    })
            }
        }
        let (start, split) = (Spread(figures: starts), Spread(figures: splits))
        let ratio = decimal(start.median / split.median, 2)
        print("  start: \(start.text("ms", scale: 1000, places: 0)), \(ratio) × reading its words   bar: 300 ms")
        print("  answer to feedback: \(Spread(figures: feedback).text("ms", scale: 1000, places: 3))   bar: 20 ms\n")
    }

    private func answer(_ drill: Drill) -> PracticeAnswer {
        guard case .multipleChoice(let key) = drill.question?.key else { return .fillInTheBlank(textAnswer: "x") }
        return .multipleChoice(selectedOption: key.correct)
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

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let began = ContinuousClock.now
        try body()
        return (ContinuousClock.now - began) / .seconds(1)
    }
}
