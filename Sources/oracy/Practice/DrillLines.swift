import Glibc
import Learning
import Papers
import StudyFolders

/// A drill as lines, for screen readers, pipes and small windows.
struct DrillLines {
    let run: DrillRun
    let voice: DrillVoice

    /// - Returns: Whether the drill was finished.
    func hold() async throws -> Bool {
        var commands = try run.begin()
        while true {
            var goesOn = false
            for command in commands {
                switch command {
                case .show(let question): say(DrillText.shown(question) + ["Press Enter to continue."])
                case .ask(let question):
                    say([""] + DrillText.question(question.asked, DrillText.place(run.drill, of: run.catalogue)))
                    await voice.say(question) { complain("note: \($0)") }
                case .explain(let verdict, let question): say(DrillText.explanation(verdict, question))
                case .goOn(let seconds):
                    goesOn = true
                    try await Task.sleep(for: .seconds(seconds))
                case .finish(let summary):
                    say([""] + DrillText.finished(summary, run.history, at: .now))
                    return true
                case .keep: break
                }
            }
            commands = try goesOn ? run.handle(.next) : await next()
            if run.drill.phase == .left { return false }
        }
    }

    /// Reads a line and returns the commands that follow from it.
    private func next() async throws -> [Drill.Command] {
        while true {
            print(run.drill.phase == .asking ? "> " : "Enter continues, q leaves: ", terminator: "")
            fflush(nil)
            guard let line = readLine() else {
                print("")
                return try run.handle(.leave)
            }
            let word = line.lowercased().filter { !$0.isWhitespace }
            if word == "q" || word == "quit" { return try run.handle(.leave) }
            guard run.drill.phase == .asking, let question = run.drill.question else { return try run.handle(.next) }
            if word == "listen" || word == "l", question.speech != nil {
                await voice.say(question) { complain("note: \($0)") }
                continue
            }
            guard let answer = question.asked.answer(typed: line) else {
                print(question.asked.howToAnswer + " q leaves.")
                continue
            }
            do {
                return try run.answer(answer)
            } catch is IllegalEvent {
                print(question.asked.howToAnswer + " q leaves.")
            }
        }
    }

    private func say(_ lines: [String]) {
        for line in lines { print(line.cleaned) }
    }
}
