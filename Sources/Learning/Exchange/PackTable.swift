import ExamCore
import Papers

/// Questions with keys as a spreadsheet table: one question per row, which uses the columns of its kind.
///
/// ```
/// id,topic,difficulty,prompt,kind,option_1,option_2,correct,explanation
/// rain-1,rain,Easy,"It never rains ___, but it pours.",multipleChoice,and,but,2,"The saying goes …"
/// ```
///
/// `correct` is an option's number, from 1, or its text. Variants and units are separated by `|`, as are the right
/// options of a `multipleResponse`. The options of an `ordering` are in their right order. Each option of a `matching` is
/// a pair: `premise|option`, or an option without a premise. `\|` is a literal `|`.
public enum PackTable {
    public static let columns = required + optional

    static let required = ["prompt"]
    static let optional =
        ["id", "topic", "difficulty", "bloom", "kind"] + options
        + ["correct", "accepted", "value", "tolerance", "units", "speech", "explanation", "written_by"]

    /// The columns with numbers.
    static let numbers = ["value", "tolerance", "speech"]

    static let options = (1...9).map { "option_\($0)" }

    /// The kind of a row's question. Its columns are filled, and those of other kinds are empty.
    enum Kind: String, CaseIterable {
        case multipleChoice, multipleResponse, ordering, matching, fillInTheBlank, calculation, spoken

        var columns: [String] {
            switch self {
            case .multipleChoice, .multipleResponse: PackTable.options + ["correct"]
            case .ordering, .matching: PackTable.options
            case .fillInTheBlank: ["accepted"]
            case .calculation: ["value", "tolerance", "units"]
            case .spoken: ["speech"]
            }
        }
    }

    /// The columns in the order in which a person reads them.
    private static let written =
        ["id", "topic", "difficulty", "bloom", "prompt", "kind"] + options
        + ["correct", "accepted", "value", "tolerance", "units", "speech", "explanation", "written_by"]

    /// Returns a heading row and one row per question.
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
        case .multipleResponse(let key):
            row["kind"] = Kind.multipleResponse.rawValue
            for (column, option) in zip(options, key.options) { row[column] = option }
            row["correct"] = Variants.text(of: key.correct.map { "option_\($0 + 1)" })
        case .ordering(let key):
            row["kind"] = Kind.ordering.rawValue
            for (column, place) in zip(options, key.correct) { row[column] = key.options[place] }
        case .matching(let key):
            row["kind"] = Kind.matching.rawValue
            let pairs = zip(key.premises, key.correct).map { Variants.text(of: [$0, key.options[$1]]) }
            for (column, text) in zip(options, pairs + key.others.map { Variants.text(of: [$0]) }) {
                row[column] = text
            }
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

    /// Returns the column of the field that a rule's finding names: `options[2]` → `option_3`.
    static func column(of field: String) -> String {
        guard field.hasPrefix("options["), let place = Int(field.dropFirst(8).dropLast()) else { return field }
        return "option_\(place + 1)"
    }
}

/// Several texts in one cell, separated by `|`.
enum Variants {
    static func text(of variants: [String]) -> String {
        variants.map { $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|") }.joined(separator: "|")
    }

    /// Returns the variants that are not empty.
    static func variants(in text: String) -> [String] {
        var variants = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false): isEscaped = true
            case ("|", false): variants.append(.init())
            default:
                // A backslash before any other character is a literal backslash.
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
    /// The number as people write it: 110, not 110.0.
    var plain: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
