import Assessment
import ExamCore
import SessionFolders
import SystemSupport

/// The dialogue with a marker: input lines to output lines and playback requests. Pure: it plays and writes nothing
/// itself.
struct MarkDesk {
    enum Playing: Equatable {
        /// Plays the take at this index, from a position within it.
        case play(Int, from: Duration)
        case stop
    }

    enum End: Equatable { case save, leave }

    struct Step: Equatable {
        var say: [String] = []
        var play: Playing?
        var end: End?
    }

    private(set) var draft: MarkDraft
    private let questions: [String: String]
    /// The answer that was played last, and the position at which it was paused.
    private var listened: (take: Int, at: Duration)?

    /// - Parameter questions: The texts by the question's id.
    init(_ draft: MarkDraft, questions: [String: String]) {
        self.draft = draft
        self.questions = questions
    }

    var welcome: [String] {
        let own = marks.isEmpty ? [] : ["Your marks so far: " + marks]
        return list + [""] + own + [
            "Type an answer's number to hear it, \"help\" for other commands, \"save\" to finish.",
            "Other people's marks and all measurements stay hidden until you save yours.",
        ]
    }

    /// - Parameter place: The listener's position in the answer that is playing; nil if no answer is playing.
    mutating func handle(_ line: String, playingAt place: Duration?) -> Step {
        if let place, let listened { self.listened = (listened.take, place) }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        guard let command = words.first?.lowercased() else { return pauseOrGoOn(isPlaying: place != nil) }
        if let number = Int(command) { return hear(number) }
        switch command {
        case "b", "back": return back()
        case "s", "stop": return Step(play: .stop)
        case "c", "comment": return comment(rest)
        case "d", "descriptors": return Step(say: descriptors(rest))
        case "l", "list": return Step(say: list)
        case "save": return save()
        case "quit", "q": return Step(play: .stop, end: .leave)
        case "h", "help", "?": return Step(say: Self.help)
        default: return mark(command, rest)
        }
    }

    static let help = [
        "  3                     hear answer 3; Enter pauses and continues",
        "  back                  go back 3 s",
        "  stop                  stop playing",
        "  fluency 6.5           mark fluency, vocabulary, grammar or pronunciation; or topic",
        "  descriptors fluency 6 describe a band; without a number, all bands",
        "  comment looks for a word   comment on the moment that you hear",
        "  comment part2_q1@12.5: looks for a word",
        "  list, save, quit      quit discards what you have not saved",
    ]

    // MARK: - Listening

    private mutating func hear(_ number: Int) -> Step {
        guard draft.takes.indices.contains(number - 1) else {
            return Step(say: ["There is no answer \(number). Choose 1 to \(draft.takes.count)."])
        }
        listened = (number - 1, .zero)
        return Step(say: [question(of: draft.takes[number - 1])], play: .play(number - 1, from: .zero))
    }

    private mutating func pauseOrGoOn(isPlaying: Bool) -> Step {
        guard let listened else { return Step(say: ["Type an answer's number to hear it."]) }
        let moment = "\(draft.takes[listened.take].record.name) at \(listened.at.seconds)"
        return isPlaying
            ? Step(say: ["Paused: \(moment)."], play: .stop) : Step(play: .play(listened.take, from: listened.at))
    }

    private mutating func back() -> Step {
        guard let listened else { return Step(say: ["Type an answer's number to hear it."]) }
        let start = max(.zero, listened.at - .seconds(3))
        self.listened = (listened.take, start)
        return Step(play: .play(listened.take, from: start))
    }

    // MARK: - Marking

    private mutating func mark(_ name: String, _ text: String) -> Step {
        let traits = MarkedTrait.allCases.filter { $0.rawValue.lowercased().hasPrefix(name) }
        guard traits.count == 1, let trait = traits.first else {
            return Step(say: ["\"\(name.cleaned)\" is not a command. Type \"help\" to list the commands."])
        }
        guard let band = Double(text), HalfBand.isOne(band) else {
            return Step(say: ["\"\(text.cleaned)\" is not a half band. Marks are 0, 0.5, 1 … 9."])
        }
        if let criterion = trait.criterion {
            draft.sheet.bands[criterion] = band
        } else {
            draft.sheet.topicRelevance = band
        }
        let sentences = trait.criterion.map { Rubric.ieltsStyle.sentences(for: $0, band: band) } ?? []
        return Step(say: ["\(trait.rawValue) \(band.asMark)"] + sentences.map { "  " + $0 })
    }

    private mutating func comment(_ text: String) -> Step {
        do throws(Problem) {
            if text.contains("@") {
                try draft.add(comment: text)
            } else if let listened {
                let at = Double(listened.at.milliseconds) / 1000
                let comment = MarkComment(answer: draft.takes[listened.take].record.name, at: at, text: text.cleaned)
                try draft.add(comment)
            } else {
                throw Problem(.malformed, "listen to an answer first, or write comment part2_q1@12.5: what you heard")
            }
        } catch {
            return Step(say: [error.sentence])
        }
        let comment = draft.sheet.comments.last
        return Step(say: [comment.map { "\($0.answer) at \($0.at) s: \($0.text)" } ?? ""])
    }

    private func save() -> Step {
        do throws(Problem) {
            try draft.check()
        } catch {
            return Step(say: [error.sentence])
        }
        if draft.sheet.bands.isEmpty && draft.sheet.topicRelevance == nil && draft.sheet.comments.isEmpty {
            return Step(say: ["There is nothing to save yet. Mark a criterion (fluency 6.5), or quit."])
        }
        return Step(play: .stop, end: .save)
    }

    // MARK: - Words

    private var list: [String] {
        var rows = [["", "answer", "length", "question"]]
        for (index, take) in draft.takes.enumerated() {
            rows.append(["\(index + 1)", take.record.name, take.duration.duration.seconds, question(of: take)])
        }
        return rows.columns(right: 2...2, shrinking: 3)
    }

    private func question(of take: StoredTake) -> String {
        (questions[take.record.question] ?? take.record.questionWords).cleaned
    }

    private var marks: String {
        let bands = Criterion.allCases.compactMap { criterion in
            draft.sheet.bands[criterion].map { "\(criterion.rawValue) \($0.asMark)" }
        }
        return (bands + (draft.sheet.topicRelevance.map { ["topic \($0.asMark)"] } ?? [])).joined(separator: ", ")
    }

    private func descriptors(_ text: String) -> [String] {
        let words = text.lowercased().split(separator: " ")
        guard let name = words.first, let criterion = Criterion.allCases.first(where: { $0.rawValue.hasPrefix(name) })
        else { return ["Name a criterion: descriptors fluency, vocabulary, grammar or pronunciation."] }
        guard words.count > 1 else {
            let bands = (Rubric.ieltsStyle.descriptors[criterion] ?? [:]).sorted { $0.key > $1.key }
            return [criterion.title] + bands.map { "  \($0.key)  \($0.value)" }
        }
        guard let band = Double(words[1]), HalfBand.isOne(band) else {
            return ["\"\(words[1].cleaned)\" is not a half band. Marks are 0, 0.5, 1 … 9."]
        }
        return ["\(criterion.title), \(band.asMark)"]
            + Rubric.ieltsStyle.sentences(for: criterion, band: band).map { "  " + $0 }
    }
}

extension Double {
    /// The mark with at most two decimals: `6`, `6.5`, `6.75`.
    var asMark: String {
        let hundredths = Int((self * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
