import TestSupport
import Testing

@testable import ExamCore

/// Tests of thousands of unforeseen orders of events, each from a seed.
@Suite struct JumbledEvents {
    @Test(arguments: 0..<20)
    func anyOrderOfEventsKeepsEveryPromise(_ batch: Int) {
        let count = Thoroughness.count(25, check: 500)
        for seed in 0..<count { jumble(UInt64(batch * count + seed)) }
    }

    /// Runs one exam. The seed chooses its format, its events and their times.
    private func jumble(_ seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let script = script(&dice)
        let sounds = Self.sounds[dice.below(Self.sounds.count)]
        var exam = Exam(script)
        var promises = Promises(seed: seed)
        var history: [(Exam.Event, ExamTime)] = []
        var now = ExamTime.zero
        var events = 0
        while !promises.isOver && events < 3_000 {
            events += 1
            let event = event(&dice, sounds, promises, now)
            let before = exam
            let commands = exam.handle(event, at: now)
            promises.check(event, commands, before: before, after: exam, at: now)
            if exam != before || !commands.isEmpty { history.append((event, now)) }
            if dice.below(3) > 0 {
                now = now + .milliseconds(dice.below(40) == 0 ? dice.below(30_000) : 20 * dice.below(200))
            }
        }
        // Whatever happened, time ends the exam. Only a device that stays away can hold it up.
        for event in [Exam.Event.begin, .deviceBack, .asked(.continue), .caughtUp] {
            _ = promises.apply(event, to: &exam, at: now, &history)
        }
        _ = promises.apply(.timePassed, to: &exam, at: now + script.hardCap, &history)
        _ = promises.apply(.takesStored, to: &exam, at: now + script.hardCap, &history)
        #expect(exam.view(at: now + script.hardCap).stage == .completed, "seed \(seed): over is reached")
        #expect(promises.open == nil, "seed \(seed): every take that was opened was closed")

        var again = Exam(script)
        for (event, time) in history { _ = again.handle(event, at: time) }
        #expect(again == exam, "seed \(seed): the log alone gives the same state")
    }

    private func script(_ dice: inout SplitMix64) -> ExamScript {
        var turns: [ExamScript.Turn] = []
        let parts = (1...3).map { number in
            ExamScript.Part(
                number: number, title: "", hardEnd: dice.below(2) == 0 ? .seconds(40 + dice.below(100)) : nil)
        }
        for part in 0..<3 {
            for order in 1...(1 + dice.below(4)) {
                var rule = dice.below(2) == 0 ? SmallExam.question : SmallExam.talk
                if dice.below(3) == 0 { rule.interruption = nil }
                if dice.below(3) == 0 { rule.maximum = .seconds(1 + dice.below(20)) }
                if dice.below(2) == 0 {
                    rule.patience = .init(floor: .seconds(1), ceiling: .seconds(4 + dice.below(9)))
                }
                if dice.below(3) == 0 { rule.finishableAfter = .seconds(dice.below(9)) }
                if dice.below(2) == 0 {
                    rule.followUp = SmallExam.clip("why")
                    rule.followUpUnder = .seconds(3)
                }
                let id = "part\(part + 1)-\(order)"
                var turn = SmallExam.turn(id, order: order, dice.below(6) == 0 ? nil : rule)
                turn.part = part
                if dice.below(2) == 0 { turn.prompt.insert(SmallExam.clip("lead"), at: 0) }
                if turn.answer != nil, dice.below(4) == 0 {
                    turn.preparation = .init(length: .seconds(20), skippableAfter: .seconds(5), notes: true, start: nil)
                    if dice.below(2) == 0 { turn.preparation?.start = SmallExam.clip("start") }
                }
                if dice.below(2) == 0 { turn.notAfter = .seconds(dice.below(60)) }
                if turn.answer != nil {
                    if dice.below(4) == 0 { turn.alternatives = [.init(title: "one"), .init(title: "other")] }
                    if dice.below(3) == 0 { turn.answer?.attempts = 1 + dice.below(3) }
                    if dice.below(4) == 0 { turn.answer?.beep = .beep }
                }
                if let asked = turns.last(where: { !$0.alternatives.isEmpty }), dice.below(3) == 0 {
                    turn.condition = .init(turn: asked.id, choice: dice.below(2))
                }
                turns.append(turn)
            }
        }
        return SmallExam.script(
            turns, parts: parts, mode: dice.below(2) == 0 ? .practice : .test, hardCap: .seconds(60 + dice.below(400)))
    }

    /// The kinds of sounds that a seed's candidate and room make: all kinds, no clear speech, or only distant sounds.
    private static let sounds: [[EndOfAnswer.Sound]] = [
        [.speech, .speech, .doubtful, .distant], [.doubtful], [.doubtful, .distant], [.distant],
    ]

    private func event(_ dice: inout SplitMix64, _ sounds: [EndOfAnswer.Sound], _ promises: Promises, _ now: ExamTime)
        -> Exam.Event
    {
        switch dice.below(108) {
        case 0..<40: .timePassed
        case 40..<60: promises.playing.map { .promptEnded($0.id) } ?? .timePassed
        case 60..<62: promises.playing.map { .promptFailed($0.id) } ?? .promptFailed("stale")
        case 62..<74: .voiceBegan(now - min(.milliseconds(dice.below(200)), now.sinceBegin))
        case 74..<86:
            .voiceEnded(
                now - min(.milliseconds(dice.below(400)), now.sinceBegin), as: sounds[dice.below(sounds.count)])
        case 86..<90: .asked(.repeat)
        case 90: .asked(.skip)
        case 91: .asked([.again, .first, .second][dice.below(3)])
        case 92..<93: .asked(.pause)
        case 93..<95: .asked(.continue)
        case 95: dice.below(4) == 0 ? .deviceLost(trouble(&dice)) : .deviceBack
        case 96: .deviceBack
        case 97: dice.below(30) == 0 ? .asked(.withdraw) : .asked(.finish)
        case 98: dice.below(2) == 0 ? .takesStored : .soundLost(.milliseconds(dice.below(3_000)))
        case 99: .begin
        case 100: .screen(dice.below(3) == 0 ? .near : .far)
        case 101: .fellBehind
        case 102..<104: .caughtUp
        default: .noticed
        }
    }

