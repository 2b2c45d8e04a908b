package import ExamCore
package import ExamKit
import Foundation

/// An event of an exam for its client. Events are numbered, and repeated if the client missed them.
package enum LiveEvent: Equatable, Sendable {
    case state(LiveState)
    case play(LivePrompt)
    /// Stop the prompt of the event with this number.
    case stop(prompt: Int)
    case stored(AnswerRecord)
    case over(Exam.Outcome)

    /// Returns the event as JSON.
    func text(number: Int) -> String {
        switch self {
        case .state(let state):
            Wire.text(Wire.Numbered(type: "state", n: number, fields: state))
        case .play(let prompt):
            Wire.text(Wire.Numbered(type: "play", n: number, fields: Wire.Play(prompt: number, what: prompt)))
        case .stop(let prompt):
            "{\"type\":\"stop\",\"n\":\(number),\"prompt\":\(prompt)}"
        case .stored(let answer):
            Wire.text(
                Wire.Numbered(
                    type: "stored", n: number,
                    fields: Wire.Stored(
                        part: answer.part, order: answer.order, attempt: answer.attempt,
                        seconds: answer.duration?.duration.wireSeconds)))
        case .over(let outcome):
            "{\"type\":\"over\",\"n\":\(number),\"outcome\":\"\(outcome.rawValue)\"}"
        }
    }
}

/// A prompt of the examiner.
package struct LivePrompt: Encodable, Equatable, Sendable {
    /// The address of the sound: a path on this server.
    var url: String
    var seconds: Double
    /// The text to show. Nil if the format hides it.
    var text: String?
    /// The addresses of the sounds that are likely to be played next, the likeliest first. Nil if they were sent
    /// before.
    var ahead: [String]?
}

/// The state of an exam. See `state` in PROTOCOL.md. Fields that do not apply are absent.
package struct LiveState: Encodable, Equatable, Sendable {
    var stage: String
    var activity: String
    package var part: Int?
    var partTitle: String?
    /// The number of the exam's turn, from 0. Two states with the same number are about the same question.
    package var turn: Int?
    package var order: Int?
    package var text: String?
    package var card: Card?
    package var picture: PictureAnswer?
    /// The alternatives to choose from. Absent for other questions.
    package var alternatives: [AlternativeAnswer]?
    /// The chosen alternative, 1 or 2. Absent before the choice.
    package var choice: Int?
    /// The questions that are being prepared together. Absent if it is only one.
    var together: [Task]?
    /// Whether the turn is practice and does not count. Absent if it counts.
    package var practice: Bool?
    /// `introduction` if the turn's answer stays with the candidate; absent if it is assessed.
    package var purpose: QuestionPurpose?
    /// The wishes that the candidate may express now, in the order of `Wish`.
    package var allowed: [Wish]
    /// The wishes that will be allowed after some time, with the seconds until then.
    var allowedIn: [String: Double]?
    var notesAllowed: Bool
    /// The turn in whose preparation the notes for this one are or were written.
    var notesOf: Int?
    package var recording: Bool
    var recordingSeconds: Double?
    var preparationSeconds: Double?
    var answerSeconds: Double?
    var timeWarning: Bool
    var trouble: String?
    package var storing: Int
    package var problem: String?
    package var at: Double

    package struct Card: Encodable, Equatable, Sendable {
        package var topic: String
        package var points: [String]
        var explain: String

        package init(_ card: Paper.Card) { (topic, points, explain) = (card.topic, card.points, card.explain) }
    }

    /// One of several questions that are prepared together.
    package struct Task: Encodable, Equatable, Sendable {
        package var text: String
        package var picture: PictureAnswer?
    }

    /// Creates the state.
    ///
    /// - Parameter path: the path under which the exam's pictures are fetched.
    package init(_ view: SessionView, path: String = "") {
        let exam = view.exam
        func answer(_ picture: Paper.Picture?) -> PictureAnswer? {
            picture.map { PictureAnswer(description: $0.description, url: "\(path)/pictures/\($0.digest)") }
        }
        picture = answer(exam.picture)
        if !exam.alternatives.isEmpty { alternatives = exam.alternatives.map(AlternativeAnswer.init) }
        choice = exam.chosen.map { $0 + 1 }
        if !exam.together.isEmpty {
            together = exam.together.map { Task(text: $0.text, picture: answer($0.picture)) }
        }
        if exam.isPractice { practice = true }
        if exam.isIntroduction { purpose = .introduction }
        stage = exam.stage.rawValue
        activity = exam.activity.rawValue
        part = exam.part
        partTitle = exam.partTitle
        turn = exam.turn
        order = exam.questionOrder
        text = exam.text
        card = exam.card.map(Card.init)
        allowed = Wish.allCases.filter(exam.allowed.contains)
        if !exam.allowedLater.isEmpty {
            allowedIn = Dictionary(
                uniqueKeysWithValues: exam.allowedLater.map { ($0.rawValue, $1.wireSeconds) })
        }
        notesAllowed = exam.notesAllowed
        notesOf = exam.notesOf
        recording = exam.recording != nil
        recordingSeconds = exam.recordingTime?.wireSeconds
        preparationSeconds = exam.preparationLeft?.wireSeconds
        answerSeconds = exam.answerLeft?.wireSeconds
        timeWarning = exam.timeWarning
        trouble = exam.trouble?.rawValue
        storing = view.storing
        problem = view.problem
        at = view.at.sinceBegin.wireSeconds
    }
}

extension Duration {
    /// The duration in seconds, to the millisecond.
    var wireSeconds: Double { Double(milliseconds) / 1000 }
}
