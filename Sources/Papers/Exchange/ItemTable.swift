import ExamCore

/// Items as a spreadsheet table with one question per row.
///
/// An item's own facts (`section`, `title`, `difficulty`, `keywords`, `written_by`) are in its first row, and a lead is
/// in the first row of its frame or discussion. An empty `item` means the item of the row above. The rows of a card
/// have the section `card`, and `part` names the kind of each row.
public enum ItemTable {
    public static let columns = required + optional

    static let required = ["item", "section", "title", "difficulty", "keywords", "question", "bloom"]
    static let optional = ["part", "lead", "follow_up", "easier", "written_by"]

    /// The values of `part` in a card's rows. For a discussion, its id or a number follows the word.
    enum Part: String, CaseIterable {
        case card, point, explain, after, discussion
    }

    /// The columns in the order in which a person reads them.
    private static let written = [
        "item", "section", "title", "difficulty", "keywords", "part", "lead", "question", "bloom", "follow_up",
        "easier",
        "written_by",
    ]

    /// Returns whether a table can hold an item. Items with a picture, a passage, alternatives, answers or another
    /// language need JSON.
    public static func holds(_ item: BankItem) -> Bool {
        guard item.about.language == nil, case .frame(let frame) = item else { return item.about.language == nil }
        return frame.passage == nil && frame.picture == nil
            && frame.questions.allSatisfy { $0.alternatives == nil && $0.answers == nil }
    }

    /// Returns the header and the rows of these items. `holds` must be true of each. Reading the rows gives the same
    /// items.
    public static func rows(of items: [BankItem]) -> [[String]] {
        [written] + items.flatMap { item in rows(of: item).map { row in written.map { row[$0] ?? "" } } }
    }

    private static func rows(of item: BankItem) -> [[String: String]] {
        var rows: [[String: String]]
        switch item {
        case .frame(let frame):
            rows = self.rows(of: frame.questions, lead: frame.lead)
        case .card(let card):
            rows = [row(.card, card.card.topic)] + card.card.points.map { row(.point, $0) }
            rows += [row(.explain, card.card.explain)] + card.roundingOff.map { row(.after, $0) }
            for discussion in card.discussions {
                rows += self.rows(of: discussion.questions, lead: discussion.lead).map { row in
                    row.merging(["part": "\(Part.discussion.rawValue) \(discussion.id)"]) { $1 }
                }
            }
        }
        for place in rows.indices { rows[place]["item"] = item.id }
        let about = item.about
        rows[0].merge([
            "section": item.section, "title": about.title, "difficulty": about.difficulty.rawValue,
            "keywords": about.keywords.joined(separator: ", "), "written_by": about.writtenBy ?? "",
        ]) { $1 }
        return rows
    }

    private static func row(_ part: Part, _ text: String) -> [String: String] {
        ["part": part.rawValue, "question": text]
    }

    private static func rows(of questions: [BankQuestion], lead: String?) -> [[String: String]] {
        var rows = questions.map { question in
            [
                "question": question.text, "bloom": question.bloom.rawValue, "follow_up": question.followUp ?? "",
                "easier": question.rephrased ?? "",
            ]
        }
        if !rows.isEmpty { rows[0]["lead"] = lead ?? "" }
        return rows
    }
}
