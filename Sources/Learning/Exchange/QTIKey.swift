import ExamCore
import Papers
import SystemSupport

/// The key of a QTI item: its declaration, its interaction and the meaning of its rules.
struct QTIKey {
    private let declared: XMLNode
    private let interaction: XMLNode
    private let scoring: QTIScoring
    private let options: [XMLNode]
    private var cardinality: String { declared.attributes["cardinality"] ?? "" }

    init(_ declared: XMLNode, _ interaction: XMLNode, _ scoring: QTIScoring) {
        (self.declared, self.interaction, self.scoring) = (declared, interaction, scoring)
        options = interaction.children("qti-simple-choice")
    }

    func key() throws(ImportMistake) -> AnswerKey {
        switch (interaction.name, cardinality) {
        case (QTIReader.choice, "single"): return .multipleChoice(try choice())
        case (QTIReader.choice, "multiple"):
            return .multipleResponse(.init(options: options.map(\.words), correct: try places(of: options)))
        case (QTIReader.order, "ordered"): return .ordering(try order())
        case (QTIReader.match, "multiple"): return .matching(try pairs())
        case (QTIReader.entry, "single"): return try typed()
        case (let name, let cardinality):
            throw declared.wrong(.notRead, "cardinality \"\(cardinality)\" is not supported for <\(name)>")
        }
    }

    /// The identifier of the right option. Nil if there is none, or if typed text is asked for.
    var rightOption: String? { cardinality == "single" ? try? rightOptions().first : nil }

    // MARK: - Choice

    private func choice() throws(ImportMistake) -> AnswerKey.MultipleChoice {
        guard interaction.attributes["max-choices"] ?? "1" == "1" else {
            throw interaction.wrong(.notRead, "more than one right option is not supported; leave only one")
        }
        let right = Set(try rightOptions())
        guard right.count <= 1 else {
            throw declared.wrong(.notRead, "more than one right option is not supported; leave only one")
        }
        guard let correct = options.firstIndex(where: { right.contains($0.attributes["identifier"] ?? "") }) else {
            throw declared.wrong(.key, "<qti-correct-response> names none of the options")
        }
        return .init(options: options.map(\.words), correct: correct)
    }

    /// Returns the indices of the right choices among these.
    private func places(of choices: [XMLNode]) throws(ImportMistake) -> [Int] {
        let right = try rightOptions()
        let places = choices.indices.filter { right.contains(choices[$0].attributes["identifier"] ?? "") }
        guard !places.isEmpty, places.count == Set(right).count else {
            throw declared.wrong(.key, "<qti-correct-response> names other options than there are")
        }
        return places
    }

    private func order() throws(ImportMistake) -> AnswerKey.Ordering {
        let right = try rightOptions()
        let places = right.compactMap { own in options.firstIndex { $0.attributes["identifier"] == own } }
        guard Set(places).count == options.count, right.count == options.count else {
            throw declared.wrong(.notRead, "an order of some of the options is not supported: name each of them once")
        }
        return .init(options: options.map(\.words), correct: places)
    }

    private func pairs() throws(ImportMistake) -> AnswerKey.Matching {
        let sets = interaction.children("qti-simple-match-set").map { $0.children("qti-simple-associable-choice") }
        guard sets.count == 2 else { throw interaction.wrong(.missing, "should have two <qti-simple-match-set>") }
        func place(_ identifier: Substring?, _ choices: [XMLNode]) -> Int? {
            choices.firstIndex { $0.attributes["identifier"] == identifier.map(String.init) }
        }
        var matches: [Int: Int] = [:]
        for pair in Set(try rightOptions()) {
            let names = pair.split(whereSeparator: \.isWhitespace)
            guard names.count == 2, let premise = place(names.first, sets[0]), let option = place(names.last, sets[1])
            else { throw declared.wrong(.key, "\"\(pair)\" is not a pair of choices") }
            guard matches.updateValue(option, forKey: premise) == nil else {
                throw declared.wrong(.notRead, "several options for one choice are not supported: leave only one")
            }
        }
        let correct = sets[0].indices.compactMap { matches[$0] }
        guard correct.count == sets[0].count else {
            throw declared.wrong(.notRead, "a choice without an option is not supported: give each of them one")
        }
        return .init(premises: sets[0].map(\.words), options: sets[1].map(\.words), correct: correct)
    }

    private func rightOptions() throws(ImportMistake) -> [String] {
        switch scoring {
        case .declared, .correct: return correct.map(\.text)
        case .mapped: return try mapped()
        case .values(let values):
            guard cardinality == "single" else {
                throw declared.wrong(.notRead, "rules for some of several answers are not supported: use match_correct")
            }
            return values
        case .near, .range: throw interaction.wrong(.notRead, "has options, but its rules ask for a number")
        }
    }

