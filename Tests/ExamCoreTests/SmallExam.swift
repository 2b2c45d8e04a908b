@testable import ExamCore

/// A small exam for transcripts: one part with a clock, a greeting, two questions, a card, a goodbye.
enum SmallExam {
    static func clip(_ id: String) -> Clip { Clip(id: id, text: "words of \(id)") }

    /// Ends after 2 s of silence. Prompts after 5 s, repeats after 5 more, moves on after 6.
    static var question: ExamScript.AnswerRule {
        ExamScript.AnswerRule(
            silence: .seconds(2),
            minimum: .zero,
            maximum: nil,
            clockStart: .opening,
            finishableAfter: nil,
            interruption: .init(aim: .seconds(5), pause: .milliseconds(400), clip: clip("thanks")),
            whenSilent: [
                .init(after: .seconds(5), clip: clip("prompt")), .init(after: .seconds(5), clip: clip("question-1")),
                .init(after: .seconds(6), clip: nil),
            ],
            whenPausing: [],
            repeats: [clip("question-1")],
            refusal: clip("refusal"),
            followUpUnder: nil,
            followUp: nil
        )
    }

    /// Lasts one to two minutes from the first word. Prompts in pauses before the minute.
    static var talk: ExamScript.AnswerRule {
        var rule = question
        rule.silence = .seconds(3)
        rule.minimum = .seconds(60)
        rule.maximum = .seconds(120)
        rule.clockStart = .firstWord
        rule.interruption = .init(aim: .seconds(2), pause: .milliseconds(400), clip: clip("stop"))
        rule.whenSilent = [
            .init(after: .seconds(8), clip: clip("begin-please")), .init(after: .seconds(10), clip: nil),
        ]
        rule.whenPausing = [.init(after: .seconds(7), clip: clip("go-on"))]
        rule.repeats = []
        rule.refusal = nil
        return rule
    }

    static func turn(_ id: String, order: Int, _ rule: ExamScript.AnswerRule?) -> ExamScript.Turn {
        ExamScript.Turn(id: id, part: 0, order: order, prompt: [clip(id)], answer: rule)
    }

    static func script(
        _ turns: [ExamScript.Turn],
        parts: [ExamScript.Part] = [.init(number: 1, title: "Part", hardEnd: nil)],
        mode: ExamOptions.Mode = .test,
        hardCap: Duration = .seconds(600)
    ) -> ExamScript {
        ExamScript(
            formatID: "small",
            paperID: "small",
            options: ExamOptions(mode: mode),
            parts: parts,
            turns: turns,
            hardCap: hardCap,
            lastAnswerEnd: hardCap - .seconds(10),
            warnings: [.seconds(10), .seconds(5)],
            clipGap: .milliseconds(500),
            turnGap: .milliseconds(500),
            partGap: .seconds(1)
        )
    }

    /// Returns an exam with one question and a goodbye.
    static func oneQuestion(_ rule: ExamScript.AnswerRule = question, mode: ExamOptions.Mode = .test) -> ExamScript {
        script([turn("question-1", order: 1, rule), turn("goodbye", order: 0, nil)], mode: mode)
    }

    /// Returns an exam with a card, 60 s of preparation that may be skipped after 10, and a talk.
    static func card(mode: ExamOptions.Mode = .test) -> ExamScript {
        var card = turn("card", order: 1, talk)
        card.preparation = .init(length: .seconds(60), skippableAfter: .seconds(10), notes: true, start: clip("start"))
        card.card = Paper.Card(topic: "A bridge", points: ["where", "what", "when"], explain: "why")
        return script([card, turn("goodbye", order: 0, nil)], mode: mode)
    }
}

func seconds(_ count: Double) -> ExamTime { ExamTime(sinceBegin: .milliseconds(Int((count * 1000).rounded()))) }

/// Feeds an exam as a room does: time passes in blocks of 20 ms up to each event.
struct Transcript {
    var exam: Exam
    /// The reason why silence ended the latest answer. Nil if something else ended it, and while the next answer is in
    /// progress. Commands are compared without it.
    private(set) var endedBecause: EndOfAnswer.Reason?
    private var now = ExamTime.zero

    init(_ script: ExamScript) { exam = Exam(script) }

    /// Lets time pass until `second`, then handles `event`. Returns all commands with their times.
    mutating func at(_ second: Double, _ event: Exam.Event = .timePassed) -> [Timed] {
        var commands: [Timed] = []
        let target = seconds(second)
        while now < target {
            now = min(now + .milliseconds(20), target)
            commands += handle(.timePassed)
        }
        return commands + handle(event)
    }

    /// Lets time pass while the detector is not sure whether a voice began.
    mutating func unsure(until second: Double, since onset: Double) -> [Timed] {
        var commands = at(onset - 0.02)
        while now < seconds(second) {
            now = min(now + .milliseconds(20), seconds(second))
            commands += handle(.timePassedUnsure(since: seconds(onset)))
        }
        return commands
    }

    /// Reports, as a room does, that the microphone missed the sound between `first` and `last`. No block comes in
    /// between.
    mutating func soundLost(from first: Double, to last: Double) -> [Timed] {
        let commands = at(first)
        now = seconds(last)
        return commands + handle(.soundLost(seconds(last) - seconds(first)))
    }

    private mutating func handle(_ event: Exam.Event) -> [Timed] {
        exam.handle(event, at: now).map { command in
            switch command {
            case .openTake: endedBecause = nil
            case .closeTake(let take, .finished(let why)):
                endedBecause = why
                return Timed(now, .closeTake(take, .finished(nil)))
            case .closeTake: endedBecause = nil
            default: break
            }
            return Timed(now, command)
        }
    }

    /// Lets the candidate speak and be heard at once.
    mutating func speech(from first: Double, to last: Double) -> [Timed] {
        at(first, .voiceBegan(seconds(first))) + at(last, .voiceEnded(seconds(last)))
    }

    /// The candidate's clock.
    var clock: ExamTime { now - exam.suspended }
}

/// A command and its time, easy to compare: `Timed(12.34, .play(clip))`.
struct Timed: Equatable, CustomStringConvertible {
    var at: ExamTime
    var command: Exam.Command

    init(_ at: ExamTime, _ command: Exam.Command) {
        self.at = at
        self.command = command
    }

    init(_ second: Double, _ command: Exam.Command) { self.init(seconds(second), command) }

    var description: String { "\(Double(at.sinceBegin.milliseconds) / 1000): \(command)" }
}

let take = Exam.Take(turn: 0, attempt: 1)
