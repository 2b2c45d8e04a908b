import Papers
import SystemSupport

/// The key of a Moodle question: its answers, of which Moodle takes the first that matches.
struct MoodleKey {
    private let node: XMLNode
    private let type: String
    private let text: MoodleText
    private let answers: [Answer]
    /// Whether several options can be chosen.
    private let hasSeveral: Bool

    /// The key, and the element with the feedback on the right answer.
    typealias Right = (key: AnswerKey, feedback: XMLNode?)

    private struct Answer {
        var node: XMLNode
        /// The points in percent.
        var points: Double
        var feedback: XMLNode? { node.children("feedback").first }
        /// The answer as plain text: typed words and numbers contain no HTML.
        var plain: String { node.children("text").first?.text ?? "" }
    }

    /// - Throws: `not-read` for points other than all or none. Points below 0 are for wrong answers.
    init(_ node: XMLNode, type: String, _ text: MoodleText) throws(ImportMistake) {
        (self.node, self.type, self.text) = (node, type, text)
        let single = try node.children("single").first?.flag() ?? true
        hasSeveral = type == "multichoiceset" || type == "multichoice" && !single
        var answers: [Answer] = []
        for own in node.children("answer") {
            let given = own.children("fraction").first?.text ?? own.attributes["fraction"] ?? "0"
            guard let points = Double(decimal: given) else {
                throw ImportMistake(line: own.line, "<answer fraction>", given, .number, "write 100 or 0")
            }
            answers.append(Answer(node: own, points: points))
        }
        self.answers = answers
        // The points of items in an order are their places, and pairs have none.
        guard !["ordering", "matching", "ddmatch"].contains(type) else { return }
        if hasSeveral {
            let right = answers.filter { $0.points > 0 }
            if let other = right.first(where: { abs($0.points - right[0].points) > 0.01 }) {
                throw other.node.wrong(.notRead, "different points for right options are not supported")
            }
        } else if let partial = answers.first(where: { $0.points > 0 && $0.points != 100 }) {
            throw partial.node.wrong(
                .notRead, "partial points such as \(partial.points.plain) % are not supported: write 100 or 0")
        }
        guard answers.contains(where: { $0.points > 0 }) else {
            throw node.wrong(.key, "has no right answer: write fraction=\"100\"")
        }
    }

    func right() throws(ImportMistake) -> Right {
        switch type {
        case "multichoice", "multichoiceset": try choice()
        case "ordering": try order()
        case "matching", "ddmatch": try pairs()
        case "truefalse": try truth()
        case "shortanswer": try blank()
        default: try calculation()
        }
    }

    /// Returns the only right answer.
    private func only() throws(ImportMistake) -> Answer {
        let right = answers.filter { $0.points > 0 }
        guard right.count == 1 else {
            throw right[1].node.wrong(.notRead, "several right answers are not supported: leave only one")
        }
        return right[0]
    }

    /// Returns the words of all options.
    private func options() throws(ImportMistake) -> [String] {
        var options: [String] = []
        for answer in answers {
            let option = try text.words(of: answer.node)
            guard !option.isEmpty else { throw answer.node.wrong(.missing, "write the option") }
            options.append(option)
        }
        return options
    }

    private func choice() throws(ImportMistake) -> Right {
        if hasSeveral {
            let correct = answers.indices.filter { answers[$0].points > 0 }
            return (.multipleResponse(.init(options: try options(), correct: correct)), nil)
        }
        let right = try only()
        let options = try options()
        let correct = answers.firstIndex { $0.points > 0 } ?? 0
        return (.multipleChoice(.init(options: options, correct: correct)), right.feedback)
    }

    private func truth() throws(ImportMistake) -> Right {
        let right = try only()
        let words = answers.map { $0.plain.lowercased() }
        guard words.sorted() == ["false", "true"] else {
            throw node.wrong(.key, "should have the answers true and false")
        }
        return (TrueOrFalse.key(right.plain.lowercased() == "true"), right.feedback)
    }

    // MARK: - Order and pairs

    private func order() throws(ImportMistake) -> Right {
        let options = try options()
        let places = answers.indices.sorted { (answers[$0].points, $0) < (answers[$1].points, $1) }
        return (.ordering(.init(options: places.map { options[$0] }, correct: Array(places.indices))), nil)
    }

    /// Reads pairs. An option without a premise belongs to none of them.
    private func pairs() throws(ImportMistake) -> Right {
        var pairs: [(premise: String, option: String)] = []
        var others: [String] = []
        if let answer = answers.first { throw answer.node.wrong(.notRead, "belongs into a <subquestion>") }
        for own in node.children("subquestion") {
            guard own.children("answer").count == 1 else { throw own.wrong(.key, "should have one <answer>") }
            let option = own.children("answer").first?.children("text").first?.text ?? ""
            guard !option.isEmpty else { throw own.wrong(.missing, "write its <answer>") }
            let premise = try text.words(of: own)
            if premise.isEmpty { others.append(option) } else { pairs.append((premise, option)) }
        }
        guard !pairs.isEmpty else { throw node.wrong(.missing, "has no <subquestion>") }
        return (.matching(.init(pairs: pairs, others: others)), nil)
    }

