import Testing

@testable import ExamCore
@testable import SessionFolders

/// The facts about a take besides its sound, such as the amount of speech.
@Suite struct TakeBookkeepingTests {
    @Test func speechIncludesDoubtfulSounds() {
        var account = Self.opened()
        account.hear(.speech, from: 4, to: 6)
        account.hear(.doubtful, from: 7, to: 7.3)
        #expect(account.closed(at: 9).speech == Seconds(.milliseconds(2_300)))
    }

    @Test func aDistantSoundIsNotSpeech() {
        var account = Self.opened()
        account.hear(.distant, from: 4, to: 6)
        account.hear(.speech, from: 6.5, to: 7)
        account.hear(.distant, from: 7.2, to: 8)
        #expect(account.open?.voiceSince == nil)
        #expect(account.closed(at: 9).speech == Seconds(.milliseconds(500)))
    }

    @Test func aSoundInProgressCountsUntilTheTakeIsHeldOrClosed() {
        var account = Self.opened()
        account.note(.voiceBegan(time(4)), at: time(4))
        _ = account.note(.holdTake(Self.take), at: time(5))
        account.note(.voiceEnded(time(5.5), as: .distant), at: time(5.5))  // Too late to count.
        _ = account.note(.resumeTake(Self.take), at: time(8))
        account.note(.voiceBegan(time(9)), at: time(9))
        #expect(account.closed(at: 9.5).speech == Seconds(.milliseconds(1_500)))
    }

    @Test func anEndWithoutABeginningIsNotSpeech() {
        var account = Self.opened()
        for sound in [EndOfAnswer.Sound.speech, .doubtful, .distant] {
            account.note(.voiceEnded(time(5), as: sound), at: time(5))
        }
        #expect(account.closed(at: 9).speech == Seconds(.zero))
    }

    /// The exam and the bookkeeping must agree on the amount of speech.
    @Test func theAccountSaysWhatTheAnswerSays() throws {
        var exam = Exam(Self.script)
        var account = TakeBookkeeping(script: Self.script)
        var said: Duration?
        let events: [(Double, Exam.Event)] = [
            (0, .begin), (3, .promptEnded("name")), (4.2, .voiceBegan(time(4))), (5.3, .voiceEnded(time(5))),
            (5.6, .voiceBegan(time(5.4))), (6.2, .voiceEnded(time(6), as: .distant)), (6.4, .voiceBegan(time(6.2))),
            (6.9, .voiceEnded(time(6.5), as: .doubtful)), (8.5, .timePassed),
        ]
        var taken: [StoredTake] = []
        for (second, event) in events {
            if case .answering(_, let answer) = exam.phase { said = answer.speech }
            let commands = exam.handle(event, at: time(second))
            account.note(event, at: time(second))
            taken += commands.compactMap { account.note($0, at: time(second)) }
        }
        #expect(taken.map(\.speech.duration) == [.milliseconds(1_300)])
        #expect(said == .milliseconds(1_300))
    }

    @Test func theResponseBeginsWithTheFirstSpeechThatCounts() {
        var account = Self.opened()
        account.hear(.distant, from: 3.5, to: 4)
        account.hear(.speech, from: 5.25, to: 6)
        account.hear(.speech, from: 8, to: 9)
        #expect(account.closed(at: 11).responseLatency == Seconds(.milliseconds(2_250)))
    }

    @Test func latencyCountsFromTheRepeatedQuestion() {
        var account = Self.opened()
        _ = account.note(.holdTake(Self.take), at: time(9))
        _ = account.note(.resumeTake(Self.take), at: time(12))
        account.note(.voiceBegan(time(12.75)), at: time(12.75))
        // The limit ends the answer while the candidate is still speaking.
        #expect(account.closed(at: 14).responseLatency == Seconds(.milliseconds(750)))
    }

