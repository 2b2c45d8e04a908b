import ExamCore
import Papers
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Tests that everything in a QTI item is understood, harmless or refused by its name.
@Suite struct QTIContractTests {
    private func item(
        type: String = "identifier", right: String = "B", declared: String = "", head: String = "",
        body: String? = nil,
        _ rules: String = ""
    ) -> String {
        let choice = """
            <qti-choice-interaction response-identifier="R" max-choices="1"><qti-prompt>What was red?</qti-prompt>\
            <qti-simple-choice identifier="A">The train</qti-simple-choice>\
            <qti-simple-choice identifier="B">The boat</qti-simple-choice></qti-choice-interaction>
            """
        return """
            <qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i" title="t">
            <qti-response-declaration identifier="R" cardinality="single" base-type="\(type)">\
            <qti-correct-response><qti-value>\(right)</qti-value></qti-correct-response>\(declared)</qti-response-declaration>
            \(head)<qti-item-body>\(body ?? choice)</qti-item-body>\(rules)
            </qti-assessment-item>
            """
    }

    private static let field = "<p>How much is it? <qti-text-entry-interaction response-identifier=\"R\"/></p>"

    private func read(_ text: String) throws -> PracticeQuestion {
        let read = try QTIReader.question(XMLReader.read(Array(text.utf8)))
        return try #require(read.question(.init(topic: "t", difficulty: .easy, explanation: "e")))
    }

    private func told(_ text: String) throws -> String {
        do throws(ImportMistake) {
            _ = try QTIReader.question(try! XMLReader.read(Array(text.utf8)))
            return ""
        } catch { return error.sentence(in: "x") }
    }

    private static func rule(_ condition: String, points: String = "1", _ more: String = "") -> String {
        """
        <qti-response-processing><qti-response-condition><qti-response-if>\(condition)\
        <qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">\(points)</qti-base-value>\
        </qti-set-outcome-value></qti-response-if>\(more)</qti-response-condition></qti-response-processing>
        """
    }

    private static func compare(_ name: String, _ value: String, _ attributes: String = "") -> String {
        "<qti-\(name) \(attributes)><qti-variable identifier=\"R\"/>\(value)</qti-\(name)>"
    }

    private static func base(_ value: String) -> String {
        "<qti-base-value base-type=\"float\">\(value)</qti-base-value>"
    }
    private static let correct = "<qti-correct identifier=\"R\"/>"

    // MARK: - Scoring

    @Test func aRangeIsRightBetweenItsEnds() throws {
        let range = "<qti-and>\(Self.compare("gte", Self.base("3")))\(Self.compare("lte", Self.base("3.3")))</qti-and>"
        let question = try read(item(type: "float", right: "3.14159", body: Self.field, Self.rule(range)))
        for (answer, verdict) in [
            ("3.2", Verdict.right), ("3", .right), ("3.3", .right), ("3.31", .wrong), ("2.99", .wrong),
        ] { #expect(question.verdict(on: .calculation(numericAnswer: answer)) == verdict, "\(answer)") }
        let open = range.replacing("qti-lte", with: "qti-lt")
        #expect(try told(item(type: "float", right: "3", body: Self.field, Self.rule(open))).contains("<qti-lt>"))
        let half = "<qti-and>\(Self.compare("gte", Self.base("3")))</qti-and>"
        #expect(
            try told(item(type: "float", right: "3", body: Self.field, Self.rule(half))).contains(
                "should have two ends"))
    }

