import ExamCore
import Papers
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Tests that items of QTI 2 mean the same as those of QTI 3, and that their mistakes have their own names.
@Suite struct QTI2Tests {
    private static let item = """
        <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqti_v2p1 imsqti_v2p1.xsd"
          identifier="loaf" title="Loaves" adaptive="false" timeDependent="false">
          <responseDeclaration identifier="R" cardinality="single" baseType="identifier">
            <correctResponse><value>B</value></correctResponse>
          </responseDeclaration>
          <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
          <outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float">
            <defaultValue><value>2.0</value></defaultValue>
          </outcomeDeclaration>
          <itemBody>
            <blockquote>A loaf that is sold by its weight.</blockquote>
            <choiceInteraction responseIdentifier="R" shuffle="true" maxChoices="1">
              <prompt>What is weighed?</prompt>
              <simpleChoice identifier="A" fixed="false">The oven</simpleChoice>
              <simpleChoice identifier="B">The loaf</simpleChoice>
            </choiceInteraction>
          </itemBody>
          <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>
          <modalFeedback outcomeIdentifier="F" identifier="B" showHide="show">Bread has a price by weight.</modalFeedback>
        </assessmentItem>
        """

    private static let rules = """
        <responseProcessing><responseCondition>
          <responseIf><isNull><variable identifier="R"/></isNull>
            <setOutcomeValue identifier="F"><baseValue baseType="identifier">empty</baseValue></setOutcomeValue></responseIf>
          <responseElseIf><match><variable identifier="R"/><correct identifier="R"/></match>
            <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><variable identifier="MAXSCORE"/></sum></setOutcomeValue>
          </responseElseIf></responseCondition></responseProcessing>
        """

    private static func with(_ rules: String) -> String {
        item.replacing(
            "<responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct\"/>",
            with: rules)
    }

    private static func number(_ condition: String) -> String {
        """
        <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="n" title="t" adaptive="false" timeDependent="false">
        <responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>200</value></correctResponse></responseDeclaration>
        <itemBody><p>How many grams? <textEntryInteraction responseIdentifier="R" expectedLength="4"/></p></itemBody>
        <responseProcessing><responseCondition><responseIf>\(condition)
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>
        </assessmentItem>
        """
    }

    private func read(_ text: String) throws -> QuestionFile {
        QuestionFile(try XMLReader.read(Array(text.utf8)), name: "x.xml")
    }

    /// Points by the mapping for any answer, and a rule that only chooses feedback.
    private static let mapped = """
        <responseProcessing><responseCondition><responseIf><not><isNull><variable identifier="R"/></isNull></not>
            <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><mapResponse identifier="R"/></sum></setOutcomeValue>
          </responseIf></responseCondition>
          <responseCondition><responseIf><and><gt><variable identifier="SCORE"/><baseValue baseType="float">0</baseValue></gt></and>
            <setOutcomeValue identifier="F"><baseValue baseType="identifier">B</baseValue></setOutcomeValue></responseIf>
          </responseCondition></responseProcessing>
        """
    private static let withMapping = with(mapped).replacing(
        "</correctResponse>",
        with: "</correctResponse><mapping defaultValue=\"0\"><mapEntry mapKey=\"B\" mappedValue=\"1\"/></mapping>")
    private static let both = with(
        rules.replacing("<match>", with: "<and><not><isNull><variable identifier=\"R\"/></isNull></not><match>")
            .replacing("</match>", with: "</match></and>"))

    @Test(arguments: [item, with(rules), with(""), withMapping, both]) func anItemIsReadAsInQTI3(_ text: String) throws
    {
        let file = try read(text)
        #expect(file.told == [] && file.format == .qti)
        let question = try #require(file.questions.first)
        #expect(question.id == "loaf" && question.title == "Loaves")
        #expect(question.prompt == "A loaf that is sold by its weight. What is weighed?")
        #expect(question.key == .multipleChoice(.init(options: ["The oven", "The loaf"], correct: 1)))
        #expect(question.explanation == "Bread has a price by weight.")
    }

