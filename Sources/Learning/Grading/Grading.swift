/// A learner's answer to a question with a key.
public enum PracticeAnswer: Codable, Equatable, Sendable {
    case multipleChoice(selectedOption: Int)
    /// The indices of the chosen options, in any order.
    case multipleResponse(selectedOptions: [Int])
    /// The indices of all options, in the learner's order.
    case ordering(order: [Int])
    /// The index of an option for each premise.
    case matching(matches: [Int])
    case fillInTheBlank(textAnswer: String)
    /// The number as typed, with a decimal point or comma and an optional unit.
    case calculation(numericAnswer: String)
    /// The seconds of speech that were heard.
    case spoken(speech: Double)
}

/// The result of grading an answer. In a drill, only right and wrong count.
public enum Verdict: String, Codable, Equatable, Sendable {
    case right, wrong
    /// Wrong by a letter or two. It counts as wrong, but the learner sees that it was close.
    case nearMiss
    /// Some parts of an answer with several parts are right. It counts as wrong in a drill, and partly in a test.
    case partly
    /// An answer of another kind than the question, or an invalid option number. It is treated as not given.
    case notAnAnswer

    public var isRight: Bool { self == .right }
}

extension PracticeQuestion {
    /// A right answer, in the form in which a learner would give it.
    public var solution: PracticeAnswer {
        switch key {
        case .multipleChoice(let key): .multipleChoice(selectedOption: key.correct)
        case .multipleResponse(let key): .multipleResponse(selectedOptions: key.correct.sorted())
        case .ordering(let key): .ordering(order: key.correct)
        case .matching(let key): .matching(matches: key.correct)
        case .fillInTheBlank(let key): .fillInTheBlank(textAnswer: key.accepted.first ?? "")
        case .calculation(let key):
            .calculation(
                numericAnswer: (Int(exactly: key.value).map(String.init) ?? "\(key.value)")
                    + (key.units?.first.map { " " + $0 } ?? ""))
        case .spoken(let key): .spoken(speech: key.speech)
        }
    }

    /// Grades an answer.
    public func verdict(on answer: PracticeAnswer) -> Verdict {
        switch (key, answer) {
        case (.multipleChoice(let key), .multipleChoice(let selected)):
            guard key.options.indices.contains(selected) else { return .notAnAnswer }
            return selected == key.correct ? .right : .wrong
        case (.multipleResponse, .multipleResponse), (.ordering, .ordering), (.matching, .matching):
            guard let credit = key.credit(for: answer) else { return .notAnAnswer }
            return credit == 1 ? .right : credit > 0 ? .partly : .wrong
        case (.fillInTheBlank(let key), .fillInTheBlank(let text)): return key.verdict(on: text)
        case (.calculation(let key), .calculation(let text)): return key.verdict(on: text)
        case (.spoken(let key), .spoken(let speech)):
            return speech.isFinite ? speech >= key.speech ? .right : .wrong : .notAnAnswer
        case (.multipleChoice, _), (.multipleResponse, _), (.ordering, _), (.matching, _), (.fillInTheBlank, _),
            (.calculation, _), (.spoken, _):
            return .notAnAnswer
        }
    }

    /// Returns the credit for an answer in a test, 0 to 1. An answer without parts gets all or nothing.
    ///
    /// Each right part gets an equal share. Of several options, a wrong one takes a share away again, so that choosing
    /// all of them gets nothing for the chance.
    public func credit(for answer: PracticeAnswer) -> Double {
        key.credit(for: answer) ?? (verdict(on: answer).isRight ? 1 : 0)
    }
}

extension AnswerKey {
    /// Returns the credit for an answer with several parts, 0 to 1. Nil if the key has no parts, or if this is not an
    /// answer to it.
    fileprivate func credit(for answer: PracticeAnswer) -> Double? {
        switch (self, answer) {
        case (.multipleResponse(let key), .multipleResponse(let selected)):
            let chosen = Set(selected)
            guard !chosen.isEmpty, chosen.count == selected.count, chosen.allSatisfy(key.options.indices.contains)
            else { return nil }
            let right = chosen.intersection(key.correct).count
            return max(0, Double(right - (chosen.count - right)) / Double(key.correct.count))
        case (.ordering(let key), .ordering(let order)):
            guard order.sorted() == Array(key.options.indices) else { return nil }
            return Self.share(of: order, equalTo: key.correct)
        case (.matching(let key), .matching(let matches)):
            guard matches.count == key.premises.count, matches.allSatisfy(key.options.indices.contains) else {
                return nil
            }
            return Self.share(of: matches, equalTo: key.correct)
        default: return nil
        }
    }

