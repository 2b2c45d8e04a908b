extension ItemRule {
    /// Finds personal questions in discussions, because Part 3 is about people in general.
    static let personal = ItemRule(id: "personal", wish: "discussions about people in general, not about the candidate")
    { text in
        guard text.role == .discussion, text.kind == .question else { return nil }
        return own.first(in: text.text).map { "is about the candidate: \"\($0)\"" }
    }

    private static let own = WordList(
        "did you, have you, were you, are you, do you usually, do you often, do you like, do you prefer, do you enjoy, your family, your home, your friend, your friends, your room, your own"
    )
}
