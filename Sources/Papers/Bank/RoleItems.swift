extension ItemBank {
    /// Returns the ids of the items about a role: those with a keyword that occurs in the role's name as whole words.
    /// Case and a final s are ignored.
    ///
    /// - Parameters:
    ///   - role: the learner's words for the job, such as "nurse in Leeds".
    ///   - section: the section of the items.
    public func items(for role: String, in section: String) -> [String] {
        let words = Self.words(role)
        return items.filter { item in
            item.section == section && item.about.keywords.contains { words.contains(Self.words($0)) }
        }.map(\.id)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map { word in
            word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : String(word)
        }
    }
}
