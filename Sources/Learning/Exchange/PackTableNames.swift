extension PackTable {
    /// The meaning of the columns of a table. Headings may be in capitals and have spaces.
    public static let contract = ImportContract(
        understood: columns,
        harmless: [
            "number": "rows are counted", "no": "rows are counted", "nr": "rows are counted",
            "#": "rows are counted", "points": "an answer is right or wrong, and each question counts the same",
            "time_limit": "no question has a time limit", "date": "is not shown", "created_at": "is not shown",
            "updated_at": "is not shown", "author": "is not shown",
        ],
        refused: [
            "image": "pictures are not supported: describe the picture in words, and remove this column",
            "picture": "pictures are not supported: describe the picture in words, and remove this column",
            "audio": "sounds are not supported: write what is said, and remove this column",
            "hint": "hints are not supported: remove this column",
        ])

    /// Other programs' headings, and the columns that they mean.
    static let headings: [String: String] = {
        var headings = [
            "question": "prompt", "question_text": "prompt", "stem": "prompt", "correct_answer": "correct",
            "correct_option": "correct", "right": "correct", "key": "correct", "category": "topic", "subject": "topic",
            "feedback": "explanation", "rationale": "explanation", "reason": "explanation",
        ]
        for (place, option) in options.enumerated() {
            let letter = String(Character(Unicode.Scalar(UInt8(97 + place))))
            for word in ["option", "choice", "answer"] {
                for mark in ["_\(place + 1)", "\(place + 1)", "_\(letter)"] { headings[word + mark] = option }
            }
            headings[letter] = option
        }
        return headings
    }()

    /// Returns the column that a heading means, or an empty text for a harmless one.
    static func name(of heading: String, in header: [String]) -> String {
        if columns.contains(heading) { return heading }
        if contract.ignores(heading) { return "" }
        // An answer is one of the options, if there are any.
        if heading == "answer" {
            let hasOptions = header.contains { options.contains(Self.headings[$0] ?? $0) }
            return hasOptions ? "correct" : "accepted"
        }
        return headings[heading] ?? heading
    }
}
