extension ItemRule {
    /// Finds subjects that are painful, divisive or private.
    static let sensitive = ItemRule(
        id: "sensitive",
        wish:
            "nothing about religion, politics, illness, death, crime, a person's own money, love, family one may have lost, or bodies"
    ) { text in
        (WordList.painful.first(in: text.text) ?? ownLife.first(in: text.text)).map {
            "\"\($0)\" is a sensitive subject"
        }
    }

    /// Subjects that a question about the candidate's own life must avoid.
    private static let ownLife = WordList(
        """
        government*, dating, boyfriend, girlfriend, marri*, divorc*, wedding*, hospital*, disab*, overweight, fat, diet, diets, salary, salaries, \
        income, rich, poor, debt*, ugly, husband, wife, parent, parents, mother, father
        """)
}

extension WordList {
    /// Subjects that are painful or divisive for anyone.
    package static let painful = WordList(
        """
        politic*, election, elections, president, religio*, church, mosque, temple, god, pray*, sex*, funeral*, death, dead, die, died, dies, dying, \
        kill*, murder*, war, wars, soldier, soldiers, weapon*, gun, guns, crime*, criminal*, prison*, drugs, alcohol*, beer, wine, drunk, smoking, \
        cigarette*, gambl*, illness*, disease*, cancer, race, racis*, ethnic*, immigra*, refugee*, suicid*, terror*, pregnan*
        """)
}
