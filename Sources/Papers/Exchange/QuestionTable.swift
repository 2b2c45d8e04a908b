public import ExamCore

/// A person's own list of questions as a paper, with one question per row.
///
/// Only `question` is required. `item` separates the frames, and `section` names their section (`topics` by default).
/// An empty cell in either means the value of the row above. Without items, every five questions of a section form a
/// frame.
public enum QuestionTable {
    /// The number of questions that Part 1 has on a topic.
    static let questionsInAFrame = 5

    /// Reads a paper.
    ///
    /// - Parameters:
    ///   - id: the paper's id.
    ///   - title: the title that candidates read.
    public static func paper(_ bytes: [UInt8], id: String, title: String) throws(ImportMistakes) -> Paper {
        let table = ImportTable(
            bytes, required: ["question"], optional: ["item", "section", "lead", "follow_up", "easier"])
        var mistakes = table.mistakes + table.rows.flatMap(\.mistakes)
        guard mistakes.isEmpty else { throw ImportMistakes(mistakes) }
        var frames: [(section: String, frame: Paper.Frame)] = []
        var places: [String: Int] = [:]
        var counts: [String: Int] = [:]
        var (section, item) = ("topics", "")
        for row in table.rows {
            if row["question"].isEmpty {
                mistakes.append(
                    ImportMistake(
                        line: row.line, column: "question", .emptyCell, "write the question, or remove the row"))
            }
            if !row["section"].isEmpty { section = row["section"].label }
            if !row["item"].isEmpty { item = row["item"].label }
            let frameID =
                item.isEmpty ? "\(section)-\(counts[section, default: 0] / questionsInAFrame + 1)" : item
            counts[section, default: 0] += 1
            let place = places[frameID] ?? frames.count
            if place == frames.count {
                frames.append((section, Paper.Frame(id: frameID, questions: [])))
                places[frameID] = place
            }
            if frames[place].section != section {
                mistakes.append(
                    ImportMistake(
                        line: row.line, column: "section", value: section, .contradiction,
                        "\"\(frameID)\" is already in \(frames[place].section): choose another item"))
            }
            let lead = row["lead"].isEmpty ? nil : Paper.Prompt(text: row["lead"])
            if let lead, frames[place].frame.questions.isEmpty {
                frames[place].frame.lead = lead
            } else if let lead, lead != frames[place].frame.lead {
                mistakes.append(
                    ImportMistake(
                        line: row.line, column: "lead", value: lead.text, .contradiction,
                        "write the lead of a frame in its first row"))
            }
            frames[place].frame.questions.append(
                question(row, id: "\(frameID)-\(frames[place].frame.questions.count + 1)"))
        }
        guard mistakes.isEmpty else { throw ImportMistakes(mistakes) }
        return Paper(
            id: id, title: title, sections: Dictionary(grouping: frames, by: \.section).mapValues { $0.map(\.frame) })
    }

    private static func question(_ row: ImportTable.Row, id: String) -> Paper.Question {
        Paper.Question(
            id: id, text: row["question"],
            rephrased: row["easier"].isEmpty ? nil : [Paper.Prompt(text: row["easier"])],
            followUp: row["follow_up"].isEmpty ? nil : Paper.Prompt(text: row["follow_up"]))
    }

    /// Returns a name in the form of ids of papers, frames and sections: `My town` → `my-town`.
    public static func label(_ name: String) -> String { name.label }
}

extension String {
    fileprivate var label: String {
        // Letters of other alphabets become their numbers, so that different names stay different.
        let plain = lowercased().unicodeScalars.map { scalar in
            scalar.isASCII || !scalar.properties.isAlphabetic ? String(scalar) : String(scalar.value, radix: 16)
        }
        let pieces = plain.joined().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let label = String(pieces.joined(separator: "-").prefix(40))
        return label.isEmpty ? "questions" : label
    }
}
