import Papers
import SystemSupport

/// The right answers of a QTI item by the meaning of its response processing.
///
/// Oracy understands the templates `match_correct` and `map_response`, and one condition that sets `SCORE`. The
/// condition may compare the answer with a value, with several values in `qti-or`, or with a range that has both ends.
/// Any other rule is refused by its name, because leaving it out would change what is right.
enum QTIScoring: Equatable {
    /// There is no rule: the declaration says what is right.
    case declared
    case correct
    case mapped
    /// One of these values.
    case values([String])
    /// The declared value, give or take these numbers, or these parts of the value in percent.
    case near(below: Double, above: Double, value: Double?, isPercent: Bool)
    case range(Double, Double)

    private static let score = "SCORE"

    /// Reads the rules of an item.
    ///
    /// - Parameter response: the identifier of the answer.
    static func of(_ item: XMLNode, response: String) throws(ImportMistake) -> QTIScoring {
        let processings = item.children("qti-response-processing")
        guard let processing = processings.first else { return .declared }
        guard processings.count == 1 else { throw processing.wrong(.notRead, "is there twice") }
        try QTIContract.check(processing)
        if processing.children.isEmpty {
            guard let template = processing.attributes["template"] else { return .declared }
            let name = template.split(separator: "/").last.map(String.init) ?? ""
            switch name.hasSuffix(".xml") ? String(name.dropLast(4)) : name {
            case "match_correct": return .correct
            case "map_response": return .mapped
            default: throw processing.wrong(.notRead, "the template \(name) is not supported")
            }
        }
        try processing.checkChildren(["qti-response-condition", "qti-set-outcome-value"])
        var found: QTIScoring?
        for rule in processing.children where !rule.setsOtherOutcomes { try QTIContract.checkAll(rule) }
        for rule in processing.withPlainPoints(of: item).children where !rule.setsOtherOutcomes {
            guard let own = try scoring(of: rule, response) else { continue }
            guard found == nil else { throw rule.wrong(.notRead, "only one rule may set \(score)") }
            found = own
        }
        guard let found else { throw processing.wrong(.notRead, "no rule sets \(score)") }
        return found
    }

    // MARK: - Rules

    /// Returns what a rule says of the score. Nil if it only chooses feedback, or sets the score to 0.
    private static func scoring(of rule: XMLNode, _ response: String) throws(ImportMistake) -> QTIScoring? {
        guard rule.name == "qti-response-condition" else {
            guard rule.attributes["identifier"] == score else { return nil }
            guard let points = try points(rule, response) else { return .mapped }
            guard points <= 0 else { throw rule.wrong(.notRead, "gives points for any answer") }
            return nil
        }
        try rule.checkChildren(["qti-response-if", "qti-response-else-if", "qti-response-else"])
        var right: (QTIScoring, points: Double?)?
        // Whether an earlier branch already matched answers that later branches would find right.
        var isTaken = false
        for branch in rule.children {
            guard let (condition, points) = try self.branch(branch, response) else {
                isTaken = isTaken || branch.children.first?.isEmptyAnswer(response) == false
                continue
            }
            if let points, points <= 0 {
                isTaken = isTaken || condition?.isEmptyAnswer(response) != true
                continue
            }
            guard !isTaken else {
                throw branch.wrong(.notRead, "follows a rule for wrong answers: write the right answers first")
            }
            let own: QTIScoring
            if let condition {
                own = try self.condition(condition, response)
                guard points != nil else { throw branch.wrong(.notRead, "maps only some answers") }
            } else {
                guard points == nil else { throw branch.wrong(.notRead, "gives points for any other answer") }
                own = .mapped
            }
            guard let before = right else {
                right = (own, points)
                continue
            }
            guard before.points == points else {
                throw branch.wrong(.notRead, "partial points are not supported: an answer is right or wrong")
            }
            right = (try union(before.0, own, branch), points)
        }
        return right?.0
    }

    /// Returns the condition of a branch, and the points that it gives: nil for those of the mapping. Nil if it sets no
    /// score.
    private static func branch(
        _ branch: XMLNode, _ response: String
    ) throws(ImportMistake) -> (condition: XMLNode?, points: Double?)? {
        var rest = branch.children[...]
        var condition = branch.name == "qti-response-else" ? nil : rest.popFirst()
        if condition?.isAnyAnswer(response) == true { condition = nil }
        if let nested = rest.first(where: { $0.name != "qti-set-outcome-value" }) {
            throw nested.wrong(.notRead, "is not supported inside <\(branch.name)>")
        }
        let sets = rest.filter { $0.attributes["identifier"] == score }
        guard let set = sets.first else { return nil }
        guard sets.count == 1 else { throw set.wrong(.notRead, "sets \(score) twice") }
        return (condition, try points(set, response))
    }

    /// Returns the points that a rule sets. Nil for those of the mapping.
    private static func points(_ set: XMLNode, _ response: String) throws(ImportMistake) -> Double? {
        guard let value = set.children.first, set.children.count == 1 else {
            throw set.wrong(.notRead, "should have one value")
        }
        if value.name == "qti-map-response", value.attributes["identifier"] == response { return nil }
        guard value.name == "qti-base-value" else {
            throw value.wrong(.notRead, "is not supported as a score: use <qti-base-value> or <qti-map-response>")
        }
        return try value.number
    }

    // MARK: - Conditions

