import ExamCore
import Learning
import Papers

/// Papers and items as text.
enum PaperText {
    static func of(_ paper: Paper) -> String {
        var lines = [paper.title]
        let facts = [paper.difficulty?.rawValue, paper.description].compactMap { $0 }
        if !facts.isEmpty { lines.append(facts.joined(separator: ". ")) }
        if let origin = paper.origin {
            lines.append(
                "drawn from bank \(origin.bank.prefix(12)) with seed \(origin.seed): \(origin.items.joined(separator: ", "))"
            )
            if !origin.writtenBy.isEmpty {
                lines.append("partly written by \(origin.writtenBy.joined(separator: ", "))")
            }
        }
        for (section, frames) in paper.sections.sorted(by: { $0.key < $1.key }) {
            lines += ["", section]
            for frame in frames {
                if let lead = frame.lead { lines.append("  \(lead.text)") }
                lines += materials(frame.passage?.text, frame.picture)
                for question in frame.questions {
                    if let card = question.card {
                        lines += self.card(card)
                    } else {
                        lines.append("  - \(question.text)\(question.followUp.map { " (\($0.text))" } ?? "")")
                    }
                    lines += alternatives(question.alternatives)
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// - Parameter withAnswers: whether model answers follow each question that has some.
    static func of(_ item: BankItem, withAnswers: Bool = false) -> String {
        let about = item.about
        var lines = [
            about.title,
            "\(item.section), \(about.difficulty.rawValue.lowercased()): \(about.keywords.joined(separator: ", "))",
        ]
        if let model = about.writtenBy { lines.append("written by \(model)") }
        switch item {
        case .frame(let frame):
            if let lead = frame.lead { lines += ["", "  \(lead)"] }
            lines += materials(frame.passage, frame.picture)
            lines += frame.questions.flatMap {
                [line($0)] + alternatives($0.alternatives) + (withAnswers ? answers(to: $0.text) : [])
            }
        case .card(let card):
            lines += [""] + self.card(card.card) + (withAnswers ? answers(to: card.card.topic) : [])
            lines += card.roundingOff.map { "  - \($0)" }
            for discussion in card.discussions {
                lines += ["", "  \(discussion.lead)"] + discussion.questions.map(line)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func answers(to question: String) -> [String] {
        ModelAnswers.answers(to: question).flatMap { ["", "    \($0.level.rawValue): \($0.text)", "    (\($0.note))"] }
            + [""]
    }

    private static func line(_ question: BankQuestion) -> String {
        "  - \(question.text)\(question.followUp.map { " (\($0))" } ?? "")  [\(question.bloom.rawValue)]"
    }

    /// The passage and the picture that go with the questions.
    private static func materials(_ passage: String?, _ picture: Paper.Picture?) -> [String] {
        [passage.map { "  Heard: \($0)" }, picture.map { "  The picture: \($0.description)" }].compactMap { $0 }
    }

    private static func alternatives(_ alternatives: [Paper.Alternative]?) -> [String] {
        zip(["A", "B"], alternatives ?? []).map { letter, alternative in
            "    \(letter), \(alternative.title): \(alternative.points.joined(separator: "; "))"
        }
    }

    private static func card(_ card: Paper.Card) -> [String] {
        ["  \(card.topic)"] + card.points.map { "    - \($0)" } + ["    \(card.explain)"]
    }
}
