extension ItemRule {
    /// Finds missing follow-ups for short answers, and follow-ups that repeat the same words.
    static let followUp = ItemRule(id: "follow-up", wish: "a follow-up for each question, in different words") { item in
        let asked = item.questions.filter { $0.role == .familiar || $0.role == .discussion }
        var found = asked.filter { $0.question.followUp == nil }.map { ("\($0.field).followUp", "is missing") }
        guard case .frame = item, asked.count > 1 else { return found }
        let different = Set(asked.compactMap(\.question.followUp)).count
        if different < asked.count - 1 { found.append(("questions", "only \(different) follow-ups are different")) }
        return found
    }
}
