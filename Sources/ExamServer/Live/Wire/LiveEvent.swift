import ExamCore
import ExamKit
import Foundation
import UploadQueue

/// What happens in an exam, as its client is told: numbered, and told again where it was not heard.
enum LiveEvent: Equatable, Sendable {
    case state(LiveState)
    case play(LivePrompt)
    /// Stop what the event with this number plays.
    case stop(prompt: Int)
    case stored(AnswerRecord)
    case over(Exam.Outcome)

    /// As it goes over the wire.
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

/// Something that the examiner says.
struct LivePrompt: Encodable, Equatable, Sendable {
    /// Where its sound is: a path on this server.
    var url: String
    var seconds: Double
    /// What may be shown; nil where the format hides it.
    var text: String?
    /// Where the sounds are that are likely to be played next, the likeliest first; nil where that was said before.
    var ahead: [String]?
}

/// Where an exam is; PROTOCOL.md, `state`. What does not apply is absent.
struct LiveState: Encodable, Equatable, Sendable {
    var stage: String
    var activity: String
    var part: Int?
    var partTitle: String?
    /// Which of the exam's turns, from 0; two states with the same one are about the same question.
    var turn: Int?
    var order: Int?
    var text: String?
    var card: Card?
    var picture: PictureAnswer?
    /// What may be chosen between, or was; absent where nothing.
    var alternatives: [AlternativeAnswer]?
    /// Which of them is chosen, 1 or 2; absent where none is yet.
    var choice: Int?
    /// The questions that are prepared together just now; absent where it is one.
    var together: [Task]?
    /// Whether the turn counts for nothing; absent where it counts.
    var practice: Bool?
    /// `introduction` if the turn's answer stays with the candidate; absent if it is assessed.
    var purpose: QuestionPurpose?
    /// What the candidate may ask for now, in the order of `Wish`.
    var allowed: [Wish]
    /// What time alone will allow, and in how many seconds.
    var allowedIn: [String: Double]?
    var notesAllowed: Bool
    /// In which turn's preparation notes for this one may be written, or were.
    var notesOf: Int?
    var recording: Bool
    var recordingSeconds: Double?
    var preparationSeconds: Double?
    var answerSeconds: Double?
    var timeWarning: Bool
    var trouble: String?
    var storing: Int
    var problem: String?
    var at: Double

    struct Card: Encodable, Equatable, Sendable {
        var topic: String
        var points: [String]
        var explain: String

        init(_ card: Paper.Card) { (topic, points, explain) = (card.topic, card.points, card.explain) }
    }

    /// One of several questions that are prepared together.
    struct Task: Encodable, Equatable, Sendable {
        var text: String
        var picture: PictureAnswer?
    }

    /// - Parameter path: under which the exam's pictures are fetched.
    init(_ view: SessionView, path: String = "") {
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
    /// Seconds, to the millisecond.
    var wireSeconds: Double { Double(milliseconds) / 1000 }
}
