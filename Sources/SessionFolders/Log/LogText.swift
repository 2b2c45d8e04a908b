public import ExamCore

// The text of times, events, phases and commands in a log: short, and made of ids only.

extension ExamTime {
    /// Seconds with three decimals: `83.540`.
    var text: String { sinceBegin.text }

    init?(text: some StringProtocol) {
        guard let seconds = Double(text), seconds >= 0, seconds < 1e7 else { return nil }
        self.init(sinceBegin: .milliseconds(Int((seconds * 1000).rounded())))
    }
}

extension Duration {
    /// Seconds with three decimals: `83.540`.
    package var text: String {
        let thousandths = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }
}

extension Exam.Event {
    var text: String {
        switch self {
        case .begin: "begin"
        case .promptEnded(let clip): "promptEnded \(clip)"
        case .promptFailed(let clip): "promptFailed \(clip)"
        case .voiceBegan(let time): "voiceBegan \(time.text)"
        case .voiceEnded(let time, .speech): "voiceEnded \(time.text)"
        case .voiceEnded(let time, let sound): "voiceEnded \(time.text) \(sound.rawValue)"
        case .timePassed: "timePassed"
        case .timePassedUnsure(let time): "timePassedUnsure \(time.text)"
        case .asked(let wish): "asked \(wish.rawValue)"
        case .deviceLost(let trouble): "deviceLost \(trouble.rawValue)"
        case .deviceBack: "deviceBack"
        case .soundLost(let span): "soundLost \(span.text)"
        case .screen(let screen): "screen \(screen.rawValue)"
        case .noticed: "noticed"
        case .fellBehind: "fellBehind"
        case .caughtUp: "caughtUp"
        case .takesStored: "takesStored"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        switch (words.first, words.count == 2 ? words[1] : nil) {
        case ("promptEnded", let clip?): self = .promptEnded(String(clip))
        case ("promptFailed", let clip?): self = .promptFailed(String(clip))
        case ("voiceBegan", let time?):
            guard let time = ExamTime(text: time) else { return nil }
            self = .voiceBegan(time)
        case ("voiceEnded", let rest?):
            let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
            guard let time = ExamTime(text: parts[0]), parts.count <= 2 else { return nil }
            guard let sound = parts.count == 1 ? .speech : EndOfAnswer.Sound(rawValue: String(parts[1])) else {
                return nil
            }
            self = .voiceEnded(time, as: sound)
        case ("timePassedUnsure", let time?):
            guard let time = ExamTime(text: time) else { return nil }
            self = .timePassedUnsure(since: time)
        case ("asked", let wish?):
            guard let wish = Wish(rawValue: String(wish)) else { return nil }
            self = .asked(wish)
        case ("deviceLost", let trouble?):
            guard let trouble = Exam.Trouble(rawValue: String(trouble)) else { return nil }
            self = .deviceLost(trouble)
        case ("soundLost", let span?):
            guard let span = ExamTime(text: span) else { return nil }
            self = .soundLost(span.sinceBegin)
        case ("screen", let screen?):
            guard let screen = Exam.Screen(rawValue: String(screen)) else { return nil }
            self = .screen(screen)
        case (let name?, nil):
            if let wish = Self.formerNames[String(name)] {
                self = .asked(wish)
                return
            }
            guard let event = Self.bare.first(where: { $0.text == name }) else { return nil }
            self = event
        default: return nil
        }
    }

    /// The events without associated values.
    static let bare: [Self] = [
        .begin, .timePassed, .deviceBack, .noticed, .fellBehind, .caughtUp, .takesStored,
    ]

    /// The former names of wishes in logs, from before each had a single word. Such sessions can still be read, shown
    /// and resumed.
    static let formerNames: [String: Wish] = [
        "repeatAsked": .repeat, "preparationSkipped": .skip, "finishDeclared": .finish, "pauseAsked": .pause,
        "continueAsked": .continue, "withdrawn": .withdraw,
    ]
}

extension Exam.Phase {
    func text(_ script: ExamScript) -> String {
        switch self {
        case .waiting: "waiting"
        case .gap(let prompt, _): "gap before \(script.turns[prompt.turn].prompt[prompt.clip].id)"
        case .speaking(let speech): "speaking \(speech.clip.id)"
        case .preparing(let preparing): "preparing \(script.turns[preparing.turn].id)"
        case .answering(let turn, let answer): "\(answer.voice.text) \(script.turns[turn].id)"
        case .suspended(let suspension): "suspended by \(suspension.cause.text)"
        case .processing(let outcome): "processing \(outcome.rawValue)"
        case .over(let outcome): "over \(outcome.rawValue)"
        }
    }
}

extension Exam.Suspension.Cause {
    var text: String {
        switch self {
        case .candidate: "candidate"
        case .device: "device"
        case .line: "line"
        }
    }
}

extension EndOfAnswer.Voice {
    var text: String {
        switch self {
        case .silent: "awaiting"
        case .speaking: "hearing"
        case .pausing: "pausing"
        }
    }
}

extension Exam.Command {
    func text(_ script: ExamScript) -> String {
        switch self {
        case .play(let clip): "play \(clip.id)"
        case .stopPlaying: "stopPlaying"
        case .openTake(let take): "openTake \(script.name(of: take))"
        case .holdTake(let take): "holdTake \(script.name(of: take))"
        case .runOn(let take): "runOn \(script.name(of: take))"
        case .resumeTake(let take): "resumeTake \(script.name(of: take))"
        case .closeTake(let take, .finished(let why?)): "closeTake \(script.name(of: take)) finished \(why.text)"
        case .closeTake(let take, let end): "closeTake \(script.name(of: take)) \(end.text)"
        case .choose(let turn, let alternative): "choose \(script.turns[turn].id) \(alternative + 1)"
        case .warn(let left): "warn \(left.milliseconds / 1000)"
        case .offer(let wish): "offer \(wish.rawValue)"
        }
    }
}

extension EndOfAnswer.Reason {
    /// For example `after 2.400`. Adds `own` if the candidate's pauses set the silence, `putOff` if the answer ended
    /// without waiting longer for doubtful sounds, and `notCounted 2` if two sounds did not count.
    var text: String {
        var text = "after \(silence.text)"
        if isOwn { text += " own" }
        if isPutOff { text += " putOff" }
        if soundsNotCounted > 0 { text += " notCounted \(soundsNotCounted)" }
        return text
    }
}

extension AnswerEnd {
    /// The text in logs and manifests.
    public var text: String {
        switch self {
        case .finished: "finished"
        case .noAnswer: "noAnswer"
        case .timeUp(let clock): "timeUp.\(clock.rawValue)"
        case .declared: "declared"
        case .startedAgain: Self.begunAgain
        case .withdrawn: "withdrawn"
        case .deviceLost: "deviceLost"
        }
    }
}
