import ExamCore
import Foundation
import HTTPClient
import SystemSupport

/// A template's questions as a paper, with the sections `part-1`, `part-2`, `part-2-more` and `part-3` that
/// `ExamFormat.givenQuestions(for:)` of `ExamKit` asks for.
///
/// The paper has the template's id, and each question has the id of its row, so that a session's deliveries refer to
/// them.
struct TemplatePaper {
    let paper: Paper
    /// The errors that prevent an exam with them, and the warnings.
    let validation: Validation

    /// - Parameter audio: Returns the path of a question's recording, relative to the exam's folder of recordings; nil
    ///   if it has none.
    init(_ template: ExamTemplate, _ questions: [TemplateQuestion], audio: (TemplateQuestion) -> String?) {
        validation = Self.mapping(of: questions, in: template)
        var sections: [String: [Paper.Frame]] = [:]
        for part in 1...3 {
            let asked = questions.filter { $0.part == part }.sorted { $0.order < $1.order }
                .map { Self.question($0, audio: audio($0)) }
            guard !asked.isEmpty else { continue }
            // Only the card of the long turn has time for preparation. The other questions round it off.
            let first = part == 2 ? Array(asked.prefix(1)) : asked
            let more = Array(asked.dropFirst(first.count))
            sections["part-\(part)"] = [Paper.Frame(id: "part-\(part)", questions: first)]
            if !more.isEmpty { sections["part-\(part)-more"] = [Paper.Frame(id: "part-\(part)-more", questions: more)] }
        }
        paper = Paper(id: template.id.name, title: template.title, sections: sections)
    }

    /// Checks that places and ids of questions match one to one.
    private static func mapping(of questions: [TemplateQuestion], in template: ExamTemplate) -> Validation {
        struct Place: Hashable { var part, order: Int }
        var validation = Validation()
        let name = "template \"\(template.title)\""
        if questions.isEmpty { validation.error("\(name): has no questions that this user may read") }
        let ids = Dictionary(grouping: questions, by: \.id)
        for (id, twins) in ids.sorted(by: { $0.key.name < $1.key.name }) where twins.count > 1 {
            validation.error("\(name): question \(id.name): occurs \(twins.count) times")
        }
        let places = Dictionary(grouping: questions) { Place(part: $0.part, order: $0.order) }
        for (place, twins) in places.sorted(by: { ($0.key.part, $0.key.order) < ($1.key.part, $1.key.order) })
        where twins.count > 1 {
            validation.error("\(name): part \(place.part): \(twins.count) questions have the place \(place.order)")
        }
        for question in questions where !(1...3).contains(question.part) {
            validation.error(
                "\(name): question \(question.id.name): is in part \(question.part); there are parts 1 to 3")
        }
        let unspoken = questions.count { $0.recording == nil }
        if unspoken > 0 {
            validation.warning(
                "\(name): \(unspoken) of \(questions.count) questions have no recording: this machine's voice asks them"
            )
        }
        return validation
    }

    private static func question(_ question: TemplateQuestion, audio: String?) -> Paper.Question {
        let text = question.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let card = question.part == 2 ? Paper.Card(lines: text) : nil
        return Paper.Question(id: question.id.name, text: card?.topic ?? text, audio: audio, card: card)
    }
}

extension Paper.Card {
    /// A cue card as people write it into one field: the topic, "You should say:", a line for each point, "and explain
    /// …".
    ///
    /// nil if the text has no such lines. It is then shown as it is.
    init?(lines text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0.isWhitespace || "-•*–".contains($0) }).trimmed
        }.filter { !$0.isEmpty }
        guard let heading = lines.firstIndex(where: { $0.lowercased().hasPrefix("you should say") }), heading > 0,
            let end = lines.firstIndex(where: { $0.lowercased().hasPrefix("and ") }), end > heading + 1
        else { return nil }
        self.init(
            topic: lines[..<heading].joined(separator: " "), points: Array(lines[(heading + 1)..<end]),
            explain: lines[end...].joined(separator: " "))
    }
}
