import ExamCore
import Papers
import Testing
import XMLFiles

@testable import Learning

/// Tests of QTI 3 items as other programs write them.
@Suite struct QTITests {
    private func told(_ text: String) -> String {
        do throws(XMLMistake) {
            let file = QuestionFile(try XMLReader.read(Array(text.utf8)), name: "x.xml")
            return (file.mistakes + file.unread.flatMap(\.mistakes)).map { $0.sentence(in: "x.xml") }.joined(
                separator: "\n")
        } catch { return "x.xml:\(error.line): \(error.what)" }
    }

    private func read(_ text: String) throws -> ReadQuestion {
        try QTIReader.question(XMLReader.read(Array(text.utf8)))
    }

    /// An item with prefixes, surrounding paragraphs, emphasis, and without Oracy's attributes.
    private static let foreign = """
        <?xml version="1.0" encoding="UTF-8"?>
        <q:qti-assessment-item xmlns:q="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="Item_7" title="Tides" adaptive="false">
          <q:qti-response-declaration identifier="R1" cardinality="single" base-type="identifier">
            <q:qti-correct-response><q:qti-value>c2</q:qti-value></q:qti-correct-response>
          </q:qti-response-declaration>
          <q:qti-item-body>
            <p>Look at   the <em>sea</em>.</p>
            <q:qti-choice-interaction response-identifier="R1" max-choices="1" shuffle="true">
              <q:qti-prompt>What moves it?</q:qti-prompt>
              <q:qti-simple-choice identifier="c1"><p>The wind</p></q:qti-simple-choice>
              <q:qti-simple-choice identifier="c2">The <strong>moon</strong></q:qti-simple-choice>
            </q:qti-choice-interaction>
          </q:qti-item-body>
        </q:qti-assessment-item>
        """

