import ExamCore
import Papers
import SystemSupport

/// Writes a question as an item of QTI 3 (1EdTech's Question and Test Interoperability, `imsqtiasi_v3p0`). It uses the
/// interactions that are simple enough to be exact: choice, order, match and typed text. The explanation becomes
/// a rubric for tutors. Topic, difficulty and level become `data-` attributes of the interaction, which the standard
/// allows for such data.
public enum QTIItem {
    /// Returns the item, or nil for a spoken question.
    public static func text(of question: PracticeQuestion) -> String? {
        switch question.key {
        case .multipleChoice(let key):
            item(
                question, declaration: declaration("single", "identifier", [letter(key.correct)]),
                body: interaction(question, QTIReader.choice, " max-choices=\"1\"", choices(key.options)),
                processing: template("match_correct"))
        case .multipleResponse(let key):
            item(
                question, declaration: declaration("multiple", "identifier", key.correct.map(letter)),
                body: interaction(question, QTIReader.choice, " max-choices=\"0\"", choices(key.options)),
                processing: template("match_correct"))
        case .ordering(let key):
            item(
                question, declaration: declaration("ordered", "identifier", key.correct.map(letter)),
                body: interaction(question, QTIReader.order, "", choices(key.options)),
                processing: template("match_correct"))
        case .matching(let key):
            item(
                question,
                declaration: declaration(
                    "multiple", "directedPair", key.correct.enumerated().map { "P\($0 + 1) \(letter($1))" }),
                body: interaction(
                    question, QTIReader.match, " max-associations=\"\(key.premises.count)\"",
                    matchSet(key.premises, "1") { "P\($0 + 1)" }
                        + matchSet(key.options, "\(key.premises.count)", letter)),
                processing: template("match_correct"))
        case .fillInTheBlank(let key):
            item(
                question, declaration: blankDeclaration(key), body: entry(question),
                processing: template("map_response"))
        case .calculation(let key):
            item(
                question, declaration: numberDeclaration(key), body: entry(question, key.units), processing: nearly(key)
            )
        case .spoken: nil
        }
    }

    private static func item(
        _ question: PracticeQuestion, declaration: String, body: String, processing: String
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqtiasi_v3p0 https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd"
          identifier="\(identifier(question.id))" title="\(escaped(question.topic))" adaptive="false" time-dependent="false" xml:lang="en">
        \(declaration)
          <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float">
            <qti-default-value>
              <qti-value>0</qti-value>
            </qti-default-value>
          </qti-outcome-declaration>
          <qti-item-body>
            <qti-rubric-block view="tutor" use="instructions">
              <qti-content-body>
                <p>\(escaped(question.explanation))</p>
              </qti-content-body>
            </qti-rubric-block>
        \(body)
          </qti-item-body>
        \(processing)
        </qti-assessment-item>

        """
    }

    // MARK: - Kinds

    private static func declaration(_ cardinality: String, _ type: String, _ correct: [String]) -> String {
        let values = correct.map { "      <qti-value>\($0)</qti-value>" }
        return """
              <qti-response-declaration identifier="RESPONSE" cardinality="\(cardinality)" base-type="\(type)">
                <qti-correct-response>
            \(values.joined(separator: "\n"))
                </qti-correct-response>
              </qti-response-declaration>
            """
    }

    private static func interaction(
        _ question: PracticeQuestion, _ name: String, _ attributes: String, _ lines: [String]
    ) -> String {
        """
            <\(name) response-identifier="RESPONSE" shuffle="false"\(attributes)\(data(question))>
              <qti-prompt>\(escaped(question.prompt))</qti-prompt>
        \(lines.joined(separator: "\n"))
            </\(name)>
        """
    }

    private static func choices(_ options: [String]) -> [String] {
        options.enumerated().map {
            "      <qti-simple-choice identifier=\"\(letter($0))\">\(escaped($1))</qti-simple-choice>"
        }
    }

    private static func matchSet(_ texts: [String], _ most: String, _ name: (Int) -> String) -> [String] {
        ["      <qti-simple-match-set>"]
            + texts.enumerated().map {
                "        <qti-simple-associable-choice identifier=\"\(name($0))\" match-max=\"\(most)\">\(escaped($1))"
                    + "</qti-simple-associable-choice>"
            } + ["      </qti-simple-match-set>"]
    }

    private static func blankDeclaration(_ key: AnswerKey.FillInTheBlank) -> String {
        let entries = key.accepted.map {
            "      <qti-map-entry map-key=\"\(escaped($0))\" mapped-value=\"1\" case-sensitive=\"false\"/>"
        }
        return """
              <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="string">
                <qti-correct-response>
                  <qti-value>\(escaped(key.accepted.first ?? ""))</qti-value>
                </qti-correct-response>
                <qti-mapping default-value="0">
            \(entries.joined(separator: "\n"))
                </qti-mapping>
              </qti-response-declaration>
            """
    }

    private static func numberDeclaration(_ key: AnswerKey.Calculation) -> String {
        """
          <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="float">
            <qti-correct-response>
              <qti-value>\(key.value.plain)</qti-value>
            </qti-correct-response>
          </qti-response-declaration>
        """
    }

    /// Returns the prompt with the text field in its gap. Without a gap, the field gets a paragraph of its own.
    private static func entry(_ question: PracticeQuestion, _ units: [String]? = nil) -> String {
        var data = data(question)
        if let units { data += " data-units=\"\(escaped(Variants.text(of: units)))\"" }
        let field = "<qti-text-entry-interaction response-identifier=\"RESPONSE\"\(data)/>"
        let parts = question.prompt.split(separator: "___", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return "    <p>\(escaped(question.prompt))</p>\n    <p>\(field)</p>" }
        return "    <p>\(escaped(String(parts[0])))\(field)\(escaped(String(parts[1])))</p>"
    }

    // MARK: - Response processing

    private static func template(_ name: String) -> String {
        "  <qti-response-processing template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/\(name).xml\"/>"
    }

    private static func nearly(_ key: AnswerKey.Calculation) -> String {
        guard let tolerance = key.tolerance else { return template("match_correct") }
        return """
              <qti-response-processing>
                <qti-response-condition>
                  <qti-response-if>
                    <qti-equal tolerance-mode="absolute" tolerance="\(tolerance.plain) \(tolerance.plain)">
                      <qti-variable identifier="RESPONSE"/>
                      <qti-correct identifier="RESPONSE"/>
                    </qti-equal>
                    <qti-set-outcome-value identifier="SCORE">
                      <qti-base-value base-type="float">1</qti-base-value>
                    </qti-set-outcome-value>
                  </qti-response-if>
                </qti-response-condition>
              </qti-response-processing>
            """
    }

    // MARK: - Words

    private static func data(_ question: PracticeQuestion) -> String {
        var data = " data-topic=\"\(escaped(question.topic))\" data-difficulty=\"\(question.difficulty.rawValue)\""
        if let bloom = question.bloom { data += " data-bloom=\"\(bloom.rawValue)\"" }
        if let writer = question.writtenBy { data += " data-written-by=\"\(escaped(writer))\"" }
        return data
    }

    /// Returns an id as an XML name, which must not begin with a digit.
    private static func identifier(_ id: String) -> String { (id.first?.isLetter == true ? "" : "_") + escaped(id) }

    /// Returns an option's letter: `A`, `B` …
    private static func letter(_ place: Int) -> String { String(Character(Unicode.Scalar(UInt8(65 + place)))) }

    private static func escaped(_ text: String) -> String { XMLNode.escaped(text) }
}
