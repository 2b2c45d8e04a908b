import ArgumentParser
import Learning
import Study
import StudyFolders

extension PracticeCommand {
    struct DrillCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drill", abstract: "Answer today's questions, with the solution after each one.",
            discussion: """
                Without options, continues an unfinished drill, or asks due questions and then new ones, as many as \
                fit your day (`oracy practice day`). Exits with code 75 if you leave it unfinished.
                """)

        @Option(help: "A pack or lesson (`oracy practice packs`). Repeatable.")
        var pack: [String] = []

        @Option(help: "A topic, such as food. Repeatable.")
        var topic: [String] = []

        @Option(help: "The difficulty: easy, medium or hard.")
        var level: WantedDifficulty?

        @Option(help: "How many questions, 1 to 200. Default: as many as fit the day.")
        var questions: Int?

        @Flag(help: "Ask only due questions.")
        var due = false

        @Flag(help: "Ask also questions that are not due, without moving their due dates.")
        var extra = false

        @Flag(help: "Continue half a second after a right answer.")
        var autoAdvance = false

        @Flag(help: "Always print lines instead of drawing a screen, for screen readers.")
        var plain = false

        func validate() throws {
            if let questions, !(1...200).contains(questions) {
                throw ValidationError("--questions must be between 1 and 200.")
            }
            if due && extra { throw ValidationError("Use either --due or --extra.") }
        }

        func run() async throws {
            try await failing {
                let shelf = FolderShelf()
                let practising = Practising(on: shelf)
                let wish = PracticeWish(
                    packs: pack, topics: topic, difficulty: level?.difficulty, count: questions, onlyDue: due,
                    extra: extra)
                try await practising.state().content.check(wish)
                // Two drills at the same time would ask the same questions.
                try shelf.log.lock()
                let (open, begun) = try await practising.take(at: .now) { step in
                    let open = wish == PracticeWish() ? step.openDrill : nil
                    return (open, open ?? step.begin(wish))
                }
                guard let begun else { return nothing(try await practising.day(at: .now)) }
                if let open {
                    print("Continuing the drill that you left at question \(min(open.done + 1, open.count)).")
                }
                let voice = DrillVoice()
                defer { voice.close() }
                let drill = DrillAtHand(begun, of: practising, goesOn: autoAdvance)
                let left =
                    try await !plain && Terminal.isRoomy
                    ? DrillScreen.hold(drill, voice) : DrillLines.hold(drill, voice)
                guard left.isFinished else {
                    print("You answered \(left.drill.done) of \(left.drill.count). To continue: oracy practice")
                    throw ExitCode(75)
                }
            }
        }

        /// Prints why there is nothing to ask, and what the learner can do.
        private func nothing(_ day: PracticeDay) {
            for line in DrillText.today(day) { print(line) }
            print(
                due
                    ? "Nothing is due."
                    : "Done for today. For more: oracy practice --extra, or oracy practice --questions 10")
        }
    }

    struct Packs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "packs",
            abstract: "List the packs and lessons, with your progress.")

        func run() async throws {
            try await failing {
                let now = try await Practising.own.state()
                let (catalogue, history) = (now.content.catalogue, now.history)
                let rows = catalogue.packs.map { pack in
                    let due = DayLoad(.init(packs: [pack.id], onlyDue: true), of: catalogue, history, at: .now)
                    return [
                        pack.id, "\(pack.items.count)", "\(Int(history.progress(of: pack) * 100)) %", "\(due.dueCount)",
                        catalogue.isOpen(pack, history) ? pack.title : "\(pack.title) (not open yet)",
                    ]
                }
                let header = ["PACK", "ITEMS", "DONE", "DUE", "TITLE"]
                for line in ([header] + rows).columns(right: 1...3) { print(line.cleaned) }
            }
        }
    }
}