    private func trouble(_ dice: inout SplitMix64) -> Exam.Trouble {
        Exam.Trouble.allCases[dice.below(Exam.Trouble.allCases.count)]
    }
}

/// The conditions that must hold after every event.
private struct Promises {
    let seed: UInt64
    /// The open take. `held` says whether it is held.
    var open: Exam.Take?
    var held = false
    /// Whether the turn is over and the candidate may not know it yet.
    var runsOn = false
    var playing: Clip?
    var isOver = false
    private var closed: Set<Exam.Take> = []
    private var sounds = SoundPromises()

    init(seed: UInt64) { self.seed = seed }

    mutating func apply(
        _ event: Exam.Event, to exam: inout Exam, at now: ExamTime, _ history: inout [(Exam.Event, ExamTime)]
    ) -> [Exam.Command] {
        let before = exam
        let commands = exam.handle(event, at: now)
        check(event, commands, before: before, after: exam, at: now)
        if exam != before || !commands.isEmpty { history.append((event, now)) }
        return commands
    }

    mutating func check(_ event: Exam.Event, _ commands: [Exam.Command], before: Exam, after: Exam, at now: ExamTime) {
        let ended = news(of: event)
        if case .timePassed = event, commands.isEmpty, after.view(at: now).stage != .processing {
            #expect(after == before, "seed \(seed): time that asks for nothing changes nothing")
        }
        if case .asked(let wish) = event, now - before.suspended < .zero + before.script.hardCap {
            let allowed = before.view(at: now).allowed.contains(wish)
            let isGranted = after != before || !commands.isEmpty
            #expect(isGranted == allowed, "seed \(seed): an allowed wish is granted, and no other: \(wish)")
        }
        if case .over = before.phase {
            #expect(after == before && commands.isEmpty, "seed \(seed): nothing changes after the end")
        }
        for case .offer(let wish) in commands {
            #expect(after.view(at: now).allowed.contains(wish), "seed \(seed): an offered wish is allowed")
        }
        for command in commands {
            // At the hard cap the examiner is stopped even if the prompt ended at the same moment, which is harmless.
            if command == .stopPlaying && ended { continue }
            check(command)
        }
        #expect(
            now - after.suspended <= .zero + before.script.hardCap || !running(after),
            "seed \(seed): never past the cap")
        #expect(now - after.suspended >= .zero, "seed \(seed): no time before the beginning")
        isOver = after.view(at: now).stage == .completed
        sounds.check(event, before: before, after: after, at: now - after.suspended, seed: seed)
        let silenceEnded = commands.contains { command in
            if case .closeTake(_, .finished) = command { command != before.owed } else { false }
        }
        let isTime =
            switch event {
            case .timePassed, .timePassedUnsure: true
            default: false
            }
        #expect(!silenceEnded || isTime, "seed \(seed): only silence finishes an answer")
        #expect(!silenceEnded || after.answer == nil, "seed \(seed): an answer that goes on is not finished")
    }

    /// Records whether a prompt ended just now.
    private mutating func news(of event: Exam.Event) -> Bool {
        switch event {
        case .promptEnded(let id) where playing?.id == id, .promptFailed(let id) where playing?.id == id:
            playing = nil
            return true
        default: return false
        }
    }

    private func running(_ exam: Exam) -> Bool {
        switch exam.phase {
        case .gap, .speaking, .preparing, .answering: true
        case .waiting, .suspended, .processing, .over: false
        }
    }

    private mutating func check(_ command: Exam.Command) {
        switch command {
        case .play(let clip):
            #expect(playing == nil, "seed \(seed): the examiner speaks with one voice")
            #expect(open == nil || held || runsOn, "seed \(seed): nothing plays over a take that records")
            playing = clip
        case .stopPlaying:
            #expect(playing != nil, "seed \(seed): only what plays is stopped")
            playing = nil
        case .openTake(let take):
            #expect(open == nil && playing == nil, "seed \(seed): one take at a time, in silence")
            #expect(!closed.contains(take), "seed \(seed): no take is opened twice")
            open = take
            held = false
        case .holdTake(let take):
            #expect(open == take && !held, "seed \(seed): a take is held that records")
            (held, runsOn) = (true, false)
        case .runOn(let take):
            #expect(open == take && !held && !runsOn, "seed \(seed): a take runs on that records")
            runsOn = true
        case .resumeTake(let take):
            #expect(open == take && held && playing == nil, "seed \(seed): a take goes on that was held, in silence")
            held = false
        case .closeTake(let take, _):
            #expect(open == take, "seed \(seed): a take is closed that is open")
            #expect(closed.insert(take).inserted, "seed \(seed): a take is closed once")
            (open, runsOn) = (nil, false)
        case .warn(let left):
            #expect(left > .zero)
        case .choose(_, let alternative): #expect((0...1).contains(alternative))
        case .offer: break  // Checked with the view.
        }
    }
}
