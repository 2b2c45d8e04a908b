import ExamCore
import Papers
import SystemSupport

/// Reads an item of QTI in plain words: a choice of one or several options, an order, pairs, or typed text. The names are those of QTI 3: `QTI2`
/// translates older items.
///
/// Every element and attribute is understood, harmless or refused by name: see `QTIContract`. `QTIScoring` says what is
/// right.
enum QTIReader {
    static let choice = "qti-choice-interaction"
    static let entry = "qti-text-entry-interaction"
    static let order = "qti-order-interaction"
    static let match = "qti-match-interaction"
    /// The interactions whose content is a list of choices.
    static let lists: Set<String> = [choice, order, match]

    static func question(_ item: XMLNode) throws(ImportMistake) -> ReadQuestion {
        guard item.name == "qti-assessment-item" else {
            throw item.wrong(
                .notRead, "is not an item of QTI; it should be <qti-assessment-item> or <assessmentItem>")
        }
        try QTIContract.check(item)
        for flag in ["adaptive", "time-dependent"] where item.attributes[flag] == "true" {
            throw item.wrong(
                .notRead, "\(flag)=\"true\" is not supported: a question is answered once, without a limit")
        }
        try item.checkChildren([
            "qti-response-declaration", "qti-outcome-declaration", "qti-item-body", "qti-response-processing",
            "qti-modal-feedback", "qti-stylesheet", "qti-catalog-info",
            // Refused below, with their own remedies.
            "qti-assessment-stimulus-ref", "qti-companion-materials-info", "qti-template-declaration",
            "qti-template-processing",
        ])
        for child in item.children where child.name != "qti-response-processing" { try QTIContract.checkAll(child) }
        try checkOutcomes(item)
        let bodies = item.children("qti-item-body")
        guard let whole = bodies.first, bodies.count == 1 else { throw item.wrong(.missing, "has no <qti-item-body>") }
        let body = QTIBody(whole)
        let interactions = [choice, order, match, entry].flatMap { whole.all($0) }
        guard let interaction = interactions.first, interactions.count == 1 else {
            throw whole.wrong(.notRead, "has \(interactions.count) interactions, but only one is supported")
        }
        try checkPlaces(whole)
        let declared = item.children("qti-response-declaration")
        guard
            let own = declared.first(where: {
                $0.attributes["identifier"] == interaction.attributes["response-identifier"]
            }), let response = own.attributes["identifier"]
        else {
            throw interaction.wrong(.key, "names no <qti-response-declaration>, so the right answer is unknown")
        }
        if let other = declared.first(where: { $0 != own }) {
            throw other.wrong(.notRead, "declares another answer, but only one is supported")
        }
        try own.checkChildren(["qti-correct-response", "qti-mapping"])
        let right = QTIKey(own, interaction, try QTIScoring.of(item, response: response))
        let key = try right.key()
        let data = interaction.attributes
        return ReadQuestion(
            line: item.line, id: item.attributes["identifier"]?.questionID, title: item.attributes["title"],
            topic: data["data-topic"]?.lowercased(),
            difficulty: data["data-difficulty"].flatMap(Paper.Difficulty.init(importWord:)),
            bloom: data["data-bloom"].flatMap(Bloom.init), prompt: body.prompt(interaction), key: key,
            explanation: body.explanation ?? feedback(in: item, for: right.rightOption),
            writtenBy: data["data-written-by"])
    }

    /// Checks that no outcome gives points without an answer.
    private static func checkOutcomes(_ item: XMLNode) throws(ImportMistake) {
        for outcome in item.children("qti-outcome-declaration") {
            try outcome.checkChildren(["qti-default-value", "qti-match-table", "qti-interpolation-table"])
            let points = outcome.children("qti-default-value").first.flatMap { Double($0.text) } ?? 0
            if outcome.attributes["identifier"] == "SCORE", points > 0 {
                throw outcome.wrong(.notRead, "gives points without an answer")
            }
        }
    }

    /// Checks that elements with a meaning are where it applies, and that feedback is hidden until the answer.
    private static func checkPlaces(_ node: XMLNode) throws(ImportMistake) {
        if [choice, order].contains(node.name) { try node.checkChildren(["qti-prompt", "qti-simple-choice"]) }
        if node.name == match { try node.checkChildren(["qti-prompt", "qti-simple-match-set"]) }
        if node.name == "qti-simple-match-set" { try node.checkChildren(["qti-simple-associable-choice"]) }
        for child in node.children {
            let parents: Set<String>
            switch child.name {
            case "qti-prompt": parents = lists
            case "qti-simple-choice": parents = [choice, order]
            case "qti-simple-match-set": parents = [match]
            case "qti-simple-associable-choice": parents = ["qti-simple-match-set"]
            case "qti-content-body": parents = ["qti-rubric-block", "qti-feedback-block", "qti-modal-feedback"]
            case let name where !QTIContract.isOfBody(name):
                throw child.wrong(.notRead, "is not supported inside <\(node.name)>")
            default: parents = [node.name]
            }
            guard parents.contains(node.name) else {
                throw child.wrong(.notRead, "is not supported inside <\(node.name)>")
            }
            if child.isFeedback, child.attributes["show-hide"] == "hide" {
                throw child.wrong(.notRead, "is shown before the answer: make it a paragraph")
            }
            try checkPlaces(child)
        }
    }

    /// Returns the feedback on the right option. Feedback on other options is left out: a question has one explanation.
    private static func feedback(in item: XMLNode, for option: String?) -> String? {
        guard let option else { return nil }
        let told = ["qti-modal-feedback", "qti-feedback-block", "qti-feedback-inline"].flatMap { item.all($0) }
        let text = told.first { $0.attributes["identifier"] == option && $0.attributes["show-hide"] != "hide" }?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension XMLNode {
    var isFeedback: Bool { ["qti-modal-feedback", "qti-feedback-block", "qti-feedback-inline"].contains(name) }
}