    // MARK: - Typed words

    private func blank() throws(ImportMistake) -> Right {
        let isExact = try node.children("usecase").first?.flag() ?? false
        var accepted: [String] = []
        var feedback: XMLNode?
        for (place, answer) in answers.enumerated() {
            let words = Self.withoutWildcards(answer.plain)
            guard answer.points > 0 else {
                // Moodle tries the answers in their order, so this wildcard may match right answers that follow it.
                if words == nil, answers[place...].contains(where: { $0.points > 0 }) {
                    throw answer.node.wrong(.notRead, "* matches anything: write the right answers before it")
                }
                continue
            }
            guard let words else {
                throw answer.node.wrong(.notRead, "* matches anything: write each right answer, or \\* for a star")
            }
            if isExact, words.lowercased() != words.uppercased() {
                throw answer.node.wrong(.notRead, "small and capital letters count the same: write 0 as <usecase>")
            }
            if !accepted.contains(words) { accepted.append(words) }
            feedback = feedback ?? answer.feedback
        }
        let right = Set(accepted.map(AnswerKey.FillInTheBlank.normalised))
        if let wrong = answers.first(where: {
            $0.points <= 0 && right.contains(AnswerKey.FillInTheBlank.normalised($0.plain))
        }) {
            throw wrong.node.wrong(
                .key, "\"\(wrong.plain)\" is wrong, but differs from a right answer in case or punctuation alone")
        }
        return (.fillInTheBlank(.init(accepted: accepted)), feedback)
    }

    /// Returns the text without backslashes before stars. Nil if it contains a star without a backslash, which is a
    /// wildcard.
    private static func withoutWildcards(_ text: String) -> String? {
        text.replacing("\\*", with: "").contains("*") ? nil : text.replacing("\\*", with: "*")
    }

    // MARK: - Numbers

    private func calculation() throws(ImportMistake) -> Right {
        let right = try only()
        let (value, tolerance) = try number(right)
        for answer in answers.prefix(while: { $0.points <= 0 }) {
            guard answer.plain != "*" else {
                throw answer.node.wrong(.notRead, "* matches anything: write the right answers before it")
            }
            let (other, distance) = try number(answer)
            if abs(other - value) <= distance + tolerance {
                throw answer.node.wrong(.key, "takes numbers from the right answer: write the right answer before it")
            }
        }
        return (
            .calculation(.init(value: value, tolerance: tolerance > 0 ? tolerance : nil, units: try units())),
            right.feedback
        )
    }

    private func number(_ answer: Answer) throws(ImportMistake) -> (value: Double, tolerance: Double) {
        guard let value = Double(decimal: answer.plain) else {
            throw ImportMistake(
                line: answer.node.line, "<answer>", answer.plain, .number, "write a number, such as 3 or 0.25")
        }
        guard let own = answer.node.children("tolerance").first, !own.text.isEmpty else { return (value, 0) }
        let tolerance = try own.decimal()
        guard tolerance >= 0 else {
            throw ImportMistake(line: own.line, "<tolerance>", own.text, .number, "write it without a sign")
        }
        return (value, tolerance)
    }

    /// Returns the units that may follow the number. Nil without units.
    private func units() throws(ImportMistake) -> [String]? {
        func has(_ name: String, _ values: [String], _ remedy: String) throws(ImportMistake) {
            guard let own = node.children(name).first, !own.text.isEmpty, !values.contains(own.text) else { return }
            throw ImportMistake(line: own.line, "<\(name)>", own.text, .notRead, remedy)
        }
        try has("unitgradingtype", ["0"], "points for units are not supported: write 0")
        try has("showunits", ["0", "3"], "a choice of units is not supported: write 0, and a unit is typed")
        if let told = node.children("instructions").first, !told.text.isEmpty {
            throw told.wrong(.notRead, "is not supported: write it into the question")
        }
        let units = node.children("units").flatMap(\.children)
        guard !units.isEmpty else { return nil }
        try has("unitsleft", ["0"], "units before the number are not supported: write 0")
        var names: [String] = []
        for unit in units {
            let multiplier = try unit.children("multiplier").first?.decimal() ?? 1
            guard multiplier == 1 else {
                throw unit.wrong(.notRead, "unit conversions are not supported: keep only units with multiplier 1")
            }
            guard let name = unit.children("unit_name").first?.text, !name.isEmpty else {
                throw unit.wrong(.missing, "write its name")
            }
            names.append(name)
        }
        return names
    }
}