    @Test func theRulesDecideWhatIsRight() throws {
        // The rule names another option than the declaration: the rule counts.
        let match = Self.compare("match", "<qti-base-value base-type=\"identifier\">A</qti-base-value>")
        #expect(
            try read(item(Self.rule(match))).key
                == .multipleChoice(.init(options: ["The train", "The boat"], correct: 0)))
        let mapping = "<qti-mapping default-value=\"0\"><qti-map-entry map-key=\"A\" mapped-value=\"1\"/></qti-mapping>"
        let mapped = "<qti-response-processing template=\"http://x/rptemplates/map_response.xml\"/>"
        let matched = mapped.replacing("map_response", with: "match_correct")
        for (template, right) in [(mapped, 0), (matched, 1)] {
            #expect(
                try read(item(declared: mapping, template)).key
                    == .multipleChoice(.init(options: ["The train", "The boat"], correct: right)))
        }
        let either =
            "<qti-or>\(Self.compare("match", Self.base("red")))\(Self.compare("string-match", Self.base("crimson"), "case-sensitive=\"false\""))</qti-or>"
        #expect(
            try read(item(type: "string", right: "red", body: Self.field, Self.rule(either))).key
                == .fillInTheBlank(.init(accepted: ["red", "crimson"])))
        let empty = """
            <qti-response-processing><qti-response-condition><qti-response-if><qti-is-null><qti-variable identifier="R"/>\
            </qti-is-null><qti-set-outcome-value identifier="SCORE">\(Self.base("0"))</qti-set-outcome-value>\
            </qti-response-if><qti-response-else><qti-set-outcome-value identifier="SCORE">\
            <qti-map-response identifier="R"/></qti-set-outcome-value></qti-response-else></qti-response-condition>\
            </qti-response-processing>
            """
        #expect(
            try read(item(declared: mapping, empty)).key
                == .multipleChoice(.init(options: ["The train", "The boat"], correct: 0)))
    }

    @Test(arguments: [
        (compare("equal-rounded", correct, "figures=\"3\""), "<qti-equal-rounded>"),
        (compare("string-match", correct, "substring=\"true\""), "<qti-string-match substring>"),
        (
            compare("equal", correct, "tolerance-mode=\"absolute\" tolerance=\"1\" include-upper-bound=\"false\""),
            "include-upper-bound"
        ),
        ("<qti-not>\(compare("match", correct))</qti-not>", "<qti-not>"),
        ("<qti-match><qti-variable identifier=\"OTHER\"/>\(correct)</qti-match>", "should compare the answer R"),
    ]) func otherConditionsAreRefusedByName(_ condition: String, _ name: String) throws {
        let sentence = try told(item(type: "string", right: "red", body: Self.field, Self.rule(condition)))
        #expect(sentence.contains(name) && sentence.contains("not-read"), "\(sentence)")
    }

    @Test func pointsBeyondRightAndWrongAreRefused() throws {
        let right = Self.compare("match", Self.correct)
        let half =
            "<qti-response-else-if>\(Self.compare("match", Self.base("A")))<qti-set-outcome-value identifier=\"SCORE\">\(Self.base("0.5"))</qti-set-outcome-value></qti-response-else-if>"
        #expect(try told(item(Self.rule(right, half))).contains("partial points"))
        let any =
            "<qti-response-else><qti-set-outcome-value identifier=\"SCORE\">\(Self.base("1"))</qti-set-outcome-value></qti-response-else>"
        #expect(try told(item(Self.rule(right, any))).contains("gives points for any other answer"))
        let twice =
            Self.rule(right).replacing("</qti-response-processing>", with: "")
            + Self.rule(right).replacing("<qti-response-processing>", with: "")
        #expect(try told(item(twice)).contains("only one rule may set SCORE"))
        #expect(
            try told(item("<qti-response-processing><qti-exit-response/></qti-response-processing>")).contains(
                "<qti-exit-response>"))
        let feedback = Self.rule(right).replacing(
            "</qti-response-processing>",
            with:
                "<qti-response-condition><qti-response-if>\(right)<qti-set-outcome-value identifier=\"FEEDBACK\"><qti-variable identifier=\"R\"/></qti-set-outcome-value></qti-response-if></qti-response-condition></qti-response-processing>"
        )
        #expect(try read(item(feedback)).options == ["The train", "The boat"])
        let score =
            "<qti-outcome-declaration identifier=\"SCORE\" cardinality=\"single\" base-type=\"float\"><qti-default-value><qti-value>1</qti-value></qti-default-value></qti-outcome-declaration>"
        #expect(try told(item(head: score)).contains("gives points without an answer"))
    }

    // MARK: - Words

    /// A rubric for candidates turns the question round, so it is part of the prompt.
    @Test func instructionsForCandidatesArePartOfThePrompt() throws {
        let rubric =
            "<qti-rubric-block view=\"candidate\" use=\"instructions\"><qti-content-body><p>Choose what is FALSE.</p></qti-content-body></qti-rubric-block>"
        let plain = item()
        let question = try read(plain.replacing("<qti-item-body>", with: "<qti-item-body>\(rubric)<div>Look.</div>"))
        #expect(question.prompt == "Choose what is FALSE. Look. What was red?")
        let scorer = rubric.replacing("candidate", with: "scorer")
        #expect(try read(plain.replacing("<qti-item-body>", with: "<qti-item-body>\(scorer)")) == read(plain))
        let loose = plain.replacing(
            "<qti-simple-choice identifier=\"A\">", with: "Or not? <qti-simple-choice identifier=\"A\">")
        #expect(try told(loose).contains("has text outside its elements"))
    }

    @Test func feedbackOnTheRightOptionExplainsIt() throws {
        let inline = { (option: String) in
            "<qti-feedback-inline outcome-identifier=\"F\" identifier=\"\(option)\" show-hide=\"show\">About \(option).</qti-feedback-inline></qti-simple-choice>"
        }
        var text = item()
        for option in ["The train", "The boat"] {
            text = text.replacing(
                "\(option)</qti-simple-choice>", with: option + inline(option == "The boat" ? "B" : "A"))
        }
        let read = try QTIReader.question(XMLReader.read(Array(text.utf8)))
        #expect(read.explanation == "About B.")
        #expect(read.key == .multipleChoice(.init(options: ["The train", "The boat"], correct: 1)))
        #expect(
            try told(text.replacing("show-hide=\"show\"", with: "show-hide=\"hide\"")).contains(
                "is shown before the answer"))
    }

    // MARK: - Names

    /// Tries each name that is declared, in a place where it could be.
    @Test func declaredNamesAreTreatedAsDeclared() throws {
        let plain = item(
            type: "string", right: "red",
            body: "<div>It is <qti-text-entry-interaction response-identifier=\"R\"/> here.</div>")
        let expected = try read(plain)
        for feature in QTIContract.contract.harmless
        where !feature.name.contains("@") && !feature.name.hasPrefix("qti-") {
            let text = plain.replacing("It is", with: "<\(feature.name)>It is</\(feature.name)>")
            #expect(try read(text) == expected, "\(feature.name)")
        }
        for name in ["qti-stylesheet", "qti-catalog-info"] {
            let text = plain.replacing("<qti-item-body>", with: "<\(name)><x y=\"z\"/></\(name)><qti-item-body>")
            #expect(try read(text) == expected, "\(name)")
        }
        for attribute in ["id", "class", "lang", "label", "dir", "role", "data-x", "aria-label"] {
            #expect(try read(plain.replacing("<div", with: "<div \(attribute)=\"a\"")) == expected, "\(attribute)")
        }
        for feature in QTIContract.contract.harmless {
            let parts = feature.name.split(separator: "@").map(String.init)
            guard parts.count == 2, parts[0] != "*", plain.contains("<\(parts[0]) ") else { continue }
            #expect(
                try read(plain.replacing("<\(parts[0]) ", with: "<\(parts[0]) \(parts[1])=\"a\" ")) == expected,
                "\(feature.name)")
        }
        for feature in QTIContract.contract.refused {
            let parts = feature.name.split(separator: "@").map(String.init)
            let node = XMLNode(parts[0], parts.count == 2 ? [parts[1]: "true"] : [:])
            #expect(throws: ImportMistake.self, "\(feature.name)") { try QTIContract.check(node) }
        }
    }

    @Test(arguments: [
        (
            "<qti-item-body>", "<qti-assessment-stimulus-ref identifier=\"P\" href=\"p.xml\"/><qti-item-body>",
            "<qti-assessment-stimulus-ref>"
        ),
        ("<qti-item-body>", "<qti-companion-materials-info/><qti-item-body>", "<qti-companion-materials-info>"),
        ("<qti-item-body>", "<qti-item-body><p>x<sup>2</sup></p>", "<sup>"),
        ("<qti-item-body>", "<qti-item-body><img src=\"a.png\"/>", "<img>"),
        ("<qti-item-body>", "<qti-item-body><p style=\"display:none\">x</p>", "<p style>"),
        ("<qti-item-body>", "<qti-other/><qti-item-body>", "<qti-other>"),
        ("identifier=\"i\"", "identifier=\"i\" adaptive=\"true\"", "adaptive"),
        ("identifier=\"i\"", "identifier=\"i\" time-dependent=\"true\"", "time-dependent"),
        ("identifier=\"i\"", "identifier=\"i\" odd=\"1\"", "<qti-assessment-item odd>"),
        (
            "<qti-simple-choice identifier=\"A\"", "<qti-simple-choice identifier=\"A\" template-identifier=\"T\"",
            "template-identifier"
        ),
        (
            "</qti-response-declaration>",
            "</qti-response-declaration><qti-response-declaration identifier=\"S\" cardinality=\"single\"/>",
            "declares another answer"
        ),
    ]) func otherNamesAreRefused(_ old: String, _ new: String, _ name: String) throws {
        let sentence = try told(item().replacing(old, with: new))
        #expect(sentence.contains(name) && sentence.contains("not-read"), "\(sentence)")
    }
}
