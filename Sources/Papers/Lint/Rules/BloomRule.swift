extension ItemRule {
    /// Finds questions on an unsuitable cognitive level. Part 1 asks about facts of the candidate's own life, and Part
    /// 3 asks for reasoning.
    static let bloom = ItemRule(
        id: "bloom",
        wish:
            "levels of thinking that fit the place, two of them at least in a frame: remember, understand or apply about oneself; analyze, evaluate or create in a discussion"
    ) { item in
        var found: [(String, String)] = []
        var levels: [String: Set<Bloom>] = [:]
        for (field, question, role) in item.questions {
            let wanted = role.slot.bloom
            if !wanted.contains(question.bloom) {
                let names = wanted.map(\.rawValue).joined(separator: ", ")
                found.append(("\(field).bloom", "is \(question.bloom.rawValue); here it should be one of \(names)"))
            }
            guard role == .familiar || role == .discussion else { continue }
            levels[String(field[..<(field.lastIndex(of: "[") ?? field.endIndex)]), default: []].insert(question.bloom)
        }
        for (field, level) in levels.sorted(by: { $0.key < $1.key }) where level.count < 2 {
            found.append((field, "all ask for the same level of thinking"))
        }
        return found
    }
}
