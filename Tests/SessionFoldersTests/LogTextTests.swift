import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import ExamCore
@testable import SessionFolders

/// The text of an exam's log, and holding the exam again from it.
@Suite struct LogTextTests {
    static let events: [Exam.Event] = [
        .begin, .promptEnded("home-1"), .promptFailed("home.lead"), .voiceBegan(time(83_540)),
        .voiceEnded(time(839_999)), .timePassed, .timePassedUnsure(since: time(83_540)), .asked(.repeat),
        .asked(.skip), .asked(.finish), .asked(.again), .asked(.first), .asked(.second), .asked(.pause),
        .asked(.continue), .asked(.withdraw), .deviceLost(.microphoneStalled), .deviceBack, .takesStored,
        .soundLost(.milliseconds(340)), .screen(.far), .noticed, .fellBehind, .caughtUp,
    ]

    @Test(arguments: events)
    func everyEventIsReadAsItWasWritten(_ event: Exam.Event) {
        #expect(Exam.Event(text: event.text) == event)
    }

    @Test func noEventIsForgotten() {
        #expect(Set(Self.events.map(name)).count == Self.events.count)
        #expect(Self.events.count == 24)
    }

    /// Has no default, so that a new event doesn't compile until it has a text and a place above.
    private func name(_ event: Exam.Event) -> Int {
        switch event {
        case .begin: 0
        case .promptEnded: 1
        case .promptFailed: 2
        case .voiceBegan: 3
        case .voiceEnded: 4
        case .timePassed: 5
        case .asked(.repeat): 6
        case .asked(.skip): 7
        case .asked(.finish): 8
        case .asked(.pause): 9
        case .asked(.continue): 10
        case .asked(.withdraw): 11
        case .deviceLost: 12
        case .deviceBack: 13
        case .takesStored: 14
        case .soundLost: 15
        case .timePassedUnsure: 16
        case .screen: 17
        case .noticed: 18
        case .fellBehind: 19
        case .caughtUp: 20
        case .asked(.again): 21
        case .asked(.first): 22
        case .asked(.second): 23
        }
    }

    @Test(arguments: [
        ("repeatAsked", Wish.repeat), ("preparationSkipped", .skip), ("finishDeclared", .finish),
        ("pauseAsked", .pause),
        ("continueAsked", .continue), ("withdrawn", .withdraw),
    ])
    func aSessionOfEarlierWordsIsStillRead(_ former: String, _ wish: Wish) {
        #expect(Exam.Event(text: former) == .asked(wish))
        #expect(Exam.Event.asked(wish).text == "asked \(wish.rawValue)", "new logs have the new words")
    }

    @Test(arguments: [
        (EndOfAnswer.Sound.speech, "voiceEnded 12.340"), (.doubtful, "voiceEnded 12.340 doubtful"),
        (.distant, "voiceEnded 12.340 distant"), (.steady, "voiceEnded 12.340 steady"),
    ])
    func everySoundHasItsOwnWord(_ sound: EndOfAnswer.Sound, _ text: String) {
        #expect(Exam.Event.voiceEnded(Self.time(12_340), as: sound).text == text)
        #expect(Exam.Event(text: text) == .voiceEnded(Self.time(12_340), as: sound))
    }

    /// A line without a kind means speech, as in logs from before there were other sounds. The word itself is read too.
    @Test func theWordForSpeechIsReadButNeverWritten() {
        #expect(Exam.Event(text: "voiceEnded 12.340 speech") == .voiceEnded(Self.time(12_340)))
    }

    @Test(arguments: [
        "", "sneeze", "Begin", "begin now", "promptEnded", "voiceBegan", "voiceBegan soon", "voiceBegan -1.000",
        "voiceEnded nan", "voiceEnded inf", "deviceLost", "deviceLost somehow", "asked", "asked money",
        "asked repeat twice", "soundLost", "soundLost much",
        "voiceEnded", "voiceEnded ", "voiceEnded distant", "voiceEnded 1.0 nonsense", "voiceEnded 1.0 Distant",
        "voiceEnded 1.0 ", "voiceEnded  1.0", "voiceEnded 1.0  distant", "voiceEnded 1.0 distant ",
        "voiceEnded 1.0 distant doubtful", "voiceEnded soon distant", "voiceBegan 1.0 distant",
    ])
    func unknownEventsAreNotRead(_ text: String) {
        #expect(Exam.Event(text: text) == nil)
    }

