import Papers
import SystemSupport

/// The treatment of the elements and attributes of a Moodle XML file. Names are `element`, `element@attribute` and
/// `type="kind"`. Texts are treated as `HTMLContract` declares.
public enum MoodleContract {
    public static let contract = ImportContract(
        understood: [
            "quiz", "question", "question@type", "type=\"category\"", "type=\"multichoice\"", "type=\"truefalse\"",
            "type=\"shortanswer\"", "type=\"numerical\"", "type=\"multichoiceset\"", "type=\"matching\"",
            "type=\"ddmatch\"", "type=\"ordering\"", "subquestion", "subquestion@format", "category", "name",
            "questiontext", "questiontext@format",
            "text", "generalfeedback", "generalfeedback@format", "idnumber", "hidden", "tags", "tag", "answer",
            "answer@fraction", "answer@format", "fraction", "feedback", "feedback@format", "single", "usecase",
            "tolerance", "units", "unit", "unit_name", "multiplier", "unitgradingtype", "showunits", "unitsleft",
            "instructions", "instructions@format", "image", "image_base64",
        ],
        harmless: [
            "info": "describes the category to teachers", "info@format": "describes the category to teachers",
            "name of a category": "the category's path is used instead",
            "tolerance of words": "only numbers have a tolerance",
            "text@type": "names the kind of text",
            "coursetags": "teachers use them to find questions",
            "defaultgrade": "each question counts the same", "penalty": "an answer is right or wrong",
            "unitpenalty": "an answer is right or wrong", "shuffleanswers": "options are reordered each time",
            "answernumbering": "options are reordered each time",
            "layouttype": "only changes the look", "numberingstyle": "only changes the look",
            "selecttype": "all items are asked", "selectcount": "all items are asked",
            "gradingtype": "each item in its right place counts", "showgrading": "the right order is shown",
            "showstandardinstruction": "the screen says how to answer",
            "correctfeedback": "is shown only after right answers",
            "correctfeedback@format": "is shown only after right answers",
            "partiallycorrectfeedback": "an answer is right or wrong",
            "partiallycorrectfeedback@format": "an answer is right or wrong",
            "incorrectfeedback": "a question has one explanation",
            "incorrectfeedback@format": "a question has one explanation",
            "shownumcorrect": "an answer is right or wrong", "correctresponsesfeedback": "an answer is right or wrong",
            "hint": "a question is answered only once, without hints",
            "hint@format": "a question is answered only once, without hints",
            "clearwrong": "a question is answered only once, without hints",
            "options": "a question is answered only once, without hints",
        ],
        refused: [
            "file": "pictures, sounds and files are not supported: describe them in words",
            "type=\"essay\"": "essays are not supported: remove it",
            "type=\"description\"": "descriptions are not supported: remove it",
            "type=\"match\"": "write it as type=\"matching\"",
            "type=\"randomsamatch\"": "takes its pairs from other questions: write the pairs as type=\"matching\"",
            "type=\"cloze\"": "several answers in one text are not supported: write a question for each gap",
            "type=\"multianswer\"": "several answers in one text are not supported: write a question for each gap",
            "type=\"gapselect\"": "several answers in one text are not supported: write a question for each gap",
            "type=\"gapfill\"": "several answers in one text are not supported: write a question for each gap",
            "type=\"ddwtos\"": "dragging is not supported: write a question for each gap",
            "type=\"ddimageortext\"": "dragging is not supported: remove it",
            "type=\"ddmarker\"": "dragging is not supported: remove it",
            "type=\"calculated\"": "numbers that change each time are not supported: write the numbers",
            "type=\"calculatedsimple\"": "numbers that change each time are not supported: write the numbers",
            "type=\"calculatedmulti\"": "numbers that change each time are not supported: write the numbers",
            "type=\"stack\"": "formulas as answers are not supported: remove it",
            "type=\"coderunner\"": "programs as answers are not supported: remove it",
            "type=\"random\"": "chooses among other questions, which is not supported: remove it",
        ])

