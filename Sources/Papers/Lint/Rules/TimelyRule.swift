extension ItemRule {
    /// Finds words and years that will make a question outdated.
    static let timely = ItemRule(
        id: "timely", wish: "nothing that grows old: no years, brands, or words like nowadays"
    ) { text in
        if let word = words.first(in: text.text) ?? WordList.brands.first(in: text.text) {
            return "\"\(word)\" will be outdated"
        }
        let year = text.text.bankWords.first { $0.count == 4 && $0.allSatisfy(\.isNumber) }
        return year.map { "\"\($0)\" is a year" }
    }

    private static let words = WordList(
        """
        nowadays, these days, recently, lately, last year, this year, next year, currently, at the moment, trending, pandemic, covid, \
        artificial intelligence
        """)
}

extension WordList {
    package static let brands = WordList(
        """
        facebook, google, instagram, tiktok, youtube, netflix, whatsapp, twitter, iphone, android, uber, amazon, chatgpt
        """)
}
