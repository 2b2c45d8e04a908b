package import ExamCore
package import Foundation

/// An exam that a backend offers: a paper in a format (D2). `GET {base}/v1/templates`, and `…/templates/{template}` with its questions.
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
    /// By part and order; nil in a list of templates.
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

/// What `GET {base}/v1/templates` answers.
package struct TemplateList: Codable, Equatable, Sendable {
    package var templates: [TemplateRow]

    package init(templates: [TemplateRow]) { self.templates = templates }
}

/// A question of a template (D3): all that its parts may ask, whichever of them a sitting chooses.
package struct QuestionRow: Codable, Equatable, Sendable {
    /// The same for whatever sitting asks it (D11).
    package var id: WrittenID
    /// 1 to 9.
    package var part: Int
    /// 1, 2, 3 … among all questions of the part.
    package var order: Int
    package var text: String
    /// The question's id in its paper, or its line's in the format.
    package var question: String
    /// The name of its recording: `GET {base}/v1/templates/{template}/recording?name=…`. nil: a voice speaks it.
    package var audio: String?
    /// What is said.
    package var transcript: String?
    /// How long an answer may be at most, seconds.
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

/// The very exam of a template, to be held by a client: `GET {base}/v1/templates/{template}/exam`. Both as their files have them.
package struct TemplateExamRow: Codable, Equatable, Sendable {
    package var format: ExamFormat
    package var paper: Paper

    package init(format: ExamFormat, paper: Paper) {
        self.format = format
        self.paper = paper
    }
}