    @Test func aToleranceMayBePartOfTheValue() throws {
        let condition =
            "<equal toleranceMode=\"relative\" tolerance=\"5\"><variable identifier=\"R\"/><correct identifier=\"R\"/></equal>"
        #expect(try read(Self.number(condition)).questions.first?.key == .calculation(.init(value: 200, tolerance: 10)))
        let both = condition.replacing("toleranceMode", with: "includeUpperBound=\"true\" toleranceMode")
        #expect(try read(Self.number(both)).questions.first?.key == .calculation(.init(value: 200, tolerance: 10)))
    }

    @Test(arguments: [
        (with(rules.replacing("MAXSCORE", with: "OTHER")), "<variable>", "is not supported as a score"),
        (
            with(
                rules.replacing(
                    "<isNull><variable identifier=\"R\"/></isNull>",
                    with: "<match><variable identifier=\"R\"/><correct identifier=\"R\"/></match>")),
            "<responseElseIf>", "follows a rule"
        ),
        (
            with(
                mapped.replacing(
                    "<mapResponse identifier=\"R\"/>", with: "<baseValue baseType=\"float\">1</baseValue>")),
            "<responseIf>", "gives points for any other answer"
        ),
        (
            with(
                mapped.replacing(
                    "<setOutcomeValue identifier=\"F\">", with: "<exitResponse/><setOutcomeValue identifier=\"F\">")),
            "<gt>", "exclusive bounds"
        ),
        (with(rules + rules), "<responseProcessing>", "is there twice"),
        (with(rules).replacing("<value>2.0", with: "<value>x"), "baseValue", "write a number"),
        (
            number(
                "<equalRounded figures=\"3\"><variable identifier=\"R\"/><correct identifier=\"R\"/></equalRounded>"),
            "<equalRounded>", "rounding"
        ),
        (
            number(
                "<equal toleranceMode=\"absolute\" tolerance=\"1\" includeLowerBound=\"false\"><variable identifier=\"R\"/><correct identifier=\"R\"/></equal>"
            ), "<equal includeLowerBound>", "exclusive bounds"
        ),
        (
            item.replacing("maxChoices=\"1\"", with: "maxChoices=\"2\""), "<choiceInteraction>",
            "more than one right option"
        ),
        (
            item.replacing("maxChoices", with: "max-choices"), "<choiceInteraction max-choices>",
            "is not an attribute of QTI 2"
        ),
        (item.replacing("prompt>", with: "qti-prompt>"), "<qti-prompt>", "is not an element of QTI 2"),
        (
            item.replacing("timeDependent=\"false\"", with: "timeDependent=\"true\""), "<assessmentItem>",
            "timeDependent="
        ),
        (item.replacing("<itemBody>", with: "<itemBody><infoControl/>"), "<infoControl>", "is not supported"),
        (
            item.replacing("<itemBody>", with: "<templateDeclaration/><itemBody>"), "<templateDeclaration>",
            "values that change"
        ),
        (
            item.replacing("choiceInteraction", with: "orderInteraction").replacing(" maxChoices=\"1\"", with: ""),
            "<responseDeclaration>", "cardinality \"single\" is not supported for <orderInteraction>"
        ),
        (item.replacing("assessmentItem", with: "assessmentTest"), "<assessmentTest>", "is not an item of QTI"),
    ]) func otherPartsAreRefusedByTheirOwnNames(_ text: String, _ name: String, _ why: String) throws {
        let file = try read(text)
        #expect(file.questions.isEmpty && file.told.count == 1)
        let sentence = try #require(file.told.first)
        #expect(sentence.contains(name) && sentence.contains(why), "\(sentence)")
    }

    /// Puts something unknown into each place of an item.
    @Test(arguments: [item, with(rules)]) func somethingUnknownIsRefusedInEveryPlace(_ text: String) throws {
        for (node, with) in try XMLReader.read(Array(text.utf8)).changes() {
            var changed = node
            changed.content.append(.element(XMLNode("odd", line: node.line)))
            var file = QuestionFile(with(changed), name: "x.xml")
            #expect(
                file.questions.isEmpty && file.told.count == 1 && file.told[0].contains("<odd>"),
                "\(node.name): \(file.told)")
            changed = node
            changed.attributes["odd"] = "1"
            file = QuestionFile(with(changed), name: "x.xml")
            #expect(
                file.told.first?.contains("<\(node.name) odd>, \"1\", not-read") == true, "\(node.name): \(file.told)")
        }
    }
}
