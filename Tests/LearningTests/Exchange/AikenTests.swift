import Papers
import Testing

@testable import Learning

/// Tests of the Aiken format in the variants that people write.
@Suite struct AikenTests {
    private func told(_ text: String) -> [String] { AikenReader(text).mistakes.map { $0.sentence(in: "x") } }

    @Test func caseBracketsAndSpacesDoNotMatter() {
        let reader = AikenReader(
            "\u{FEFF}What do you cut bread with?  \r\nA. A fork\r\nB. A knife \r\n\r\nC. A spoon\r\nANSWER: B  \r\n\r\n"
                + "What is\nA kitchen for?\n\na) Cooking\n B)  Sleeping\nanswer :a")
        #expect(reader.mistakes == [] && reader.questions.map(\.line) == [1, 8])
        #expect(reader.questions.map(\.prompt) == ["What do you cut bread with?", "What is A kitchen for?"])
        #expect(
            reader.questions.map(\.key) == [
                .multipleChoice(.init(options: ["A fork", "A knife", "A spoon"], correct: 1)),
                .multipleChoice(.init(options: ["Cooking", "Sleeping"], correct: 0)),
            ])
    }

    @Test(arguments: [
        ("Who?\nA. I\nANSWER: A", "x:1, question, \"Who?\", key: give it at least two options"),
        ("Who?\nANSWER: A", "x:1, question, \"Who?\", key: give it at least two options"),
        ("Who?\nA. I\nB. You\nANSWER: C", "x:4, answer, \"C\", key: use one of the letters of its options, A to B"),
        ("Who?\nA. I\nB. You\nANSWER:", "x:4, answer, \"\", key"),
        ("Who?\nA. I\nB. You\nANSWER: AB", "x:4, answer, \"AB\", key"),
        ("Who?\nA. I\nB. You", "x:1, question, \"Who?\", missing: end it"),
        ("ANSWER: A", "x:1, question, \"\", missing: write the question"),
        ("Who?\nA. I\nC. You\nANSWER: A", "x:3, question, \"Who?\", marks: C is out of order"),
        ("Who?\nA. I\nA. You\nANSWER: A", "x:3, question, \"Who?\", marks: A is out of order"),
        (
            "Who?\nA. I\nB. You and\nhe\nA. x\nB. y\nANSWER: A",
            "x:4, question, \"Who?\", marks: write an option on one line"
        ),
    ]) func eachPitfallIsReported(_ text: String, _ why: String) {
        #expect(told(text).count == 1 && told(text)[0].hasPrefix(why), "\(told(text))")
    }
}
