extension ItemRule {
    /// Finds invalid ids, titles and keywords. Logs and file names contain the id, and the keywords find the item.
    static let label = ItemRule(
        id: "label", wish: "an id of small letters and hyphens, a title, and 3 to 8 keywords in small letters"
    ) { item in
        let about = item.about
        var found: [(String, String)] = []
        let pieces = about.id.split(separator: "-", omittingEmptySubsequences: false)
        if !pieces.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) } }) {
            found.append(("id", "should be small letters, digits and hyphens"))
        }
        if !(1...60).contains(about.title.count) { found.append(("title", "should have 1 to 60 characters")) }
        if !(3...8).contains(about.keywords.count) { found.append(("keywords", "should be 3 to 8")) }
        if Set(about.keywords).count < about.keywords.count { found.append(("keywords", "one of them occurs twice")) }
        if let odd = about.keywords.first(where: { $0.isEmpty || $0 != $0.lowercased() }) {
            found.append(("keywords", "\"\(odd)\" should be in small letters"))
        }
        return found
    }
}
