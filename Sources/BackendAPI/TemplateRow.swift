package import ExamCore
package import Foundation

/// An exam that a backend offers: a paper in a format. Returned by `GET {base}/v1/templates`, and with its questions by
/// `…/templates/{template}`.
package struct TemplateRow: Codable, Equatable, Sendable {
    package var id: WrittenID
    package var title: String
    package var description: String?
    /// `Easy`, `Medium` or `Hard`.
    package var difficulty: String?
    /// The format's id.
    package var format: String
    /// The paper's id.
    package var paper: String
    /// The questions by part and order; nil in a list of templates.
    package var questions: [QuestionRow]?

    package init(
        id: UUID, title: String, description: String? = nil, difficulty: String? = nil, format: String, paper: String,
        questions: [QuestionRow]? = nil
    ) {
        self.id = WrittenID(id)
        self.title = title
        self.description = description
        self.difficulty = difficulty
        self.format = format
        self.paper = paper
        self.questions = questions
    }
}

/// The answer to `GET {base}/v1/templates`.
package struct TemplateList: Codable, Equatable, Sendable {
    package var templates: [TemplateRow]

    package init(templates: [TemplateRow]) { self.templates = templates }
}

/// A question of a template. A template has all questions that its parts may ask, even if a sitting asks only some.
package struct QuestionRow: Codable, Equatable, Sendable {
    /// The same id in every sitting.
    package var id: WrittenID
    /// The part, 1 to 9.
    package var part: Int
    /// The place among all questions of the part: 1, 2, 3 …
    package var order: Int
    package var text: String
    /// The question's id in its paper, or the id of its line in the format.
    package var question: String
    /// The name of its recording for `GET {base}/v1/templates/{template}/recording?name=…`; nil if a voice speaks it.
    package var audio: String?
    /// The words that are spoken.
    package var transcript: String?
    /// The longest answer in seconds.
    package var expectedDuration: Double?
    package var topicKeywords: [String]?

    package init(
        id: UUID, part: Int, order: Int, text: String, question: String, audio: String? = nil,
        transcript: String? = nil, expectedDuration: Double? = nil, topicKeywords: [String]? = nil
    ) {
        self.id = WrittenID(id)
        self.part = part
        self.order = order
        self.text = text
        self.question = question
        self.audio = audio
        self.transcript = transcript
        self.expectedDuration = expectedDuration
        self.topicKeywords = topicKeywords
    }
}

/// The complete exam of a template, for a client to hold: `GET {base}/v1/templates/{template}/exam`. Both fields have
/// the form of their files.
package struct TemplateExamRow: Codable, Equatable, Sendable {
    package var format: ExamFormat
    package var paper: Paper

    package init(format: ExamFormat, paper: Paper) {
        self.format = format
        self.paper = paper
    }
}