    @Test func afterTheFirstWordNothingThatTheExaminerSaysIsWaitedFor() {
        var account = Self.opened()
        account.hear(.speech, from: 4, to: 5)
        _ = account.note(.holdTake(Self.take), at: time(9))
        _ = account.note(.resumeTake(Self.take), at: time(12))
        account.hear(.speech, from: 15, to: 16)
        #expect(account.closed(at: 18).responseLatency == Seconds(.seconds(1)))
    }

    /// Every prompt ends with a tenth of a second of silence, which the candidate need not wait for.
    @Test func theResponseIsToTheLastSoundOfAPrompt() {
        var account = TakeBookkeeping(script: Self.script)
        account.note(.promptEnded("name"), at: time(3))
        _ = account.note(.openTake(Self.take), at: time(3))
        account.hear(.speech, from: 3.5, to: 5)
        #expect(account.closed(at: 8).responseLatency == Seconds(.milliseconds(600)))

        account.note(.promptEnded("beep"), at: time(11))
        _ = account.note(.openTake(Self.take), at: time(11))
        account.hear(.speech, from: 11.5, to: 12)
        #expect(
            account.closed(at: 14).responseLatency == Seconds(.milliseconds(500)), "a tone has no silence at its end")
    }

    @Test func aTakeBeginsUpToASecondBeforeItIsOpened() {
        var account = TakeBookkeeping(script: Self.script)
        _ = account.note(.openTake(Self.take), at: time(0.51))
        #expect(
            account.closed(at: 3).record.leadIn == Seconds(.milliseconds(500)), "whole blocks since the room was opened"
        )
        _ = account.note(.openTake(Self.take), at: time(3.3))
        #expect(account.closed(at: 6).record.leadIn == Seconds(.milliseconds(300)), "nothing is in two takes")
        _ = account.note(.openTake(Self.take), at: time(10))
        #expect(account.closed(at: 12).record.leadIn == Seconds(.seconds(1)))
        account.note(.deviceLost(.microphoneGone), at: time(13))
        account.note(.deviceBack, at: time(15))
        _ = account.note(.openTake(Self.take), at: time(15))
        #expect(account.closed(at: 16).record.leadIn == nil, "a lost device heard nothing")
    }

    @Test func silenceHasNoResponseLatency() {
        var account = Self.opened()
        account.hear(.distant, from: 4, to: 5)
        #expect(account.closed(at: 9).responseLatency == nil)
    }

    private static let take = Exam.Take(turn: 0, attempt: 1)

    private static let script: ExamScript = {
        let name = Clip(id: "name", text: "What is your name?")
        let rule = ExamScript.AnswerRule(
            silence: .seconds(2), minimum: .zero, clockStart: .opening, whenSilent: [.init(after: .seconds(6))],
            whenPausing: [], repeats: [])
        return ExamScript(
            formatID: "small", paperID: "little", options: ExamOptions(), parts: [.init(number: 1, title: "Part")],
            turns: [.init(id: "name", part: 0, order: 1, prompt: [name], answer: rule)], hardCap: .seconds(60),
            lastAnswerEnd: .seconds(50), warnings: [], clipGap: .zero, turnGap: .zero, partGap: .zero)
    }()

    /// Returns the bookkeeping of a take that was opened at 3 s.
    private static func opened() -> TakeBookkeeping {
        var account = TakeBookkeeping(script: script)
        _ = account.note(.openTake(take), at: time(3))
        return account
    }
}

private func time(_ second: Double) -> ExamTime {
    ExamTime(sinceBegin: .milliseconds(Int((second * 1_000).rounded())))
}

extension TakeBookkeeping {
    fileprivate mutating func hear(_ sound: EndOfAnswer.Sound, from first: Double, to last: Double) {
        note(.voiceBegan(time(first)), at: time(first))
        note(.voiceEnded(time(last), as: sound), at: time(last))
    }

    fileprivate mutating func closed(at second: Double) -> StoredTake {
        note(.closeTake(open!.take, .finished(nil)), at: time(second))!
    }
}
