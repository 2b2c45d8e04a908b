import Papers
import SystemSupport

/// The treatment of the elements and attributes of an item of QTI, by the names of QTI 3. Names are `element` and
/// `element@attribute`. `*` is any element of the body.
///
/// Attributes that begin with `data-` or `aria-` are harmless: programs and screen readers use them, and they add
/// nothing to what is shown.
public enum QTIContract {
    public static let contract = ImportContract(
        understood: [
            "qti-assessment-item", "qti-assessment-item@identifier", "qti-assessment-item@title",
            "qti-assessment-item@adaptive", "qti-assessment-item@time-dependent",
            "qti-response-declaration", "qti-response-declaration@identifier", "qti-response-declaration@cardinality",
            "qti-response-declaration@base-type", "qti-correct-response", "qti-value",
            "qti-mapping", "qti-mapping@default-value", "qti-map-entry", "qti-map-entry@map-key",
            "qti-map-entry@mapped-value", "qti-outcome-declaration", "qti-outcome-declaration@identifier",
            "qti-default-value", "qti-item-body", "qti-rubric-block", "qti-rubric-block@view", "qti-content-body",
            "qti-choice-interaction", "qti-choice-interaction@response-identifier",
            "qti-choice-interaction@max-choices", "qti-prompt", "qti-simple-choice", "qti-simple-choice@identifier",
            "qti-order-interaction", "qti-order-interaction@response-identifier", "qti-match-interaction",
            "qti-match-interaction@response-identifier", "qti-simple-match-set", "qti-simple-associable-choice",
            "qti-simple-associable-choice@identifier",
            "qti-text-entry-interaction", "qti-text-entry-interaction@response-identifier",
            "qti-response-processing", "qti-response-processing@template", "qti-response-condition",
            "qti-response-if", "qti-response-else-if", "qti-response-else", "qti-set-outcome-value",
            "qti-set-outcome-value@identifier", "qti-match", "qti-equal", "qti-equal@tolerance-mode",
            "qti-equal@tolerance", "qti-string-match", "qti-and", "qti-or", "qti-gte", "qti-lte", "qti-is-null",
            "qti-variable", "qti-variable@identifier", "qti-correct", "qti-correct@identifier", "qti-base-value",
            "qti-base-value@base-type", "qti-map-response", "qti-map-response@identifier", "qti-sum",
            "qti-not", "qti-equal@include-lower-bound",
            "qti-equal@include-upper-bound",
            "qti-modal-feedback", "qti-modal-feedback@identifier", "qti-modal-feedback@show-hide",
            "qti-feedback-block", "qti-feedback-block@identifier", "qti-feedback-block@show-hide",
            "qti-feedback-inline", "qti-feedback-inline@identifier", "qti-feedback-inline@show-hide",
            "p", "div", "span", "br", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
        ],
        harmless: [
            "em": "the words stay, without emphasis", "strong": "the words stay, without emphasis",
            "b": "the words stay, without emphasis", "i": "the words stay, without emphasis",
            "u": "the words stay, without emphasis", "small": "the words stay, in the usual size",
            "qti-stylesheet": "only changes the look", "qti-stylesheet@href": "only changes the look",
            "qti-stylesheet@type": "only changes the look", "qti-stylesheet@media": "only changes the look",
            "qti-stylesheet@title": "only changes the look",
            "qti-response-condition without SCORE": "only chooses feedback",
            "qti-catalog-info": "offers alternatives such as a translation or spoken text",
            "*@id": "is not shown", "*@class": "only changes the look", "*@lang": "is not shown",
            "*@label": "is not shown", "*@dir": "the letters decide the direction", "*@role": "is not shown",
            "qti-assessment-item@label": "is not shown", "qti-assessment-item@lang": "is not shown",
            "qti-assessment-item@tool-name": "is not shown", "qti-assessment-item@tool-version": "is not shown",
            "qti-assessment-item@schemaLocation": "names the rules of the format",
            "qti-correct-response@interpretation": "explains the answer to teachers",
            "qti-mapping@lower-bound": "an answer is right or wrong",
            "qti-mapping@upper-bound": "an answer is right or wrong",
            "qti-map-entry@case-sensitive": "blanks ignore case",
            "qti-string-match@case-sensitive": "blanks ignore case",
            "qti-outcome-declaration@cardinality": "an answer is right or wrong",
            "qti-outcome-declaration@base-type": "an answer is right or wrong",
            "qti-outcome-declaration@interpretation": "is not shown",
            "qti-outcome-declaration@long-interpretation": "is not shown",
            "qti-outcome-declaration@normal-maximum": "an answer is right or wrong",
            "qti-outcome-declaration@normal-minimum": "an answer is right or wrong",
            "qti-outcome-declaration@mastery-value": "an answer is right or wrong",
            "qti-outcome-declaration@external-scored": "an answer is right or wrong",
            "qti-outcome-declaration@view": "is not shown",
            "qti-rubric-block@use": "names the kind of text",
            "qti-choice-interaction@shuffle": "options are reordered each time",
            "qti-choice-interaction@min-choices": "one option must be chosen",
            "qti-order-interaction@shuffle": "options are reordered each time",
            "qti-order-interaction@orientation": "only changes the look",
            "qti-match-interaction@shuffle": "options are reordered each time",
            "qti-match-interaction@max-associations": "each choice gets one option",
            "qti-match-interaction@min-associations": "each choice gets one option",
            "qti-simple-associable-choice@match-max": "each choice gets one option",
            "qti-simple-associable-choice@match-min": "each choice gets one option",
            "qti-simple-associable-choice@fixed": "options are reordered each time",
            "qti-choice-interaction@orientation": "only changes the look",
            "qti-simple-choice@fixed": "options are reordered each time",
            "qti-text-entry-interaction@expected-length": "any answer may be typed",
            "qti-text-entry-interaction@placeholder-text": "only shows where to type",
            "qti-text-entry-interaction@pattern-mask": "only limits what may be typed",
            "qti-text-entry-interaction@patternmask-message": "only limits what may be typed",
            "qti-modal-feedback@outcome-identifier": "follows from the answer",
            "qti-modal-feedback@title": "the feedback itself stays",
            "qti-feedback-block@outcome-identifier": "follows from the answer",
            "qti-feedback-inline@outcome-identifier": "follows from the answer",
        ],
        refused: [
            "qti-assessment-stimulus-ref": "a passage in another file is not supported: write it into the question",
            "qti-companion-materials-info": "calculators, rulers and other materials are not supported: leave them out",
            "qti-template-declaration": "values that change each time are not supported: write the numbers",
            "qti-template-processing": "values that change each time are not supported: write the numbers",
            "qti-template-block": "values that change each time are not supported: write the numbers",
            "qti-template-inline": "values that change each time are not supported: write the numbers",
            "qti-printed-variable": "values that change each time are not supported: write the numbers",
            "qti-area-mapping": "points for areas of a picture are not supported",
            "qti-match-table": "points by a table are not supported: an answer is right or wrong",
            "qti-interpolation-table": "points by a table are not supported: an answer is right or wrong",
            "qti-equal-rounded": "rounding is not supported: write the smallest and largest right numbers",
            "qti-gt": "exclusive bounds are not supported: use qti-gte",
            "qti-lt": "exclusive bounds are not supported: use qti-lte",
            "qti-string-match@substring": "matching parts of an answer is not supported: write each right answer",
            "qti-text-entry-interaction@base": "bases other than 10 are not supported",
            "qti-text-entry-interaction@string-identifier": "a second response for the typed text is not supported",
            "sub": "subscripts are not supported: write plain words",
            "sup": "superscripts are not supported: write plain words",
            "img": "pictures are not supported: describe them in words",
            "math": "formulas are not supported: write them in words",
            "object": "media are not supported", "audio": "sounds are not supported",
            "video": "films are not supported",
            "table": "tables are not supported: write plain words", "ul": "lists are not supported: write plain words",
            "ol": "lists are not supported: write plain words",
            "pre": "preformatted text is not supported: write plain words",
        ])

