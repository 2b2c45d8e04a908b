extension ItemRule {
    /// Nobody has to speak of what hurts, divides or is nobody's business.
    static let sensitive = ItemRule(
        id: "sensitive",
        wish:
            "nothing about religion, politics, illness, death, crime, money that somebody has, love, family one may have lost, or bodies"
    ) { text in words.first(in: text.text).map { "\"\($0)\" is a sensitive subject" } }

    private static let words = WordList(
        """
        politic*, election, elections, government*, president, religio*, church, mosque, temple, god, pray*, sex*, dating, boyfriend, girlfriend, \
        marri*, divorc*, wedding*, funeral*, death, dead, die, died, dies, dying, kill*, murder*, war, wars, soldier, soldiers, weapon*, gun, guns, \
        crime*, criminal*, prison*, drugs, alcohol*, beer, wine, drunk, smoking, cigarette*, gambl*, illness*, disease*, cancer, hospital*, disab*, \
        overweight, fat, diet, diets, salary, salaries, income, rich, poor, debt*, race, racis*, ethnic*, immigra*, refugee*, ugly, suicid*, \
        terror*, pregnan*, husband, wife, parent, parents, mother, father
        """)
}
