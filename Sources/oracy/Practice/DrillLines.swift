import Glibc
import Learning
import Papers

/// A drill that is printed line by line, for screen readers, pipes and small windows.
struct DrillLines {
    private var drill: DrillAtHand
    private let voice: DrillVoice

    /// Holds a drill until it is finished or the learner leaves it.
    ///
    /// - Returns: The drill in its last state.
    static func hold(_ drill: DrillAtHand, _ voice: DrillVoice) async throws -> DrillAtHand {
        var held = DrillLines(drill: drill, voice: voice)
        try await held.hold()
        return held.drill
    }

    private mutating func hold() async throws {
        while true {
            switch drill.sheet {
            case .shown(let question): say(DrillText.shown(question) + ["Press Enter to continue."])
            case .asked(let question):
                say([""] + DrillText.question(question.asked, try await drill.place()))
                await voice.say(question) { complain("note: \($0)") }
            case .told(let verdict, let question, let goesOn):
                say(DrillText.explanation(verdict, question))
                guard goesOn else { break }
                try await Task.sleep(for: .seconds(Drill.autoAdvance))
                try await drill.next()
                continue
            case .finished:
                say([""] + (try await drill.end()))
                return
            }
            guard try await goOn() else {
                if drill.isFinished { say([""] + (try await drill.end())) }
                return
            }
        }
    }

    /// Reads lines until one of them leads to another sheet.
    ///
    /// - Returns: False if the learner leaves.
    private mutating func goOn() async throws -> Bool {
        while true {
            print(drill.asked != nil ? "> " : "Enter continues, q leaves: ", terminator: "")
            fflush(nil)
            guard let line = readLine() else {
                print("")
                return false
            }
            let word = line.lowercased().filter { !$0.isWhitespace }
            if word == "q" || word == "quit" { return false }
            guard let question = drill.asked else {
                try await drill.next()
                return true
            }
            if word == "listen" || word == "l", question.speech != nil {
                await voice.say(question) { complain("note: \($0)") }
                continue
            }
            if let answer = question.asked.answer(typed: line), try await drill.answer(answer) { return true }
            print(question.asked.howToAnswer + " q leaves.")
        }
    }

    private func say(_ lines: [String]) {
        for line in lines { print(line.cleaned) }
    }
}