    /// Checks an element and its attributes, without those inside it.
    ///
    /// - Throws: a mistake that names what is neither understood nor harmless.
    static func check(_ node: XMLNode) throws(ImportMistake) {
        if let remedy = contract.remedy(node.name) { throw node.wrong(.notRead, remedy) }
        for name in node.attributes.keys.sorted() where !name.hasPrefix("data-") && !name.hasPrefix("aria-") {
            let own = "\(node.name)@\(name)"
            if contract.ignores("*@\(name)") { continue }
            if let remedy = contract.remedy(own) {
                throw ImportMistake(
                    line: node.line, "<\(node.name) \(name)>", node.attributes[name] ?? "", .notRead, remedy)
            }
        }
    }

    /// Checks an element and all elements in it.
    static func checkAll(_ node: XMLNode) throws(ImportMistake) {
        try check(node)
        // The content of a harmless element in the head is harmless as well.
        if ["qti-stylesheet", "qti-catalog-info"].contains(node.name) { return }
        for child in node.children { try checkAll(child) }
    }
}

extension XMLNode {
    func wrong(_ code: ImportMistake.QuestionCode, _ what: String) -> ImportMistake {
        ImportMistake(line: line, "<\(name)>", "", code, what)
    }

    /// Checks that all elements directly inside this one are of these kinds, and that there is no text between them.
    func checkChildren(_ names: Set<String>) throws(ImportMistake) {
        for child in children where !names.contains(child.name) {
            throw child.wrong(.notRead, "is not supported inside <\(name)>")
        }
        let hasText = content.contains {
            if case .text(let text) = $0 { !text.allSatisfy(\.isWhitespace) } else { false }
        }
        if hasText { throw wrong(.notRead, "has text outside its elements: put it into one of them") }
    }
}
