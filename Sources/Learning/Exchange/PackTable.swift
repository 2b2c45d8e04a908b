import ExamCore
import Papers

/// Questions with keys as a table for a spreadsheet: a row a question, which has the columns of its kind.
///
/// ```
/// id,topic,difficulty,prompt,kind,option_1,option_2,correct,explanation
/// rain-1,rain,Easy,"It never rains ___, but it pours.",multipleChoice,and,but,2,"The saying goes …"
/// ```
///
/// `correct` is an option's number, from 1, or its text. Variants and units have `|` between them; `\|` is one of theirs.
public enum PackTable {
    public static let columns = required + optional

    static let required = ["prompt"]
    static let optional =
        ["id", "topic", "difficulty", "bloom", "kind"] + options
        + ["correct", "accepted", "value", "tolerance", "units", "speech", "explanation", "written_by"]

    static let options = (1...9).map { "option_\($0)" }

    /// What a row asks for; its columns are filled and no other kind's.
    enum Kind: String, CaseIterable {
        case multipleChoice, fillInTheBlank, calculation, spoken

        var columns: [String] {
            switch self {
            case .multipleChoice: PackTable.options + ["correct"]
            case .fillInTheBlank: ["accepted"]
            case .calculation: ["value", "tolerance", "units"]
            case .spoken: ["speech"]
            }
        }
    }

    /// In the order in which a person reads them.
    private static let written =
        ["id", "topic", "difficulty", "bloom", "prompt", "kind"] + options
        + ["correct", "accepted", "value", "tolerance", "units", "speech", "explanation", "written_by"]

    /// The line of columns, and a row a question.
    public static func rows(of questions: [PracticeQuestion]) -> [[String]] {
        [written]
            + questions.map { question in
                let row = row(of: question)
                return written.map { row[$0] ?? "" }
            }
    }

    private static func row(of question: PracticeQuestion) -> [String: String] {
        var row = [
            "id": question.id, "topic": question.topic, "difficulty": question.difficulty.rawValue,
            "bloom": question.bloom?.rawValue ?? "", "prompt": question.prompt, "explanation": question.explanation,
            "written_by": question.writtenBy ?? "",
        ]
        switch question.key {
        case .multipleChoice(let key):
            row["kind"] = Kind.multipleChoice.rawValue
            for (column, option) in zip(options, key.options) { row[column] = option }
            let isAmbiguous = key.options.contains { Int($0) != nil }
            row["correct"] = (isAmbiguous ? "option_" : "") + "\(key.correct + 1)"
        case .fillInTheBlank(let key):
            row["kind"] = Kind.fillInTheBlank.rawValue
            row["accepted"] = Variants.text(of: key.accepted)
        case .calculation(let key):
            row["kind"] = Kind.calculation.rawValue
            row["value"] = key.value.plain
            row["tolerance"] = key.tolerance?.plain ?? ""
            row["units"] = Variants.text(of: key.units ?? [])
        case .spoken(let key):
            row["kind"] = Kind.spoken.rawValue
            row["speech"] = key.speech.plain
        }
        return row
    }

    /// Where a finding of a rule is in the table: `options[2]` → `option_3`.
    static func column(of field: String) -> String {
        guard field.hasPrefix("options["), let place = Int(field.dropFirst(8).dropLast()) else { return field }
        return "option_\(place + 1)"
    }
}

/// Texts in one, with `|` between them.
enum Variants {
    static func text(of variants: [String]) -> String {
        variants.map { $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|") }.joined(separator: "|")
    }

    /// Those that have something.
    static func variants(in text: String) -> [String] {
        var variants = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false): isEscaped = true
            case ("|", false): variants.append(.init())
            default:
                // Before anything else it is a backslash and no more.
                if isEscaped, scalar != "\\", scalar != "|" { variants[variants.count - 1].append("\\") }
                variants[variants.count - 1].append(scalar)
                isEscaped = false
            }
        }
        if isEscaped { variants[variants.count - 1].append("\\") }
        return variants.map { String(String($0)[...].trimmed) }.filter { !$0.isEmpty }
    }
}

extension Double {
    /// As people write it: 110, and not 110.0.
    var plain: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
