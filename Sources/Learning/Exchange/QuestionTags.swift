import ExamCore
import Papers

extension ReadQuestion {
    /// Adds a fact that Oracy writes as a Moodle tag, such as `difficulty-easy`. Other tags are left out: teachers use
    /// them to find questions.
    ///
    /// - Throws: `unknown-difficulty` for a difficulty other than easy, medium and hard.
    mutating func add(tag: String) throws(ImportMistake) {
        guard let hyphen = tag.firstIndex(of: "-") else { return }
        let own = String(tag[hyphen...].dropFirst())
        switch tag[..<hyphen] {
        case "difficulty":
            guard let difficulty = Paper.Difficulty(importWord: own) else {
                throw ImportMistake(
                    line: line, column: "difficulty", value: own, .unknownDifficulty, Paper.Difficulty.importWish)
            }
            self.difficulty = difficulty
        case "bloom": bloom = Bloom(rawValue: own.lowercased())
        case "unit":
            if case .calculation(var key) = key {
                key.units = (key.units ?? []) + [own]
                self.key = .calculation(key)
            }
        case "writer": writtenBy = own
        default: break
        }
    }
}

extension PracticeQuestion {
    /// Returns the facts that Moodle's formats hold only as tags.
    ///
    /// - Parameter withUnits: whether units are among them, because the format has no place for them.
    func tags(withUnits: Bool) -> [String] {
        var tags = ["difficulty-\(difficulty.rawValue.lowercased())"]
        if let bloom { tags.append("bloom-\(bloom.rawValue)") }
        if withUnits, case .calculation(let key) = key { tags += (key.units ?? []).map { "unit-\($0)" } }
        if let writtenBy { tags.append("writer-\(writtenBy)") }
        return tags
    }
}