    private static func condition(_ node: XMLNode, _ response: String) throws(ImportMistake) -> QTIScoring {
        switch node.name {
        case "qti-match", "qti-string-match":
            guard let value = try comparedValue(node, response) else { return .correct }
            return .values([value.text])
        case "qti-equal": return try equal(node, response)
        case "qti-or":
            var whole: QTIScoring?
            for inner in node.children {
                let own = try condition(inner, response)
                whole = try whole.map { before throws(ImportMistake) in try union(before, own, inner) } ?? own
            }
            guard let whole else { throw node.wrong(.notRead, "is empty") }
            return whole
        case "qti-and":
            let parts = node.children.filter { !$0.isAnyAnswer(response) }
            guard parts.count == 1, !["qti-gte", "qti-lte"].contains(parts[0].name) else {
                return try range(node, response)
            }
            return try condition(parts[0], response)
        default: throw node.wrong(.notRead, "is not supported as a condition")
        }
    }

    private static func union(
        _ one: QTIScoring, _ other: QTIScoring, _ node: XMLNode
    ) throws(ImportMistake) -> QTIScoring {
        if one == other { return one }
        guard case .values(let some) = one, case .values(let more) = other else {
            throw node.wrong(.notRead, "is not supported beside another rule")
        }
        return .values(some + more)
    }

    /// Returns the value with which a condition compares the answer. Nil if it is the declared one.
    private static func comparedValue(_ node: XMLNode, _ response: String) throws(ImportMistake) -> XMLNode? {
        let operands = node.children.filter { !($0.name == "qti-variable" && $0.attributes["identifier"] == response) }
        guard node.children.count == 2, operands.count == 1 else {
            throw node.wrong(.notRead, "should compare the answer \(response) with one value")
        }
        if operands[0].name == "qti-correct", operands[0].attributes["identifier"] == response { return nil }
        guard operands[0].name == "qti-base-value" else {
            throw operands[0].wrong(.notRead, "is not supported inside <\(node.name)>")
        }
        return operands[0]
    }

    private static func equal(_ node: XMLNode, _ response: String) throws(ImportMistake) -> QTIScoring {
        let value = try comparedValue(node, response)
        for end in ["include-lower-bound", "include-upper-bound"] where node.attributes[end] == "false" {
            throw ImportMistake(
                line: node.line, "<\(node.name) \(end)>", "false", .notRead, "exclusive bounds are not supported")
        }
        switch node.attributes["tolerance-mode"] ?? "exact" {
        case "exact":
            guard let value else { return .correct }
            return .values([value.text])
        case "absolute", "relative":
            var sides: [Double] = []
            for side in (node.attributes["tolerance"] ?? "").split(separator: " ") {
                guard let number = Double(side), number.isFinite, number >= 0 else { break }
                sides.append(number)
            }
            guard let below = sides.first, sides.count <= 2 else {
                throw node.wrong(.number, "write the tolerance as a number, such as 0.5")
            }
            return .near(
                below: below, above: sides.last ?? below, value: try value?.number,
                isPercent: node.attributes["tolerance-mode"] == "relative")
        case let mode: throw node.wrong(.notRead, "tolerance-mode=\"\(mode)\" is not supported: use absolute")
        }
    }

    /// Reads a range: the answer is at least one number, and at most another one.
    private static func range(_ node: XMLNode, _ response: String) throws(ImportMistake) -> QTIScoring {
        var (least, most): (Double?, Double?)
        for inner in node.children {
            guard ["qti-gte", "qti-lte"].contains(inner.name), let value = try comparedValue(inner, response) else {
                throw inner.wrong(.notRead, "is not supported inside <qti-and>")
            }
            // "3 is at most the answer" says the same as "the answer is at least 3".
            let isLeast = (inner.name == "qti-gte") == (inner.children[0].name == "qti-variable")
            let number = try value.number
            guard isLeast ? least == nil : most == nil else { throw inner.wrong(.notRead, "is there twice") }
            if isLeast { least = number } else { most = number }
        }
        guard let least, let most, least <= most else { throw node.wrong(.notRead, "should have two ends") }
        return .range(least, most)
    }
}

extension XMLNode {
    /// Whether a rule sets outcomes, but never `SCORE` under any condition. It only chooses feedback.
    fileprivate var setsOtherOutcomes: Bool {
        switch name {
        case "qti-set-outcome-value": ![nil, "SCORE"].contains(attributes["identifier"])
        case "qti-response-condition", "qti-response-else": children.allSatisfy(\.setsOtherOutcomes)
        case "qti-response-if", "qti-response-else-if": children.dropFirst().allSatisfy(\.setsOtherOutcomes)
        default: false
        }
    }

    /// Returns whether the condition holds for every answer that was given.
    fileprivate func isAnyAnswer(_ response: String) -> Bool {
        name == "qti-not" && children.count == 1 && children[0].isEmptyAnswer(response)
    }

    /// Returns whether the condition holds if nothing was answered.
    fileprivate func isEmptyAnswer(_ response: String) -> Bool {
        name == "qti-is-null" && children.count == 1 && children[0].name == "qti-variable"
            && children[0].attributes["identifier"] == response
    }

    /// The number in the element's text.
    fileprivate var number: Double {
        get throws(ImportMistake) {
            if let number = Double(text), number.isFinite { return number }
            throw ImportMistake(line: line, name, text, .number, "write a number, such as 3 or 0.25")
        }
    }
}
