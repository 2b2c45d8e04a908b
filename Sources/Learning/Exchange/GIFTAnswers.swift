import Papers

/// The answers of a GIFT question: the text between its braces.
struct GIFTAnswers {
    private let text: GIFTPiece
    private let form: GIFTForm
    private let line: Int
    private let prompt: String
    /// The feedback for the right answer. Nil if the file has none.
    private(set) var feedback: GIFTPiece?
    private(set) var isTrueOrFalse = false

    private struct Answer {
        var isMarkedRight: Bool
        /// The weight in percent. Nil if the file states none.
        var weight: Double?
        var text: GIFTPiece
        var feedback: GIFTPiece?
    }

    init(_ text: GIFTPiece, form: GIFTForm, line: Int, about prompt: String) {
        (self.text, self.form, self.line, self.prompt) = (text, form, line, prompt)
    }

    /// Returns the question's key. Tries the kinds of questions in the order in which Moodle does.
    mutating func key() throws(ImportMistake) -> AnswerKey {
        if text.isEmpty { throw notRead("essays are not supported: remove it") }
        if text.first == "#" { return .calculation(try calculation()) }
        if text.contains("~") { return try choice() }
        if text.contains("="), text.contains("->") { return .matching(try pairs()) }
        if let isTrue = truth() { return TrueOrFalse.key(isTrue) }
        return .fillInTheBlank(try blank())
    }

    private func notRead(_ what: String) -> ImportMistake {
        ImportMistake(line: line, "question", prompt, .notRead, what)
    }

    private func wrong(_ answer: GIFTPiece, _ code: ImportMistake.QuestionCode, _ what: String) -> ImportMistake {
        ImportMistake(line: line, "answer", answer.text, code, what)
    }

    // MARK: - Kinds

    private mutating func choice() throws(ImportMistake) -> AnswerKey {
        let answers = try answers(of: text, by: ["~", "="])
        // As in Moodle, several options can be chosen if none is marked with =. One option for 100 % is a choice of
        // one, unless points are taken away for others.
        let credited = answers.filter { $0.weight ?? 0 > 0 }
        if !text.contains("="), credited.count > 1 || answers.contains(where: { $0.weight ?? 0 < 0 }),
            let first = credited.first
        {
            for answer in credited where abs((answer.weight ?? 0) - (first.weight ?? 0)) > 0.01 {
                throw wrong(answer.text, .notRead, "different points for right options are not supported")
            }
            return .multipleResponse(
                .init(
                    options: try options(answers), correct: answers.indices.filter { answers[$0].weight ?? 0 > 0 }))
        }
        let right = answers.filter { $0.isMarkedRight || $0.weight == 100 }
        if right.count != 1, right.count > 1 || answers.contains(where: { $0.weight ?? 0 > 0 }) {
            throw notRead("several right options are not supported: leave only one right option")
        }
        for answer in answers where ![nil, 0, 100].contains(answer.weight) { throw partial(answer) }
        guard let correct = answers.firstIndex(where: { $0.isMarkedRight || $0.weight == 100 }) else {
            throw ImportMistake(line: line, "question", prompt, .key, "mark the right option with =")
        }
        feedback = answers[correct].feedback
        return .multipleChoice(.init(options: try options(answers), correct: correct))
    }

    private func options(_ answers: [Answer]) throws(ImportMistake) -> [String] {
        var options: [String] = []
        for answer in answers { options.append(try answer.text.words(form, line)) }
        return options
    }

    /// Reads pairs: `=premise -> option`. An option without a premise belongs to none of them.
    private func pairs() throws(ImportMistake) -> AnswerKey.Matching {
        var pairs: [(premise: String, option: String)] = []
        var others: [String] = []
        for answer in try answers(of: text, by: ["="]) {
            guard let parts = answer.text.parts(at: "->") else {
                throw wrong(answer.text, .marks, "write each pair as: =premise -> option")
            }
            let (premise, option) = (parts.before.trimmed, try parts.after.trimmed.words(form, line))
            if premise.isEmpty { others.append(option) } else { pairs.append((try premise.words(form, line), option)) }
        }
        return .init(pairs: pairs, others: others)
    }

