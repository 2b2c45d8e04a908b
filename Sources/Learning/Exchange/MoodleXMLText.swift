import Papers
import SystemSupport

/// Writes a pack as Moodle XML, with texts that are plain words.
///
/// Topics become categories. Ids, difficulties and levels become `idnumber` and tags, which survive a round trip.
public enum MoodleXMLText {
    /// Returns whether Moodle XML can hold a question. Spoken questions do not fit.
    public static func holds(_ question: PracticeQuestion) -> Bool {
        if case .spoken = question.key { false } else { true }
    }

    /// Returns the XML, without the questions that it cannot hold.
    public static func text(of pack: QuestionPack) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n"
        var topic: String?
        for question in pack.questions where holds(question) {
            if question.topic != topic {
                topic = question.topic
                let path = CategoryPath.path([pack.id, question.topic])
                text += "  <question type=\"category\">\n    <category>\(words(path))</category>\n  </question>\n"
            }
            text += self.text(of: question)
        }
        return text + "</quiz>\n"
    }

    private static func text(of question: PracticeQuestion) -> String {
        let (type, key) =
            switch question.key {
            case .multipleChoice(let key): ("multichoice", choice(key))
            case .multipleResponse(let key): ("multichoice", responses(key))
            case .ordering(let key): ("ordering", order(key))
            case .matching(let key): ("matching", pairs(key))
            case .fillInTheBlank(let key): ("shortanswer", blank(key))
            case .calculation(let key): ("numerical", calculation(key))
            case .spoken: ("", [""])
            }
        let tags = question.tags(withUnits: false).map { "<tag>\(words($0))</tag>" }.joined()
        let lines =
            [
                "<name>\(words(question.id))</name>", plain("questiontext", question.prompt),
                plain("generalfeedback", question.explanation), "<defaultgrade>1</defaultgrade>",
                "<penalty>0.3333333</penalty>", "<hidden>0</hidden>",
                "<idnumber>\(XMLNode.escaped(question.id))</idnumber>",
            ] + key + ["<tags>\(tags)</tags>"]
        return "  <question type=\"\(type)\">\n" + lines.map { "    \($0)\n" }.joined() + "  </question>\n"
    }

    private static func choice(_ key: AnswerKey.MultipleChoice) -> [String] {
        ["<single>true</single>", "<shuffleanswers>true</shuffleanswers>", "<answernumbering>abc</answernumbering>"]
            + key.options.enumerated().map {
                plain("answer", $1, " fraction=\"\($0 == key.correct ? 100 : 0)\"")
            }
    }

    private static func responses(_ key: AnswerKey.MultipleResponse) -> [String] {
        ["<single>false</single>", "<shuffleanswers>true</shuffleanswers>", "<answernumbering>abc</answernumbering>"]
            + key.options.enumerated().map {
                plain("answer", $1, " fraction=\"\(MoodlePoints.percent(of: $0, key).plain)\"")
            }
    }

    /// Returns the elements of an ordering question, as Moodle's qtype_ordering writes them: the points of an answer
    /// are its place, from 1.
    private static func order(_ key: AnswerKey.Ordering) -> [String] {
        [
            "<layouttype>VERTICAL</layouttype>", "<selecttype>ALL</selecttype>",
            "<selectcount>\(key.options.count)</selectcount>", "<gradingtype>ABSOLUTE_POSITION</gradingtype>",
            "<showgrading>SHOW</showgrading>", "<numberingstyle>none</numberingstyle>",
        ] + key.correct.enumerated().map { plain("answer", key.options[$1], " fraction=\"\($0 + 1)\"") }
    }

    private static func pairs(_ key: AnswerKey.Matching) -> [String] {
        func pair(_ premise: String, _ option: String) -> String {
            "<subquestion format=\"plain_text\">\(words(premise))<answer>\(words(option))</answer></subquestion>"
        }
        return ["<shuffleanswers>true</shuffleanswers>"]
            + zip(key.premises, key.correct).map { pair($0, key.options[$1]) } + key.others.map { pair("", $0) }
    }

    private static func blank(_ key: AnswerKey.FillInTheBlank) -> [String] {
        // In Moodle, a star is a wildcard unless it has a backslash.
        ["<usecase>0</usecase>"] + key.accepted.map { answer($0.replacing("*", with: "\\*")) }
    }

    private static func calculation(_ key: AnswerKey.Calculation) -> [String] {
        let tolerance = "<tolerance>\((key.tolerance ?? 0).plain)</tolerance>"
        let answer = [answer(key.value.plain, tolerance), "<unitgradingtype>0</unitgradingtype>"]
        guard let units = key.units, !units.isEmpty else { return answer + ["<showunits>3</showunits>"] }
        let all = units.map {
            "<unit><multiplier>1</multiplier><unit_name>\(XMLNode.escaped($0))</unit_name></unit>"
        }
        return answer + [
            "<showunits>0</showunits>", "<unitsleft>0</unitsleft>", "<units>\(all.joined())</units>",
        ]
    }

    private static func answer(_ text: String, _ more: String = "") -> String {
        "<answer fraction=\"100\">\(words(text))\(more)</answer>"
    }

    private static func plain(_ name: String, _ text: String, _ attributes: String = "") -> String {
        "<\(name)\(attributes) format=\"plain_text\">\(words(text))</\(name)>"
    }

    private static func words(_ text: String) -> String { "<text>\(XMLNode.escaped(text))</text>" }
}

/// The points of options of which several are right, in Moodle's formats.
enum MoodlePoints {
    /// Returns the percentage for choosing an option: an equal share for a right one, and the same taken away for a
    /// wrong one. Moodle knows shares with five decimals.
    static func percent(of place: Int, _ key: AnswerKey.MultipleResponse) -> Double {
        let share = (10_000_000 / Double(key.correct.count)).rounded() / 100_000
        return key.correct.contains(place) ? share : -share
    }
}
