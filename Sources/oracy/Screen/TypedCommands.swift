import ExamCore

/// What the candidate types: commands, answers to the one question asked back, and notes.
extension Narration {
    private static let words: [(word: String, action: CandidateAction)] = [
        ("repeat", .repeatQuestion), ("skip", .skipPreparation), ("finish", .finish), ("pause", .pause),
        ("continue", .goOn),
    ]

    /// - Returns: what is said about it at once, and what is asked of the exam.
    mutating func type(_ line: String) -> (lines: [String], wish: Wish?) {
        let line = line.cleaned.split(separator: " ").joined(separator: " ")
        let word = line.lowercased()
        if isWithdrawing {
            isWithdrawing = false
            return word == "yes" ? ([], .event(.withdrawn)) : (["You did not withdraw. The exam goes on."], nil)
        }
        if let action = Self.words.first(where: { $0.word == word })?.action {
            guard desk.actions.contains(action), let event = action.event else {
                return (["Not possible now: \(word)."], nil)
            }
            return ([], .event(event))
        }
        switch word {
        case "": return ([], nil)
        case "help": return (["You can type: \(commands.joined(separator: ", "))."], nil)
        case "level": return ([levelLine], nil)
        case "notes": return (desk.notes.isEmpty ? ["No notes."] : desk.notes.lines.map { glyphs.text($0) }, nil)
        case "leave": return ([], .leave)
        case "withdraw" where desk.actions.contains(.leave):
            isWithdrawing = true
            return (["The exam ends for good; what you said is kept. Type yes to withdraw for good."], nil)
        case "withdraw": return (["Not possible now: withdraw."], nil)
        case _ where desk.notesOpen:
            let before = desk.notes
            desk.write(line: line)
            return ([desk.notes == before ? "The notes are full." : "Noted, line \(desk.notes.lines.count)."], nil)
        default: return (["That is no command. Type help to hear what you can do."], nil)
        }
    }

    /// The words that do something now.
    private var commands: [String] {
        let actions = desk.actions
        let possible = Self.words.filter { actions.contains($0.action) }.map(\.word)
        let leaving = actions.contains(.leave) ? ["leave", "withdraw"] : ["leave"]
        return possible + (desk.notes.isEmpty ? [] : ["notes"]) + ["level"] + leaving + ["help"]
    }

    private var levelLine: String {
        guard let level = desk.level else { return "Nothing was heard yet." }
        return "Microphone: \(LevelWord(level).rawValue)"
            + (level <= -100 ? "." : ", \(glyphs.text("−"))\(Int(-level.rounded())) dB.")
    }
}
