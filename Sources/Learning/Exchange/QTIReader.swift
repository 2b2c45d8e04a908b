import ExamCore
import Papers
import SystemSupport

/// Reads a QTI 3 item in plain words: a choice of one option, or typed text.
///
/// An item with anything else is refused with the name of the element, because leaving it out would change the
/// question.
enum QTIReader {
    private static let choice = "qti-choice-interaction"
    private static let entry = "qti-text-entry-interaction"

    static func question(_ item: XMLNode) throws(ImportMistake) -> ReadQuestion {
        guard item.name == "qti-assessment-item" else {
            throw item.wrong(.notRead, "is not a QTI 3 item; it should be <qti-assessment-item>")
        }
        guard let body = item.children("qti-item-body").first else {
            throw item.wrong(.missing, "has no <qti-item-body>")
        }
        if let other = firstUnknown(in: body) {
            throw other.wrong(
                .notRead, "is not supported: use a single choice or a typed text, in plain words")
        }
        let interactions = body.all(choice) + body.all(entry)
        guard let interaction = interactions.first, interactions.count == 1 else {
            throw body.wrong(.notRead, "has \(interactions.count) interactions, but only one is supported")
        }
        let declared = item.children("qti-response-declaration").first {
            $0.attributes["identifier"] == interaction.attributes["response-identifier"]
        }
        guard let declared else {
            throw interaction.wrong(.key, "names no <qti-response-declaration>, so the right answer is unknown")
        }
        let data = interaction.attributes
        return ReadQuestion(
            line: item.line, id: item.attributes["identifier"]?.questionID, title: item.attributes["title"],
            topic: data["data-topic"]?.lowercased(),
            difficulty: data["data-difficulty"].flatMap(Paper.Difficulty.init(importWord:)),
            bloom: data["data-bloom"].flatMap(Bloom.init), prompt: prompt(of: body, interaction),
            key: interaction.name == choice
                ? .multipleChoice(try options(interaction, declared)) : try typed(interaction, declared, in: item),
            explanation: body.all("qti-rubric-block").first?.text, writtenBy: data["data-written-by"])
    }

    /// Returns the first element that is not plain text. Leaving out a picture or a formula would change the question.
    private static func firstUnknown(in node: XMLNode) -> XMLNode? {
        for child in node.children {
            guard known.contains(child.name) else { return child }
            if let unknown = firstUnknown(in: child) { return unknown }
        }
        return nil
    }

    private static let known: Set<String> = [
        choice, entry, "qti-prompt", "qti-simple-choice", "qti-rubric-block", "qti-content-body", "p", "div", "span",
        "em", "strong", "b", "i", "br",
    ]

    // MARK: - Prompt

