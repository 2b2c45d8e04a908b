import ExamCore
import Testing

@testable import Papers

/// Tests that each rule finds only its own flaw, and that the samples have none.
@Suite struct RuleTests {
    @Test func samplesHaveNoFlaw() {
        for item in [SampleItems.frame, SampleItems.card] {
            #expect(item.findings.isEmpty, "\(item.findings.map(\.sentence))")
        }
    }

    /// Changes that break one rule each.
    private static let flaws: [(rule: String, change: @Sendable (inout BankFrame, inout BankCard) -> Void)] = [
        ("label", { frame, _ in frame.about.keywords = ["rain", "Wet", "storm"] }),
        ("label", { frame, _ in frame.about.id = "Rain 1" }),
        ("counts", { frame, _ in frame.questions.removeLast() }),
        ("counts", { _, card in card.roundingOff.append("And which colour would you choose?") }),
        ("plain-text", { frame, _ in frame.questions[0].text = "When did you last get wet in the \u{1F327}?" }),
        ("plain-text", { frame, _ in frame.lead = "now, a few questions about rain." }),
        (
            "length",
            { frame, _ in
                frame.questions[0].text =
                    "When did you last get wet in the rain on the way to a place that mattered a lot?"
            }
        ),
        ("question-mark", { frame, _ in frame.questions[2].text = "How your street changes when it starts to rain." }),
        (
            "double-question",
            { frame, _ in frame.questions[1].text = "What do you take when it rains and why do you take it?" }
        ),
        ("double-question", { frame, _ in frame.questions[1].text = "What do you take? What do you leave?" }),
        (
            "yes-no",
            { frame, _ in
                frame.questions[0].text = "Did you get wet in the rain?"
                frame.questions[2].text = "Does your street change when it starts to rain?"
            }
        ),
        (
            "yes-no",
            { _, card in
                card.discussions[0].questions[3].text = "Are skills with the hands less common than they once were?"
            }
        ),
        ("card-shape", { _, card in card.card.points[1] = "you keep it at home" }),
        ("card-shape", { _, card in card.card.explain = "Explain why you would miss it." }),
        ("card-shape", { _, card in card.card.topic = "Talk about a tool that you often use." }),
        ("materials", { frame, _ in frame.passage = "A talk that no one wants to hear in this place." }),
        (
            "materials",
            { frame, _ in
                frame.picture = .init(
                    description: "A street in the rain, with people who run to a shop that is closed.",
                    svg: "<svg></svg>")
            }
        ),
        ("materials", { frame, _ in frame.questions[0].alternatives = [.init(title: "Rain"), .init(title: "Sun")] }),
        ("materials", { frame, _ in frame.about.language = "zh" }),
        ("bloom", { frame, _ in frame.questions[0].bloom = .create }),
        ("bloom", { _, card in for place in 0..<6 { card.discussions[0].questions[place].bloom = .analyze } }),
        ("follow-up", { frame, _ in frame.questions[3].followUp = nil }),
        ("follow-up", { frame, _ in for place in 0..<5 { frame.questions[place].followUp = "Why is that?" } }),
        ("rephrasing", { _, card in card.discussions[1].questions[0].rephrased = nil }),
        (
            "rephrasing",
            { _, card in
                card.discussions[1].questions[0].rephrased = card.discussions[1].questions[0].text.replacing(
                    "ever ", with: "")
            }
        ),
        (
            "belonging",
            { _, card in
                for place in 0..<6 {
                    card.discussions[0].questions[place].text = card.discussions[0].questions[place].text.replacing(
                        "tool", with: "book"
                    ).replacing("machine", with: "book").replacing("repair", with: "print")
                }
            }
        ),
        (
            "personal",
            { _, card in card.discussions[0].questions[4].text = "Which tool did you find too old to be worth a repair?"
            }
        ),
        ("sensitive", { frame, _ in frame.questions[4].text = "What would you do on a wet day in hospital?" }),
        ("timely", { frame, _ in frame.questions[4].text = "What do people do on wet days nowadays?" }),
        ("timely", { frame, _ in frame.questions[4].text = "What did you do on wet days in 2019?" }),
        ("regional", { frame, _ in frame.questions[4].text = "What would you do on a wet Christmas day?" }),
        ("test-names", { frame, _ in frame.questions[4].text = "What would you do on the wet day of an exam?" }),
    ]

    @Test(arguments: flaws.indices) func eachFlawIsFoundByItsRule(_ number: Int) throws {
        var frame = SampleItems.bankFrame
        var card = SampleItems.bankCard
        let (rule, change) = Self.flaws[number]
        change(&frame, &card)
        let found = [BankItem.frame(frame), .card(card)].flatMap(\.findings)
        #expect(
            !found.isEmpty && found.allSatisfy { $0.rule == rule && !$0.field.isEmpty },
            "\(rule): \(found.map(\.sentence))")
    }

    @Test func everyRuleHasAFlaw() {
        #expect(Set(Self.flaws.map(\.rule)) == Set(ItemRule.all.map(\.id)))
        #expect(Set(ItemRule.all.map(\.id)).count == ItemRule.all.count)
    }

    @Test func nearDuplicatesAreThoseWithSevenTenthsInCommon() throws {
        var other = SampleItems.bankFrame
        other.about.id = "other"
        other.questions = other.questions.enumerated().map { number, _ in
            SampleItems.question(
                "Which \(["boat", "lamp", "chair", "spoon", "clock"][number]) would suit a garden?", .apply, "Why?")
        }
        other.questions[2].text = "When did you last get really wet in the rain?"
        let found = try ItemBank([SampleItems.frame, .frame(other)]).duplicates.filter { $0.item != $0.otherItem }
        #expect(found.map(\.otherField) == ["questions[2].text"] || found.map(\.field) == ["questions[2].text"])
        // The published example of ROUGE-L: Lin 2004, 3.1.
        #expect(TextLikeness.rougeL("police kill the gunman".bankWords, "police killed the gunman".bankWords) == 0.75)
        #expect(TextLikeness.rougeL("the gunman kill police".bankWords, "police killed the gunman".bankWords) == 0.5)
    }
}