    /// The elements that may be directly inside an element. Elements that are not listed have text alone.
    private static let places: [String: Set<String>] = [
        "category": ["text"], "info": text, "name": ["text"], "questiontext": text, "generalfeedback": text,
        "correctfeedback": text, "partiallycorrectfeedback": text, "incorrectfeedback": text, "feedback": text,
        "instructions": text, "tags": ["tag"], "coursetags": ["tag"], "tag": ["text"], "units": ["unit"],
        "unit": ["unit_name", "multiplier"], "subquestion": text.union(["answer"]),
        "hint": text.union(["shownumcorrect", "clearwrong", "options"]),
    ]
    private static let text: Set<String> = ["text", "file"]
    private static let always: Set<String> = [
        "name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber", "tags",
        "coursetags", "answer", "hint", "image", "image_base64", "shuffleanswers",
    ]
    /// The elements that questions of a type have, besides those that all have.
    private static let own: [String: Set<String>] = [
        "multichoice": combined.union(["single", "answernumbering", "correctresponsesfeedback"]),
        "multichoiceset": combined.union(["answernumbering", "correctresponsesfeedback"]),
        "matching": combined.union(["subquestion"]), "ddmatch": combined.union(["subquestion"]),
        "ordering": combined.union([
            "layouttype", "selecttype", "selectcount", "gradingtype", "showgrading", "numberingstyle",
        ]),
        "truefalse": ["showstandardinstruction"], "shortanswer": ["usecase"],
        "numerical": ["units", "unitgradingtype", "unitpenalty", "showunits", "unitsleft", "instructions"],
    ]
    /// The elements of questions whose answers have several parts.
    private static let combined: Set<String> = [
        "showstandardinstruction", "correctfeedback", "partiallycorrectfeedback", "incorrectfeedback", "shownumcorrect",
    ]
    /// The elements of answers of a type, besides their text. Other answers have feedback alone.
    private static let answer: [String: Set<String>] = [
        "numerical": ["feedback", "tolerance", "fraction"], "shortanswer": ["feedback", "tolerance"],
    ]
    /// The elements that may occur more than once.
    private static let several: Set<String> = ["answer", "hint", "tag", "unit", "file", "subquestion"]

    /// Checks a question, of one of the types that are understood, with everything in it.
    ///
    /// - Throws: a mistake that names the first part that is neither understood nor harmless here.
    static func check(_ question: XMLNode, type: String) throws(ImportMistake) {
        try check(question) { parent in
            switch parent {
            case "question":
                type == "category" ? ["category", "info", "idnumber", "name"] : always.union(own[type] ?? [])
            case "answer": text.union(answer[type] ?? ["feedback"])
            default: places[parent] ?? []
            }
        }
    }

    /// Checks the attributes of an element.
    static func checkAttributes(_ node: XMLNode) throws(ImportMistake) {
        for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
            guard let remedy = contract.remedy("\(node.name)@\(name)") else { continue }
            throw ImportMistake(line: node.line, "<\(node.name) \(name)>", value, .notRead, remedy)
        }
    }

    private static func check(_ node: XMLNode, _ places: (String) -> Set<String>) throws(ImportMistake) {
        try checkAttributes(node)
        let allowed = places(node.name)
        for child in node.children where contract.remedy(child.name) != nil {
            throw child.wrong(.notRead, contract.remedy(child.name) ?? "")
        }
        // Elements with text alone have no children, and those with children no text.
        if allowed.isEmpty {
            if let child = node.children.first { throw child.wrong(.notRead, "is not supported inside <\(node.name)>") }
        } else {
            try node.checkChildren(allowed)
        }
        var seen: Set<String> = []
        for child in node.children {
            // Old versions of Moodle write some harmless elements twice.
            let maybe = several.contains(child.name) || contract.ignores(child.name)
            guard maybe || seen.insert(child.name).inserted else {
                throw child.wrong(.notRead, "is there twice: remove one")
            }
            try check(child, places)
        }
    }
}