    private static func prompt(of body: XMLNode, _ interaction: XMLNode) -> String {
        var rest = body
        rest.content = body.content.filter {
            if case .element(let node) = $0 { node.name != choice && node.name != "qti-rubric-block" } else { true }
        }
        let outside = interaction.name == entry ? [rest.withGap.text] : rest.children.map(\.text)
        return (outside + interaction.children("qti-prompt").map(\.text)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: - Key

    private static func options(
        _ interaction: XMLNode, _ declared: XMLNode
    ) throws(ImportMistake) -> AnswerKey.MultipleChoice {
        guard declared.attributes["cardinality"] == "single", interaction.attributes["max-choices"] ?? "1" == "1" else {
            throw interaction.wrong(.notRead, "more than one right option is not supported; leave only one")
        }
        let options = interaction.children("qti-simple-choice")
        let right = declared.children("qti-correct-response").first?.children("qti-value").first?.text
        guard let correct = options.firstIndex(where: { $0.attributes["identifier"] == right }) else {
            throw declared.wrong(.key, "<qti-correct-response> names none of the options")
        }
        return .init(options: options.map(\.text), correct: correct)
    }

    private static func typed(
        _ interaction: XMLNode, _ declared: XMLNode, in item: XMLNode
    ) throws(ImportMistake) -> AnswerKey {
        let values = declared.children("qti-correct-response").flatMap { $0.children("qti-value") }
        switch declared.attributes["base-type"] {
        case "string": return .fillInTheBlank(.init(accepted: try accepted(values, declared)))
        case "integer", "float":
            guard let value = values.first, values.count == 1, declared.children("qti-mapping").isEmpty else {
                throw declared.wrong(.notRead, "\(values.count) right numbers are not supported; leave only one")
            }
            let units = interaction.attributes["data-units"].map(Variants.variants)
            return .calculation(
                .init(value: try number(value.text, value), tolerance: try tolerance(in: item), units: units))
        case let type:
            throw declared.wrong(.notRead, "base-type \"\(type ?? "")\" is not supported: use string, integer or float")
        }
    }

    /// Returns the correct values, and those that the mapping gives the highest number of points.
    private static func accepted(_ values: [XMLNode], _ declared: XMLNode) throws(ImportMistake) -> [String] {
        var entries: [(key: String, points: Double)] = []
        for entry in declared.children("qti-mapping").flatMap({ $0.children("qti-map-entry") }) {
            let points = try number(entry.attributes["mapped-value"] ?? "", entry)
            if points > 0 {
                entries.append((XMLNode("", [:], [.text(entry.attributes["map-key"] ?? "")]).text, points))
            }
        }
        let most = entries.map(\.points).max() ?? 0
        guard entries.allSatisfy({ $0.points == most }) else {
            throw declared.wrong(
                .notRead, "<qti-mapping> with partial points is not supported: an answer is right or wrong")
        }
        var accepted: [String] = []
        for text in values.map(\.text) + entries.map(\.key) where !text.isEmpty && !accepted.contains(text) {
            accepted.append(text)
        }
        return accepted
    }

    /// Returns the tolerance from an equation in the response processing. Nil if no equation states one.
    private static func tolerance(in item: XMLNode) throws(ImportMistake) -> Double? {
        guard let equation = item.children("qti-response-processing").flatMap({ $0.all("qti-equal") }).first else {
            return nil
        }
        switch equation.attributes["tolerance-mode"] ?? "exact" {
        case "exact": return nil
        case "absolute":
            var sides: [Double] = []
            for side in (equation.attributes["tolerance"] ?? "").split(separator: " ") {
                sides.append(try number(String(side), equation))
            }
            guard let first = sides.first, first >= 0, Set(sides).count == 1 else {
                throw equation.wrong(.notRead, "has different tolerances above and below; use the same one")
            }
            return first
        case let mode: throw equation.wrong(.notRead, "tolerance-mode \"\(mode)\" is not supported: use absolute")
        }
    }

    private static func number(_ text: String, _ node: XMLNode) throws(ImportMistake) -> Double {
        if let number = Double(text), number.isFinite { return number }
        throw ImportMistake(line: node.line, node.name, text, .number, "write a number, such as 3 or 0.25")
    }
}

extension XMLNode {
    fileprivate func wrong(_ code: ImportMistake.QuestionCode, _ what: String) -> ImportMistake {
        ImportMistake(line: line, "<\(name)>", "", code, what)
    }

    /// The node with `___` for a field among words. A field alone in its paragraph is not a gap. Paragraphs are
    /// separated by spaces.
    fileprivate var withGap: XMLNode {
        let isAlone = text.isEmpty
        var node = self
        node.content = content.flatMap { content -> [Content] in
            guard case .element(let inner) = content else { return [content] }
            if inner.name == "qti-text-entry-interaction" { return isAlone ? [] : [.text("___")] }
            let isBlock = ["p", "div", "br"].contains(inner.name)
            return isBlock ? [.text(" "), .element(inner.withGap), .text(" ")] : [.element(inner.withGap)]
        }
        return node
    }
}
