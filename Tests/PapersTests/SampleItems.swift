import ExamCore
import Foundation

@testable import Papers

/// Sample items that keep all rules.
enum SampleItems {
    static let frame = BankItem.frame(bankFrame)
    static let card = BankItem.card(bankCard)

    static let bankFrame =
        BankFrame(
            about: label("rain", ["rain", "umbrella", "storm"]), section: "topics",
            lead: "Now, a few questions about rain.",
            questions: [
                question("When did you last get wet in the rain?", .remember, "Where were you going?"),
                question(
                    "What do you take with you when the sky looks dark?", .remember, "How often do you forget it?"),
                question(
                    "How does your street change when it starts to rain?", .understand, "Which change do you like?"),
                question(
                    "Do you like the smell of the ground after a storm?", .understand, "What does it remind you of?"),
                question("What would you do on a wet day without electricity?", .apply, "Who would join you?"),
            ])

    static let bankCard =
        BankCard(
            about: label("useful-tool", ["tool", "machine", "repair"]),
            card: Paper.Card(
                topic: "Describe a tool that you often use.",
                points: ["what it is", "where you keep it", "how you learnt to use it"],
                explain: "and explain why you would miss it."),
            roundingOff: ["Have you ever lent it to anybody?", "Would a newer one be better?"],
            discussions: [
                discussion("tools-and-skill", "Let us talk about tools and skill."),
                discussion("machines", "Now let us think about machines.", 6),
            ])

    static func label(_ id: String, _ keywords: [String], _ difficulty: Paper.Difficulty = .medium) -> BankLabel {
        BankLabel(id: id, title: id.capitalized, difficulty: difficulty, keywords: keywords)
    }

    static func question(_ text: String, _ bloom: Bloom, _ followUp: String) -> BankQuestion {
        BankQuestion(text: text, bloom: bloom, followUp: followUp)
    }

    private static let asked: [(String, String)] = [
        (
            "Why do some people enjoy working with an old tool more than with a new one?",
            "Why do people like old tools?"
        ),
        (
            "What makes one machine easier to understand than another that does the same work?",
            "What makes a machine simple?"
        ),
        (
            "How far should schools go in teaching young people to repair what breaks?",
            "Should pupils learn to mend things at school, or elsewhere?"
        ),
        (
            "Which skills with the hands have become less common than they once were?",
            "Which hand skills are we losing?"
        ),
        ("Who should decide when something is too old to be worth a repair?", "Who says when a thing is too old?"),
        (
            "What might a town offer to people who cannot afford an expensive tool?",
            "How could a town help with costly tools?"
        ),
        (
            "Why are people proud of a repair that nobody else will ever notice?",
            "Why does mending something make us proud?"
        ),
        (
            "What is lost when a machine does what a person used to do by hand?",
            "What do we lose when machines do our work?"
        ),
        (
            "How has the way that people choose a tool for the home changed over time?",
            "How did people use to choose their tools?"
        ),
        ("What makes somebody trust a machine with an important task?", "When do we trust machines?"),
        (
            "How could makers of household goods be brought to build them to last?",
            "How do we get goods that last longer?"
        ),
        ("What would an ideal workshop for a whole street look like?", "What should a shared workshop have?"),
    ]

    private static func discussion(_ id: String, _ lead: String, _ first: Int = 0) -> BankCard.Discussion {
        BankCard.Discussion(
            id: id, lead: lead,
            questions: (0..<6).map { number in
                let (text, easier) = asked[first + number]
                return BankQuestion(
                    text: text, bloom: number < 3 ? .analyze : .evaluate, rephrased: easier,
                    followUp: "Can you give example \(number + 1)?")
            })
    }

    /// Returns a bank of this many items with different keywords: half of them frames for topics, some for home, the
    /// rest cards.
    static func bank(_ count: Int) throws -> ItemBank {
        var items: [BankItem] = []
        for number in 0..<count {
            let difficulty = Paper.Difficulty.allCases[number % 3]
            let words = (0..<3).map { "word\(number)x\($0)" }
            let about = label("item-\(number)", words, difficulty)
            switch (number % 10, frame, card) {
            case (0...4, .frame(var own), _):
                own.about = about
                items.append(.frame(own))
            case (5, .frame(var own), _):
                (own.about, own.section) = (about, "home-or-work")
                items.append(.frame(own))
            case (_, _, .card(var own)):
                own.about = about
                for place in own.discussions.indices { own.discussions[place].id = "item-\(number)-\(place + 1)" }
                items.append(.card(own))
            default: break
            }
        }
        return try ItemBank(items)
    }
}