    @Test(arguments: [
        (0, "0.000"), (1, "0.001"), (20, "0.020"), (540, "0.540"), (83_540, "83.540"), (1_000_000, "1000.000"),
    ])
    func timesHaveThreeDecimals(_ milliseconds: Int, _ text: String) {
        #expect(Self.time(milliseconds).text == text)
        #expect(Duration.milliseconds(milliseconds).text == text)
        #expect(ExamTime(text: text) == Self.time(milliseconds))
    }

    @Test(arguments: [0, 839_000, 86_399_000])
    func everyMillisecondOfASecondIsReadAsItWasWritten(_ second: Int) {
        for milliseconds in second..<second + 1_000 {
            #expect(ExamTime(text: Self.time(milliseconds).text) == Self.time(milliseconds))
        }
    }

    @Test func everyEndHasItsOwnWord() {
        let ends: [AnswerEnd] = [
            .finished(nil), .noAnswer, .timeUp(.answer), .timeUp(.part), .timeUp(.exam), .declared, .withdrawn,
            .deviceLost, .startedAgain,
        ]
        #expect(
            ends.map(\.text) == [
                "finished", "noAnswer", "timeUp.answer", "timeUp.part", "timeUp.exam", "declared", "withdrawn",
                "deviceLost", "startedAgain",
            ]
        )
    }

    @Test(arguments: [
        (false, false, 0, "after 2.400"), (true, false, 0, "after 2.400 own"), (false, true, 0, "after 2.400 putOff"),
        (false, false, 2, "after 2.400 notCounted 2"), (true, true, 0, "after 2.400 own putOff"),
        (true, false, 1, "after 2.400 own notCounted 1"), (false, true, 1, "after 2.400 putOff notCounted 1"),
        (true, true, 3, "after 2.400 own putOff notCounted 3"),
    ])
    func aReasonNamesWhatIsUnusual(_ isOwn: Bool, _ isPutOff: Bool, _ distant: Int, _ text: String) throws {
        let why = EndOfAnswer.Reason(
            silence: .milliseconds(2_400), isOwn: isOwn, isPutOff: isPutOff, soundsNotCounted: distant)
        #expect(why.text == text)
        let script = try SmallLog().exam.script
        let take = Exam.Take(turn: 0, attempt: 1)
        let closed = Exam.Command.closeTake(take, .finished(why))
        #expect(closed.text(script) == "closeTake \(script.name(of: take)) finished \(text)")
    }

    @Test func onlyAnAnswerThatSilenceEndedHasAReason() throws {
        let script = try SmallLog().exam.script
        let take = Exam.Take(turn: 0, attempt: 1)
        for end in [
            AnswerEnd.finished(nil), .noAnswer, .timeUp(.part), .declared, .withdrawn, .deviceLost, .startedAgain,
        ] {
            #expect(Exam.Command.closeTake(take, end).text(script) == "closeTake \(script.name(of: take)) \(end.text)")
        }
    }

    // MARK: - Replaying a log

    /// Logs from before there were reasons stay readable, because only events and phases are read.
    @Test func aLogWithoutReasonsHoldsTheSameExam() throws {
        let log = try SmallLog()
        #expect(log.lines[5].hasSuffix("\"do\":[\"closeTake part1_q1 finished after 2.000\"]}"))
        try log.change(line: 6, " after 2.000", to: "")
        #expect(try log.replay() == log.exam)
    }

    @Test func aLogWithOtherSoundsHoldsTheSameExam() throws {
        let log = try SmallLog(ending: [
            (4_320, .voiceEnded(Self.time(4_010), as: .doubtful)), (4_800, .voiceBegan(Self.time(4_600))),
            (5_500, .voiceEnded(Self.time(5_200), as: .distant)), (6_020, .timePassed),
        ])
        #expect(log.lines[4].contains("\"voiceEnded 4.010 doubtful\""))
        #expect(log.lines[6].contains("\"voiceEnded 5.200 distant\",\"phase\":\"pausing name\""))
        #expect(log.lines[7].hasSuffix("finished after 2.000 notCounted 1\"]}"))
        #expect(try log.replay() == log.exam)
    }

    @Test func aLogHoldsTheExamAgain() throws {
        let log = try SmallLog()
        #expect(log.lines.count == 7, "a heading and six changes")
        #expect(
            log.lines[1] == "{\"at\":0.000,\"event\":\"begin\",\"phase\":\"speaking name\",\"do\":[\"play name\"]}")
        #expect(try log.replay() == log.exam)
    }

    /// The power fails in the middle of a line. Everything before it counts.
    @Test func aLogIsReadUpToTheCutInItsLastLine() throws {
        let log = try SmallLog()
        let last = try #require(log.lines.last)
        for kept in [0, 1, last.utf8.count / 2, last.utf8.count] {
            try log.write(log.lines.dropLast().joined(separator: "\n") + "\n" + String(last.prefix(kept)))
            #expect(try log.replay() == log.examBeforeLast)
        }
        try log.write(log.lines.joined(separator: "\n") + "\n")
        #expect(try log.replay() == log.exam, "the line end makes a line whole")
    }

    @Test func aLogWithoutChangesIsAnExamThatHasNotBegun() throws {
        let log = try SmallLog()
        for text in ["", log.lines[0], log.lines[0] + "\n"] {
            try log.write(text)
            #expect(try log.replay() == Exam(log.exam.script))
        }
    }

    @Test func aChangedPhaseIsRefusedWithItsLine() throws {
        let log = try SmallLog()
        try log.change(line: 4, "hearing name", to: "pausing name")
        let sentence = "\(log.path):4: phase: is \"pausing name\", but the exam is \"hearing name\""
        #expect(throws: Problem(.malformed, sentence)) { try log.replay() }
    }

    @Test(arguments: ["\"event\":\"begin\"", "\"at\":0.000", "{"])
    func aLineThatCannotBeReadIsNamed(_ part: String) throws {
        let log = try SmallLog()
        try log.change(line: 2, part, to: "x")
        #expect(throws: Problem(.malformed, "\(log.path):2: is not a log line")) { try log.replay() }
    }

    @Test func aLogOfAnotherLayoutIsRefused() throws {
        let log = try SmallLog()
        try log.change(line: 1, "\"log\":1", to: "\"log\":2")
        #expect(throws: Problem.self) { try log.replay() }
    }

    @Test func aMissingLogIsReported() throws {
        let log = try SmallLog()
        #expect(throws: Problem(.missing, "/nowhere/log.jsonl: no such file or directory")) {
            try SessionLog.replay("/nowhere/log.jsonl", script: log.exam.script)
        }
    }

    private static func time(_ milliseconds: Int) -> ExamTime { ExamTime(sinceBegin: .milliseconds(milliseconds)) }
}

