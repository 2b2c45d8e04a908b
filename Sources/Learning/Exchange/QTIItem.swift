public import ExamCore
import Papers
public import SystemSupport

/// A multiple-choice question as an item of QTI 3 (1EdTech's Question and Test Interoperability, `imsqtiasi_v3p0`): one of its interactions, a
/// choice of one, which is simple enough to be right. The explanation is a rubric for tutors; topic, difficulty and level are `data-` attributes
/// of the interaction, where the standard leaves room for them.
public enum QTIItem {
    /// - Returns: nil for a question of another kind.
    public static func text(of question: PracticeQuestion) -> String? {
        guard case .multipleChoice(let key) = question.key else { return nil }
        let escaped = XMLNode.escaped
        let choices = key.options.enumerated().map {
            "      <qti-simple-choice identifier=\"\(identifier($0))\">\(escaped($1))</qti-simple-choice>"
        }
        var data = " data-topic=\"\(escaped(question.topic))\" data-difficulty=\"\(question.difficulty.rawValue)\""
        if let bloom = question.bloom { data += " data-bloom=\"\(bloom.rawValue)\"" }
        if let writer = question.writtenBy { data += " data-written-by=\"\(escaped(writer))\"" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
              xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqtiasi_v3p0 https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd"
              identifier="\(question.id)" title="\(escaped(question.topic))" adaptive="false" time-dependent="false" xml:lang="en">
              <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier">
                <qti-correct-response>
                  <qti-value>\(identifier(key.correct))</qti-value>
                </qti-correct-response>
              </qti-response-declaration>
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
                <qti-choice-interaction response-identifier="RESPONSE" shuffle="false" max-choices="1"\(data)>
                  <qti-prompt>\(escaped(question.prompt))</qti-prompt>
            \(choices.joined(separator: "\n"))
                </qti-choice-interaction>
              </qti-item-body>
              <qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml"/>
            </qti-assessment-item>

            """
    }

    /// `A`, `B` …
    private static func identifier(_ place: Int) -> String { String(Character(Unicode.Scalar(UInt8(65 + place)))) }

    // MARK: - Reading

    /// What a file of somebody else's may lack.
    public struct Defaults: Sendable {
        public var topic: String?
        public var difficulty: Paper.Difficulty?
        public var explanation: String?

        public init(topic: String? = nil, difficulty: Paper.Difficulty? = nil, explanation: String? = nil) {
            self.topic = topic
            self.difficulty = difficulty
            self.explanation = explanation
        }
    }

    /// - Throws: `Problem.malformed` with file and line: what is no such item, and what this program does not have, by its name.
    public static func question(
        _ item: XMLNode, name: String, defaults: Defaults
    ) throws(Problem) -> PracticeQuestion {
        func wrong(_ node: XMLNode, _ what: String) -> Problem { Problem(.malformed, "\(name):\(node.line): \(what)") }
        guard item.name == "qti-assessment-item" else {
            throw wrong(item, "<\(item.name)> is no item of QTI 3; it should be <qti-assessment-item>")
        }
        guard let body = item.children("qti-item-body").first else { throw wrong(item, "it has no <qti-item-body>") }
        if let other = firstUnknown(in: body) {
            throw wrong(other, "<\(other.name)> is not read here: an item is a choice of one, in plain words")
        }
        let interactions = body.all("qti-choice-interaction")
        guard let choice = interactions.first, interactions.count == 1 else {
            throw wrong(body, "it has \(interactions.count) choices (<qti-choice-interaction>), and one is read")
        }
        guard
            let declared = item.children("qti-response-declaration").first(where: {
                $0.attributes["identifier"] == choice.attributes["response-identifier"]
            }), declared.attributes["cardinality"] == "single", choice.attributes["max-choices"] ?? "1" == "1"
        else {
            throw wrong(choice, "more than one option may be right; a choice of one is read")
        }
        let options = choice.children("qti-simple-choice")
        let right = declared.children("qti-correct-response").first?.children("qti-value").first?.text
        guard let correct = options.firstIndex(where: { $0.attributes["identifier"] == right }) else {
            throw wrong(declared, "<qti-correct-response> names none of the options")
        }
        let data = choice.attributes
        let outside = body.children.filter { $0.name != "qti-choice-interaction" && $0.name != "qti-rubric-block" }
        let prompt = (outside.map(\.text) + choice.children("qti-prompt").map(\.text)).filter { !$0.isEmpty }
        guard let difficulty = data["data-difficulty"].flatMap(Paper.Difficulty.init) ?? defaults.difficulty else {
            throw wrong(choice, "nothing says how hard it is; --difficulty says it for all")
        }
        guard let explanation = body.all("qti-rubric-block").first?.text ?? defaults.explanation else {
            throw wrong(
                body, "nothing explains the right answer (<qti-rubric-block>); --explanation says something for all")
        }
        let topic = data["data-topic"] ?? defaults.topic ?? item.attributes["title"] ?? ""
        return PracticeQuestion(
            id: id(item.attributes["identifier"] ?? ""), topic: topic.lowercased(), difficulty: difficulty,
            bloom: data["data-bloom"].flatMap(Bloom.init), prompt: prompt.joined(separator: " "),
            key: .multipleChoice(.init(options: options.map(\.text), correct: correct)), explanation: explanation,
            writtenBy: data["data-written-by"])
    }

    /// Small letters, digits and hyphens.
    private static func id(_ text: String) -> String {
        text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    /// Anything but words: a picture or a formula that is left out would change what is asked.
    private static func firstUnknown(in node: XMLNode) -> XMLNode? {
        for child in node.children {
            guard known.contains(child.name) else { return child }
            if let unknown = firstUnknown(in: child) { return unknown }
        }
        return nil
    }

    private static let known: Set<String> = [
        "qti-choice-interaction", "qti-prompt", "qti-simple-choice", "qti-rubric-block", "qti-content-body", "p", "div",
        "span",
        "em", "strong", "b", "i", "br",
    ]
}
