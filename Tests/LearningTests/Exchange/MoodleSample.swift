import Papers
import SystemSupport
import XMLFiles

@testable import Learning

/// A Moodle XML file with every element and attribute that its reader accepts, and ways to change it.
enum MoodleSample {
    static let all = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Written by hand. -->
        <quiz>
        <question type="category">
          <category><text>$course$/top/Kitchen/Cutting bread</text></category>
          <name><text>Cutting</text></name>
          <info format="html"><text>About knives</text></info>
          <idnumber>c1</idnumber>
        </question>
        <question type="multichoice">
          <name><text>Bread knife</text></name>
          <questiontext format="html"><text><![CDATA[<p>What cuts a&nbsp;<b>loaf</b> best?</p>]]></text></questiontext>
          <generalfeedback format="html"><text>&lt;p&gt;A saw cuts the crust.&lt;/p&gt;</text></generalfeedback>
          <defaultgrade>2.0000000</defaultgrade>
          <penalty>0.3333333</penalty>
          <hidden>0</hidden>
          <idnumber>knife-1</idnumber>
          <image></image>
          <image_base64></image_base64>
          <single>true</single>
          <shuffleanswers>true</shuffleanswers>
          <answernumbering>abc</answernumbering>
          <showstandardinstruction>0</showstandardinstruction>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <correctresponsesfeedback>0</correctresponsesfeedback>
          <answer fraction="0" format="html"><text>A spoon</text><feedback format="html"><text>Try it.</text></feedback></answer>
          <answer fraction="100" format="html"><text>A knife with teeth</text><feedback format="html"><text></text></feedback></answer>
          <answer fraction="-50" format="plain_text"><text>A thread &lt; 1 mm</text></answer>
          <hint format="html"><text>It is long.</text><shownumcorrect/><clearwrong/><options>1</options></hint>
          <tags><tag><text>difficulty-easy</text></tag><tag><text type="s">bakery</text></tag></tags>
          <coursetags><tag><text>week 3</text></tag></coursetags>
        </question>
        <question type="truefalse">
          <name><text>Crumbs</text></name>
          <questiontext format="plain_text"><text>Dry bread makes crumbs.</text></questiontext>
          <showstandardinstruction>1</showstandardinstruction>
          <answer fraction="100" format="moodle_auto_format"><text>true</text><feedback><text>It breaks.</text></feedback></answer>
          <answer fraction="0"><text>false</text></answer>
        </question>
        <question type="shortanswer">
          <name><text>Yeast</text></name>
          <questiontext format="moodle_auto_format"><text>Dough rises because of ___.</text></questiontext>
          <usecase>0</usecase>
          <answer fraction="100"><text>yeast</text><tolerance>0</tolerance></answer>
          <answer fraction="100"><text>sour\\*dough</text></answer>
          <answer fraction="0"><text>*</text><feedback><text>No.</text></feedback></answer>
        </question>
        <question type="numerical">
          <name><text>Oven</text></name>
          <questiontext format="html"><text>How hot is the oven?</text></questiontext>
          <answer fraction="100"><text>230</text><tolerance>10</tolerance><feedback><text>It is hot.</text></feedback></answer>
          <answer><text>500</text><tolerance>0</tolerance><fraction>0</fraction></answer>
          <units><unit><multiplier>1</multiplier><unit_name>°C</unit_name></unit></units>
          <unitgradingtype>0</unitgradingtype>
          <unitpenalty>0.1000000</unitpenalty>
          <showunits>0</showunits>
          <unitsleft>0</unitsleft>
          <instructions format="html"><text></text></instructions>
        </question>
        <question type="multichoice">
          <name><text>Plants</text></name>
          <questiontext format="html"><text>What is right about plants?</text></questiontext>
          <single>false</single>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <answer fraction="50" format="html"><text>Rye</text></answer>
          <answer fraction="-50" format="html"><text>Salt</text></answer>
          <answer fraction="50" format="html"><text>Wheat</text></answer>
        </question>
        <question type="multichoiceset">
          <name><text>Grains</text></name>
          <questiontext format="html"><text>What is right about grains?</text></questiontext>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <answer fraction="100" format="html"><text>Rye</text></answer>
          <answer fraction="0" format="html"><text>Salt</text></answer>
          <answer fraction="100" format="html"><text>Wheat</text></answer>
        </question>
        <question type="matching">
          <name><text>Tools</text></name>
          <questiontext format="html"><text>What is right about tools?</text></questiontext>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <subquestion format="html"><text>cut bread</text><answer><text>a knife</text></answer></subquestion>
          <subquestion format="html"><text>eat soup</text><answer><text>a spoon</text></answer></subquestion>
          <subquestion format="html"><text></text><answer><text>a fork</text></answer></subquestion>
        </question>
        <question type="ddmatch">
          <name><text>Cutlery</text></name>
          <questiontext format="html"><text>What is right about cutlery?</text></questiontext>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <subquestion format="html"><text>cut bread</text><answer><text>a knife</text></answer></subquestion>
          <subquestion format="html"><text>eat soup</text><answer><text>a spoon</text></answer></subquestion>
          <subquestion format="html"><text></text><answer><text>a fork</text></answer></subquestion>
        </question>
        <question type="ordering">
          <name><text>Steps</text></name>
          <questiontext format="html"><text>What is right about steps?</text></questiontext>
          <layouttype>VERTICAL</layouttype>
          <selecttype>ALL</selecttype>
          <selectcount>3</selectcount>
          <gradingtype>ABSOLUTE_POSITION</gradingtype>
          <showgrading>SHOW</showgrading>
          <numberingstyle>abc</numberingstyle>
          <correctfeedback format="html"><text>Yes!</text></correctfeedback>
          <partiallycorrectfeedback format="html"><text>Nearly.</text></partiallycorrectfeedback>
          <incorrectfeedback format="html"><text>No.</text></incorrectfeedback>
          <shownumcorrect/>
          <answer fraction="1.0000000" format="moodle_auto_format"><text>Mix</text></answer>
          <answer fraction="3.0000000" format="moodle_auto_format"><text>Bake</text></answer>
          <answer fraction="2.0000000" format="moodle_auto_format"><text>Knead</text></answer>
        </question>
        </quiz>
        """

    /// The number of its questions.
    static let count = 9
    /// The number of its last line.
    static let lines = all.split(separator: "\n", omittingEmptySubsequences: false).count

    static func file(_ text: String) throws -> QuestionFile {
        QuestionFile(try XMLReader.read(Array(text.utf8)), name: "x.xml")
    }

    /// Returns a file with one question.
    static func quiz(_ type: String, _ content: String, asked: String = "What cuts bread?") -> String {
        """
        <quiz>
        <question type="\(type)"><name><text>n</text></name>
        <questiontext format="html"><text><![CDATA[\(asked)]]></text></questiontext>
        \(content)
        </question>
        </quiz>
        """
    }

    static func answer(_ points: String, _ text: String, _ more: String = "") -> String {
        "<answer fraction=\"\(points)\"><text>\(text)</text>\(more)</answer>"
    }
}

extension QuestionFile {
    /// All mistakes as sentences.
    var told: [String] { (mistakes + unread.flatMap(\.mistakes)).map { $0.sentence(in: "x.xml") } }
}

extension XMLNode {
    /// Returns this node and all below it, each with a function that gives the whole with that node changed.
    func changes() -> [(node: XMLNode, with: (XMLNode) -> XMLNode)] {
        var all: [(XMLNode, (XMLNode) -> XMLNode)] = [(self, { $0 })]
        for (place, content) in content.enumerated() {
            guard case .element(let inner) = content else { continue }
            for (node, change) in inner.changes() {
                all.append(
                    (
                        node,
                        { new in
                            var whole = self
                            whole.content[place] = .element(change(new))
                            return whole
                        }
                    ))
            }
        }
        return all
    }
}