/// The log of a real exam with one answered question.
private struct SmallLog {
    private let folder: TemporaryFolder
    /// The exam at the end of the log, and before the last line.
    private(set) var exam: Exam
    private(set) var examBeforeLast: Exam
    let lines: [String]
    var path: String { folder.path + "/log.jsonl" }

    /// - Parameter ending: The continuation of the answer that began at 1.990 s; by default speech until 4.010 s.
    init(ending: [(Int, Exam.Event)]? = nil) throws {
        folder = try TemporaryFolder()
        let name = Clip(id: "name", text: "What is your name?")
        let rule = ExamScript.AnswerRule(
            silence: .seconds(2), minimum: .zero, clockStart: .opening, whenSilent: [.init(after: .seconds(6))],
            whenPausing: [], repeats: [])
        exam = Exam(
            ExamScript(
                formatID: "small", paperID: "little", options: ExamOptions(), parts: [.init(number: 1, title: "Part")],
                turns: [.init(id: "name", part: 0, order: 1, prompt: [name], answer: rule)], hardCap: .seconds(60),
                lastAnswerEnd: .seconds(50), warnings: [], clipGap: .zero, turnGap: .zero, partGap: .zero))
        examBeforeLast = exam
        let path = folder.path + "/log.jsonl"
        let log = try SessionLog(path: path, script: exam.script)
        let begins: [(Int, Exam.Event)] = [
            (0, .begin), (1_500, .promptEnded("name")), (2_020, .voiceBegan(.init(sinceBegin: .milliseconds(1_990)))),
        ]
        let spoken = (4_320, Exam.Event.voiceEnded(.init(sinceBegin: .milliseconds(4_010))))
        let events = begins + (ending ?? [spoken, (6_020, .timePassed)]) + [(6_500, .takesStored)]
        for (milliseconds, event) in events {
            examBeforeLast = exam
            let now = ExamTime(sinceBegin: .milliseconds(milliseconds))
            let commands = exam.handle(event, at: now)
            try log.append(event, at: now, exam: exam, commands: commands)
        }
        lines = try SessionLog.lines(of: path)
    }

    func replay() throws -> Exam { try SessionLog.replay(path, script: exam.script) }

    func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

    /// Changes words in a line; 1 is the first line.
    func change(line: Int, _ words: String, to others: String) throws {
        var lines = lines
        let place = try #require(lines[line - 1].range(of: words))
        lines[line - 1].replaceSubrange(place, with: others)
        try write(lines.joined(separator: "\n") + "\n")
    }
}
