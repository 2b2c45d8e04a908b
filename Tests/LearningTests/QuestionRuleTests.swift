import Papers
import Testing

@testable import Learning

/// Tests that each rule finds its own flaw alone, and accepts a similar question without the flaw.
@Suite struct QuestionRuleTests {
    private static let honey = SampleQuestions.honey
    private static let options = honey.options

    /// Questions that break the rule, and questions that do not.
    private static let fixtures: [String: (bad: [PracticeQuestion], good: [PracticeQuestion])] = [
        "label": (
            [honey.with { $0.id = "Honey 1" }, honey.with { $0.topic = "one two three four five" }],
            [honey.with { $0.topic = "bees and honey" }]
        ),
        "plain-text": (
            [
                honey.with { $0.explanation = "Something \u{1B}[2J that goes down well is liked by guests." },
                honey.with { $0.explanation = "Something  that goes down well is liked by all the guests." },
                honey.with { $0.explanation = "Something that \u{202E}goes down\u{202C} well is liked by guests." },
                honey.with { $0.explanation = "Something that goes down well \u{1F36F} is liked by the guests." },
            ],
            [
                honey.with { $0.explanation = "जो अच्छा लगे वह 90° पर भी ½ मीठा है, “सच” — मेहमान कहते हैं…" },
                honey.with { $0.explanation = "Something that \"goes down well\" is liked (by 90% of us, or so)." },
            ]
        ),
        "length": (
            [honey.with { $0.explanation = "It is liked." }], [honey.with { $0.prompt = "What about honey?" }]
        ),
        "stem": (
            [
                honey.with { $0.prompt = "Honey that went down well with the guests" },
                honey.with { $0.prompt = "Honey: which of these is true?" },
            ],
            [honey.with { $0.prompt = "Everybody says that the honey went ___ well." }]
        ),
        "negative": (
            [honey.with { $0.prompt = "Which is not a word for what guests do with honey?" }],
            [honey.with { $0.prompt = "She does not eat honey. What does she leave out?" }]
        ),
        "options": (
            [honey.with(options: Array(options.prefix(4)) + ["the guests LIKED it."])],
            [
                honey.with(options: Array(options.prefix(4)) + ["The guests liked it?"]),
                honey.with(options: ["march", "March", "may", "May"]),
            ]
        ),
        "key-length": (
            [
                honey.with(
                    options: ["The guests liked what they were given and said so more than once."] + options.dropFirst()
                )
            ],
            [honey.with(options: ["The guests liked it a lot."] + options.dropFirst())]
        ),
        "other-options": (
            [honey.with(options: Array(options.prefix(4)) + ["None of the above."])],
            [honey.with(options: Array(options.prefix(4)) + ["It stood above us."])]
        ),
        "absolute": (
            [honey.with(options: Array(options.prefix(4)) + ["It is always sweet."])],
            [honey.with(options: ["Guests always like it."] + Array(options[1...3]) + ["It is always sweet."])]
        ),
        "vague": (
            [honey.with(options: Array(options.prefix(4)) + ["Sweet, and so on."])],
            [honey.with(options: Array(options.prefix(4)) + ["It was so sweet."])]
        ),
        "echo": (
            [
                honey.with { $0.prompt = "The visitors say that the honey went down nicely. How was it?" }
                    .with(options: ["The visitors liked it."] + options.dropFirst())
            ],
            [
                honey.with { $0.prompt = "The visitors say that the honey went down nicely. How was it?" }
                    .with(options: ["The visitors liked it.", "The visitors spilt it."] + options[2...])
            ]
        ),
        "article": (
            [
                honey.with { $0.prompt = "For breakfast she had an ___ with honey on it." }
                    .with(options: ["apple", "pear", "roll", "biscuit", "cake"])
            ],
            [
                honey.with { $0.prompt = "For breakfast she had a ___ with honey on it." }
                    .with(options: ["scone", "pear", "roll", "biscuit", "cake"])
            ]
        ),
        "position": (
            [
                honey.with { $0.explanation = "Option B is wrong, since nobody spilt anything on the table." },
                honey.with { $0.explanation = "The first answer says that people liked the taste of it." },
            ],
            [honey.with { $0.explanation = "At first one may think of a throat, but the words mean being liked." }]
        ),
        "sensitive": (
            [honey.with { $0.explanation = "Something that goes down well is liked, as beer is by some people." }],
            [honey.with { $0.explanation = "Something that goes down well is liked, as tea is by my mother." }]
        ),
        "timely": (
            [
                honey.with { $0.explanation = "Something that goes down well is liked, as it was in 2019 already." },
                honey.with { $0.explanation = "Something that goes down well is liked, as a clip on YouTube may be." },
            ],
            [honey.with { $0.explanation = "Something that goes down well is liked, by 1000 guests or by one." }]
        ),
    ]

    @Test func eachRuleHasFixtures() {
        #expect(Set(QuestionRule.all.map(\.id)) == Set(Self.fixtures.keys))
        #expect(QuestionRule.all.allSatisfy { !$0.wish.isEmpty } && Self.honey.findings.isEmpty)
    }

    @Test(arguments: QuestionRule.all.map(\.id)) func onlyBrokenRulesAreFound(_ rule: String) throws {
        let (bad, good) = try #require(Self.fixtures[rule])
        for question in bad {
            #expect(Set(question.findings.map(\.rule)) == [rule], "\(question.findings)")
        }
        for question in good { #expect(question.findings.isEmpty, "\(question.findings)") }
    }
}
