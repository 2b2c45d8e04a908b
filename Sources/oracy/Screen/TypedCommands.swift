import ExamCore

/// The lines that the candidate types: commands, the answer to a question, and notes.
extension Narration {
    /// - Returns: The lines to print at once, and the request to the exam.
    mutating func type(_ line: String) -> (lines: [String], action: CandidateAction?) {
        let line = line.cleaned.split(separator: " ").joined(separator: " ")
        let word = line.lowercased()
        if isWithdrawing {
            isWithdrawing = false
            return word == "yes" ? ([], .wish(.withdraw)) : (["You did not withdraw. The exam goes on."], nil)
        }
        if let wish = Wish(rawValue: word), wish != .withdraw {
            return desk.allowed.contains(wish) ? ([], .wish(wish)) : (["Not possible now: \(word)."], nil)
        }
        switch word {
        case "": return ([], nil)
        case "help": return (["You can type: \(commands.joined(separator: ", "))."], nil)
        case "level": return ([levelLine], nil)
        case "uploads" where desk.uploads != nil: return ([desk.uploads.map { "Uploads: \($0.words)." } ?? ""], nil)
        case "notes": return (desk.notes.isEmpty ? ["No notes."] : desk.notes.lines.map { glyphs.text($0) }, nil)
        case "leave": return ([], .leave)
        case "withdraw" where desk.allowed.contains(.withdraw):
            isWithdrawing = true
            return (["The exam ends for good; what you said is kept. Type yes to withdraw for good."], nil)
        case "withdraw": return (["Not possible now: withdraw."], nil)
        case _ where desk.notesOpen:
            let before = desk.notes
            desk.write(line: line)
            return ([desk.notes == before ? "The notes are full." : "Noted, line \(desk.notes.lines.count)."], nil)
        default: return (["That is not a command. Type help to hear what you can do."], nil)
        }
    }

    /// The commands that are available now.
    private var commands: [String] {
        let possible = Wish.offered.filter(desk.allowed.contains).map(\.rawValue)
        let leaving = desk.allowed.contains(.withdraw) ? ["leave", "withdraw"] : ["leave"]
        let readings = (desk.notes.isEmpty ? [] : ["notes"]) + ["level"] + (desk.uploads == nil ? [] : ["uploads"])
        return possible + readings + leaving + ["help"]
    }

    private var levelLine: String {
        guard let level = desk.level else { return "Nothing was heard yet." }
        return "Microphone: \(LevelWord(level).rawValue)"
            + (level <= -100 ? "." : ", \(glyphs.text("−"))\(Int(-level.rounded())) dB.")
    }
}