    private static func share(of given: [Int], equalTo right: [Int]) -> Double {
        Double(zip(given, right).count { $0 == $1 }) / Double(right.count)
    }
}

extension AnswerKey.FillInTheBlank {
    fileprivate func verdict(on text: String) -> Verdict {
        let given = Self.normalised(text)
        guard !given.isEmpty else { return .notAnAnswer }
        let right = accepted.map(Self.normalised)
        if right.contains(given) { return .right }
        return right.contains { Self.isNear($0, given) } ? .nearMiss : .wrong
    }

    /// Returns the text without differences of case, spaces, punctuation and width. Apostrophes of any shape are
    /// removed. Signs that change a word's meaning stay: C++ and C# are not C, 5 % is not 5, and -5 is not 5.
    static func normalised(_ text: String) -> String {
        let letters = Array(Self.halfWidth(text).lowercased()).filter { !apostrophes.contains($0) }
        var words = ""
        for (place, letter) in letters.enumerated() {
            let isMinus =
                minuses.contains(letter) && place + 1 < letters.count && letters[place + 1].isNumber
                && (place == 0 || letters[place - 1].isWhitespace)
            if isMinus {
                words.append(" -")
            } else if isWord(letter) {
                words.append(letter)
            } else {
                words.append(" ")
            }
        }
        return words.split(separator: " ").joined(separator: " ")
    }

    private static let apostrophes: Set<Character> = ["'", "’", "‘", "´", "`", "ʼ", "′", "＇"]
    private static let minuses: Set<Character> = ["-", "−", "–"]
    /// The punctuation that is part of a word.
    private static let signs: Set<Character> = ["#", "%", "&", "@", "*", "‰"]

    private static func isWord(_ letter: Character) -> Bool {
        if letter.isLetter || letter.isNumber || signs.contains(letter) { return true }
        // Vowel signs that stand alone, and +, =, €, °.
        guard let scalar = letter.unicodeScalars.first else { return false }
        return letter.isSymbol || scalar.properties.generalCategory == .nonspacingMark
    }

    /// Returns the text with ordinary digits and Latin letters in place of full-width ones.
    fileprivate static func halfWidth(_ text: String) -> String {
        guard text.utf8.contains(0xEF) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isWide = (0xFF01...0xFF5E).contains(scalar.value)
            plain.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        return String(plain)
    }

    /// Returns whether the texts differ by at most one letter (from four letters on) or two (from eight letters on).
    private static func isNear(_ right: String, _ given: String) -> Bool {
        let allowed = right.count >= 8 ? 2 : right.count >= 4 ? 1 : 0
        return allowed > 0 && abs(right.count - given.count) <= allowed
            && editDistance(Array(right), Array(given)) <= allowed
    }

    /// Returns the number of letters inserted, removed or changed (Levenshtein 1965).
    static func editDistance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (place, letter) in one.enumerated() {
            var before = row[0]
            row[0] = place + 1
            for (column, each) in other.enumerated() {
                let change = before + (letter == each ? 0 : 1)
                before = row[column + 1]
                row[column + 1] = min(change, before + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}

extension AnswerKey.Calculation {
    fileprivate func verdict(on text: String) -> Verdict {
        let text = AnswerKey.FillInTheBlank.halfWidth(text).replacing("−", with: "-").filter { !$0.isWhitespace }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
        let unit = text[digits.endIndex...].lowercased()
        let readings = Self.readings(of: String(digits))
        guard !readings.isEmpty else { return .notAnAnswer }
        let isUnit = unit.isEmpty || (units ?? []).contains { $0.filter { !$0.isWhitespace }.lowercased() == unit }
        return isUnit && readings.contains { abs($0 - value) <= (tolerance ?? 0) } ? .right : .wrong
    }

    /// Returns the possible values of the digits. "1,500" can mean 1500 or 1.5, so both are returned.
    private static func readings(of digits: String) -> [Double] {
        var texts = [digits.filter { $0 != "," }, digits.filter { $0 != "." }.replacing(",", with: ".")]
        // A mark that occurs twice can only group thousands.
        for mark in [".", ","] where digits.count(where: { String($0) == mark }) > 1 {
            texts = [digits.replacing(mark, with: "").replacing(",", with: ".")]
        }
        return texts.compactMap(Double.init).filter(\.isFinite)
    }
}