    // MARK: - Typed text

    private func typed() throws(ImportMistake) -> AnswerKey {
        switch declared.attributes["base-type"] {
        case "string": return .fillInTheBlank(.init(accepted: try accepted()))
        case "integer", "float":
            let (value, tolerance) = try number()
            let units = interaction.attributes["data-units"].map(Variants.variants)
            return .calculation(.init(value: value, tolerance: tolerance, units: units))
        case let type:
            throw declared.wrong(.notRead, "base-type \"\(type ?? "")\" is not supported: use string, integer or float")
        }
    }

    private func accepted() throws(ImportMistake) -> [String] {
        let all: [String]
        switch scoring {
        // Without rules, the program that asks the question decides. Most programs accept both.
        case .declared: all = correct.map(\.text) + (try mapped())
        case .correct: all = correct.map(\.text)
        case .mapped:
            let mapped = try mapped()
            // The first answer is shown to the learner: the one that the file calls correct.
            all = correct.map(\.text).filter(mapped.contains) + mapped
        case .values(let values): all = values
        case .near, .range: throw interaction.wrong(.notRead, "is a text, but its rules ask for a number")
        }
        var accepted: [String] = []
        for text in all where !text.isEmpty && !accepted.contains(text) { accepted.append(text) }
        guard !accepted.isEmpty else { throw declared.wrong(.key, "has no right answer") }
        return accepted
    }

    private func number() throws(ImportMistake) -> (value: Double, tolerance: Double?) {
        func declaredNumber() throws(ImportMistake) -> Double {
            guard let value = correct.first, correct.count == 1 else {
                throw declared.wrong(.notRead, "\(correct.count) right numbers are not supported; leave only one")
            }
            return try Self.number(value.text, value)
        }
        switch scoring {
        case .declared:
            guard declared.children("qti-mapping").isEmpty else {
                throw declared.wrong(.notRead, "points for several numbers are not supported; leave only one")
            }
            return (try declaredNumber(), nil)
        case .correct: return (try declaredNumber(), nil)
        case .mapped:
            let values = try mapped()
            guard let value = values.first, values.count == 1 else {
                throw declared.wrong(.notRead, "\(values.count) right numbers are not supported; leave only one")
            }
            return (try Self.number(value, declared), nil)
        case .values(let values):
            guard let value = values.first, Set(values).count == 1 else {
                throw declared.wrong(.notRead, "\(values.count) right numbers are not supported; leave only one")
            }
            return (try Self.number(value, declared), nil)
        case .near(var below, var above, let given, let isPercent):
            let value = if let given { given } else { try declaredNumber() }
            if isPercent { (below, above) = (abs(value) * below / 100, abs(value) * above / 100) }
            return below == above ? (value, below) : Self.middle(value - below, value + above)
        case .range(let least, let most): return Self.middle(least, most)
        }
    }

    /// Returns the middle of a range, and a tolerance that keeps both of its ends right despite rounding.
    private static func middle(_ least: Double, _ most: Double) -> (value: Double, tolerance: Double?) {
        let middle = least + (most - least) / 2
        return (middle, max(most - middle, middle - least))
    }

    // MARK: - Declaration

    private var correct: [XMLNode] { declared.children("qti-correct-response").flatMap { $0.children("qti-value") } }

    /// Returns the answers that the mapping gives points.
    private func mapped() throws(ImportMistake) -> [String] {
        var entries: [(key: String, points: Double)] = []
        for mapping in declared.children("qti-mapping") {
            let other = try Self.number(mapping.attributes["default-value"] ?? "0", mapping)
            guard other <= 0 else { throw mapping.wrong(.notRead, "gives points for any other answer") }
            for entry in mapping.children("qti-map-entry") {
                let points = try Self.number(entry.attributes["mapped-value"] ?? "", entry)
                guard points > 0 else { continue }
                entries.append((XMLNode("", [:], [.text(entry.attributes["map-key"] ?? "")]).text, points))
            }
        }
        let most = entries.map(\.points).max() ?? 0
        // Of several right parts, each counts the same here. Points that differ must not leave open which are right.
        let areDeclared = cardinality == "multiple" && Set(entries.map(\.key)) == Set(correct.map(\.text))
        guard areDeclared || entries.allSatisfy({ $0.points == most }) else {
            throw declared.wrong(
                .notRead, "<qti-mapping> with partial points is not supported: an answer is right or wrong")
        }
        return entries.map(\.key)
    }

    private static func number(_ text: String, _ node: XMLNode) throws(ImportMistake) -> Double {
        if let number = Double(text), number.isFinite { return number }
        throw ImportMistake(line: node.line, node.name, text, .number, "write a number, such as 3 or 0.25")
    }
}
