extension ItemRule {
    /// Finds subjects that are unknown in parts of the world.
    static let regional = ItemRule(
        id: "regional", wish: "nothing that only some places have: no countries, currencies, feasts, or snow"
    ) { text in words.first(in: text.text).map { "\"\($0)\" does not exist everywhere" } }

    private static let words = WordList(
        """
        christmas, easter, ramadan, diwali, thanksgiving, halloween, snow*, skiing, cricket, baseball, dollar*, pounds, euro, euros, britain, \
        england, america*, china, chinese, india, indian, europe*, africa*, asia*
        """)
}