    /// Reads a true-or-false answer: `FALSE#feedback for the wrong answer#feedback for the right one`
    private mutating func truth() -> Bool? {
        let (word, said) = text.pieces(by: ["#"])
        guard let isTrue = ["T": true, "TRUE": true, "F": false, "FALSE": false][word.trimmed.text] else { return nil }
        isTrueOrFalse = true
        feedback = said.reversed().map(\.text.trimmed).first { !$0.isEmpty }
        return isTrue
    }

    private mutating func blank() throws(ImportMistake) -> AnswerKey.FillInTheBlank {
        var accepted: [String] = []
        for answer in try answers(of: text, by: ["="]) where answer.weight != 0 {
            guard [nil, 100].contains(answer.weight) else { throw partial(answer) }
            guard let word = try Self.withoutWildcards(answer.text.words(form, line)) else {
                throw wrong(
                    answer.text, .notRead, "* matches anything: write each right answer, or \\\\* for a star"
                )
            }
            accepted.append(word)
            feedback = feedback ?? answer.feedback
        }
        return .init(accepted: accepted)
    }

    private mutating func calculation() throws(ImportMistake) -> AnswerKey.Calculation {
        // Feedback for wrong numbers does not explain the right answer.
        let numbers = text.dropFirst().parts(at: "~")?.before ?? text.dropFirst()
        let answers = try answers(of: numbers, by: ["="]).filter { $0.weight != 0 }
        for answer in answers where ![nil, 100].contains(answer.weight) { throw partial(answer) }
        guard let answer = answers.first, answers.count == 1 else {
            throw notRead("\(answers.count) right numbers are not supported: write one, with its tolerance: {#3:0.5}")
        }
        feedback = answer.feedback
        if let range = answer.text.parts(at: "..") {
            let (least, most) = (try number(range.before), try number(range.after))
            guard least <= most else { throw wrong(answer.text, .number, "write the smaller number first") }
            let middle = least + (most - least) / 2
            // The larger distance keeps both ends right despite rounding in the last digit.
            return .init(value: middle, tolerance: max(most - middle, middle - least))
        }
        guard let (value, tolerance) = answer.text.parts(at: ":") else { return .init(value: try number(answer.text)) }
        let distance = try number(tolerance)
        guard distance >= 0 else { throw wrong(answer.text, .number, "write the tolerance without a sign") }
        return .init(value: try number(value), tolerance: distance)
    }

    // MARK: - Pieces

    private func answers(of text: GIFTPiece, by marks: Set<Unicode.Scalar>) throws(ImportMistake) -> [Answer] {
        let (before, pieces) = text.pieces(by: marks)
        // A single answer does not need its mark.
        var all = pieces
        if !before.trimmed.isEmpty { all.insert(("=", before), at: 0) }
        if marks.contains("~"), !before.trimmed.isEmpty {
            throw wrong(before.trimmed, .marks, "mark each option: = the right one, ~ the others")
        }
        var answers: [Answer] = []
        for (mark, text) in all {
            let parts = text.parts(at: "#")
            var answer = Answer(
                isMarkedRight: mark == "=" && marks.contains("~"), text: (parts?.before ?? text).trimmed,
                feedback: parts?.after.trimmed)
            if answer.feedback?.isEmpty == true { answer.feedback = nil }
            if answer.text.first == "%", let weight = answer.text.dropFirst().parts(at: "%"),
                let percent = Double(weight.before.text)
            {
                (answer.weight, answer.text) = (percent, weight.after.trimmed)
                if percent != 100 { answer.isMarkedRight = false }
            }
            answers.append(answer)
        }
        return answers
    }

    private func partial(_ answer: Answer) -> ImportMistake {
        let percent = answer.weight.map { "\($0.plain) %" } ?? ""
        return wrong(
            answer.text, .notRead, "partial points such as \(percent) are not supported: write 100 or 0")
    }

    private func number(_ piece: GIFTPiece) throws(ImportMistake) -> Double {
        if let number = Double(piece.trimmed.text), number.isFinite { return number }
        throw wrong(piece, .number, "write a number, such as 3 or 0.25")
    }

    /// Returns the text without backslashes before stars. Nil if it contains a star without a backslash, which is a
    /// wildcard.
    private static func withoutWildcards(_ text: String) -> String? {
        let stars = text.replacing("\\*", with: "")
        return stars.contains("*") ? nil : text.replacing("\\*", with: "*")
    }
}