    @Test func foreignFilesAreReadWithTheirGaps() throws {
        let read = try read(Self.foreign)
        #expect(
            read.missing(.init()).map { $0.sentence(in: "x.xml") } == [
                """
                x.xml:2, difficulty, "", missing: has no difficulty; set one for all such questions with \
                --difficulty
                """,
                """
                x.xml:2, explanation, "", missing: has no explanation; set one for all such questions with \
                --explanation
                """,
            ])
        let defaults = PackDefaults(difficulty: .easy, explanation: "The moon pulls at the water of the sea.")
        let question = try #require(read.question(defaults))
        #expect(question.id == "item-7" && question.topic == "tides" && question.bloom == nil)
        #expect(question.prompt == "Look at the sea. What moves it?")
        #expect(question.key == .multipleChoice(.init(options: ["The wind", "The moon"], correct: 1)))
        #expect(read.question(.init(topic: "Sea", difficulty: .easy, explanation: "So."))?.topic == "sea")
    }

    private static func typed(
        _ declaration: String, body: String = "<p>The moon moves the <FIELD/> twice a day.</p>", _ rest: String = ""
    ) -> String {
        """
        <qti-assessment-item identifier="i1" title="t">
          <qti-response-declaration identifier="R" cardinality="single" \(declaration)</qti-response-declaration>
          <qti-item-body>\(body.replacing("<FIELD/>", with: "<qti-text-entry-interaction response-identifier=\"R\" expected-length=\"9\"/>"))</qti-item-body>
          \(rest)
        </qti-assessment-item>
        """
    }

    private static let sea =
        "base-type=\"string\"><qti-correct-response><qti-value>sea</qti-value></qti-correct-response>"

    @Test func aTypedTextIsABlank() throws {
        let one = try read(Self.typed(Self.sea))
        #expect(
            one.prompt == "The moon moves the ___ twice a day." && one.key == .fillInTheBlank(.init(accepted: ["sea"])))
        let mapped = try read(
            Self.typed(
                Self.sea
                    + "<qti-mapping default-value=\"0\"><qti-map-entry map-key=\"sea\" mapped-value=\"2\"/><qti-map-entry map-key=\"ocean\" mapped-value=\"2\"/><qti-map-entry map-key=\"lake\" mapped-value=\"-1\"/></qti-mapping>"
            ))
        #expect(mapped.key == .fillInTheBlank(.init(accepted: ["sea", "ocean"])))
        let several = Self.sea.replacing("</qti-value>", with: "</qti-value><qti-value>ocean</qti-value>")
        #expect(try read(Self.typed(several)).key == .fillInTheBlank(.init(accepted: ["sea", "ocean"])))
        // A field alone in its paragraph is not a gap.
        #expect(try read(Self.typed(Self.sea, body: "<p>What moves?</p><div><FIELD/></div>")).prompt == "What moves?")
        #expect(
            try read(Self.typed(Self.sea, body: "<div><p>It is</p><p>the <FIELD/></p></div>")).prompt == "It is the ___"
        )
    }

    @Test func aTypedNumberIsACalculation() throws {
        let number = "base-type=\"float\"><qti-correct-response><qti-value>12.4</qti-value></qti-correct-response>"
        #expect(try read(Self.typed(number)).key == .calculation(.init(value: 12.4)))
        let equal =
            "<qti-response-processing><qti-response-condition><qti-response-if><qti-equal tolerance-mode=\"absolute\" tolerance=\"0.1\"><qti-variable identifier=\"R\"/><qti-correct identifier=\"R\"/></qti-equal><qti-set-outcome-value identifier=\"SCORE\"><qti-base-value base-type=\"float\">1</qti-base-value></qti-set-outcome-value></qti-response-if></qti-response-condition></qti-response-processing>"
        #expect(try read(Self.typed(number, equal)).key == .calculation(.init(value: 12.4, tolerance: 0.1)))
        let uneven = try read(Self.typed(number, equal.replacing("0.1", with: "0.1 0.2"))).question(
            .init(difficulty: .easy, explanation: ""))
        for (answer, verdict) in [("12.3", Verdict.right), ("12.6", .right), ("12.29", .wrong), ("12.61", .wrong)] {
            #expect(uneven?.verdict(on: .calculation(numericAnswer: answer)) == verdict)
        }
        #expect(
            told(Self.typed(number, equal.replacing("absolute", with: "other"))).contains("tolerance-mode=\"other\""))
        #expect(
            told(Self.typed(number.replacing("12.4", with: "twelve"))).contains(
                "x.xml:2, qti-value, \"twelve\", number: "))
        #expect(
            told(Self.typed(number.replacing("float", with: "point"))).contains("base-type \"point\" is not supported"))
    }

    @Test func typedAnswersAreRightOrWrong() {
        let half =
            Self.sea
            + "<qti-mapping><qti-map-entry map-key=\"sea\" mapped-value=\"1\"/><qti-map-entry map-key=\"See\" mapped-value=\"0.5\"/></qti-mapping>"
        #expect(
            told(Self.typed(half)).contains(
                "x.xml:2, <qti-response-declaration>, \"\", not-read: <qti-mapping> with partial points"))
        #expect(
            told(Self.typed(Self.sea, body: "<p><FIELD/> and <FIELD/></p>")).contains(
                "has 2 interactions, but only one is supported"))
        #expect(
            told(Self.typed(Self.sea).replacing("response-identifier=\"R\"", with: "")).contains(
                "so the right answer is unknown"))
    }

    @Test(arguments: [
        (
            "cardinality=\"single\"", "cardinality=\"record\"",
            "x.xml:3, <qti-response-declaration>, \"\", not-read: cardinality \"record\" is not supported"
        ),
        (
            "max-choices=\"1\"", "max-choices=\"0\"",
            "x.xml:8, <qti-choice-interaction>, \"\", not-read: more than one right option"
        ),
        (
            "<q:qti-value>c2<", "<q:qti-value>c9<",
            "x.xml:3, <qti-response-declaration>, \"\", key: <qti-correct-response> names none of the options"
        ),
        (
            "<em>sea</em>", "<img src=\"sea.png\" alt=\"sea\"/>",
            "x.xml:7, <img>, \"\", not-read: pictures are not supported"
        ),
        ("<em>sea</em>", "<q:qti-text-entry-interaction response-identifier=\"R2\"/>", "has 2 interactions"),
        (
            "<em>sea</em>", "<q:qti-slider-interaction response-identifier=\"R2\"/>",
            "<qti-slider-interaction>, \"\", not-read"
        ),
        ("<p>The wind</p>", "<math><mi>x</mi></math>", "<math>, \"\", not-read: formulas are not supported"),
        ("q:qti-assessment-item ", "q:assessmentItem ", "is not XML (mismatched tag)"),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE x [<!ENTITY a \"b\">]>",
            "x.xml:1: has a document type"
        ),
        ("</q:qti-assessment-item>", "", "is not XML (no element found)"),
    ]) func unsupportedFeaturesAreRefusedByName(_ old: String, _ new: String, _ why: String) {
        let sentence = told(Self.foreign.replacing(old, with: new))
        #expect(sentence.contains(why), "\(sentence)")
    }

    @Test func otherFilesAreNotItems() {
        #expect(
            told("<manifest/>")
                == "x.xml:1, <manifest>, \"\", not-read: is not an item of QTI; it should be <qti-assessment-item> or <assessmentItem>"
        )
        #expect(told("").contains("is not XML") && told("\u{0}\u{1}").contains("is not XML"))
        let deep = String(repeating: "<a>", count: 5_000)
        #expect(told(deep) == "x.xml:1: has elements in elements, 100 deep")
        #expect(
            told("<qti-assessment-item/>") == "x.xml:1, <qti-assessment-item>, \"\", missing: has no <qti-item-body>")
    }
}
