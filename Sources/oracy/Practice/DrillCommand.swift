import ArgumentParser
import ExamCore
import ExamKit
import Learning
import Papers

extension PracticeCommand {
    struct DrillCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drill", abstract: "Today's questions, one after the other, each with its answer at once.",
            discussion: """
                Without wishes it goes on with the drill that was left, else asks what is due and then something new, as much as fits your day \
                (`oracy practice day`). Ends with 75 where it was left.
                """)

        @Option(help: "A pack or lesson: `oracy practice packs` lists them. May be repeated.")
        var pack: [String] = []

        @Option(help: "A topic: food. May be repeated.")
        var topic: [String] = []

        @Option(help: "easy, medium or hard.")
        var level: WantedDifficulty?

        @Option(help: "How many, 1 to 200. Default: as many as fit the day.")
        var questions: Int?

        @Flag(help: "Only what is due.")
        var due = false

        @Flag(help: "Also what is not due: it moves no due date.")
        var extra = false

        @Flag(help: "Go on half a second after a right answer.")
        var autoAdvance = false

        @Flag(help: "Lines in any case, for screen readers.")
        var plain = false

        func validate() throws {
            if let questions, !(1...200).contains(questions) { throw ValidationError("--questions is 1 to 200.") }
            if due && extra { throw ValidationError("--due and --extra exclude each other.") }
        }

        func run() async throws {
            try await failing {
                let home = try PracticeHome()
                let wish = PracticeWish(
                    packs: pack, topics: topic, difficulty: level?.difficulty, count: questions, onlyDue: due,
                    extra: extra)
                try home.check(wish)
                let run = try DrillRun(wish == PracticeWish() ? nil : wish, home, goesOn: autoAdvance)
                guard run.drill.phase != .finished else { return nothing(run.history, home) }
                if run.isResumed {
                    print("You left this one at question \(min(run.drill.done + 1, run.drill.count)); it goes on.")
                }
                let voice = DrillVoice()
                defer { voice.close() }
                let isFinished =
                    try await !plain && Terminal.isRoomy
                    ? DrillScreen(run: run, voice: voice).hold() : DrillLines(run: run, voice: voice).hold()
                guard isFinished else {
                    print("You answered \(run.drill.done) of \(run.drill.count). oracy practice goes on.")
                    throw ExitCode(75)
                }
            }
        }

        /// Prints why there is nothing to ask, and what the learner can do.
        private func nothing(_ history: PracticeHistory, _ home: PracticeHome) {
            for line in DrillText.today(history, at: .now) { print(line) }
            print(
                due
                    ? "Nothing is due."
                    : "Nothing more for today. `oracy practice --extra` asks what is not due, `--questions 10` more.")
        }
    }

    struct Packs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "packs",
            abstract: "What there is to practise, and how far you are with each.")

        func run() async throws {
            try await failing {
                let home = try PracticeHome()
                let history = try home.history()
                let rows = home.catalogue.packs.map { pack in
                    let due = DayLoad(.init(packs: [pack.id], onlyDue: true), of: home.catalogue, history, at: .now)
                    return [
                        pack.id, "\(pack.items.count)", "\(Int(history.progress(of: pack) * 100)) %", "\(due.dueCount)",
                        home.catalogue.isOpen(pack, history) ? pack.title : "\(pack.title) (not open yet)",
                    ]
                }
                let header = ["PACK", "ITEMS", "DONE", "DUE", "TITLE"]
                for line in ([header] + rows).columns(right: 1...3) { print(line.cleaned) }
            }
        }
    }
}
