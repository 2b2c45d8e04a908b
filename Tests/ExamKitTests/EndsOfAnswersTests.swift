import ExamCore
import ExamKit
import Testing
import VoiceActivity

/// When answers end, from what the detector decided and when. Seconds throughout.
@Suite struct EndsOfAnswersTests {
    // MARK: - Silence

    @Test func anAnswerIsOverWhenTheSilenceHasLasted() {
        let heard = Sounds([.voice(1, 3)]).ends(until: 10)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500"])
    }

    @Test func theNextAnswerIsAwaitedAtOnce() {
        let heard = Sounds([.voice(1, 3), .voice(6, 7), .voice(8, 9)]).ends(until: 12)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500", "10.500 since 9.000 after 1.500"])
    }

    @Test func nobodyWhoSaysNothingHasAnAnswer() {
        #expect(Sounds([]).ends(until: 30).lines.isEmpty)
    }

    @Test func itIsAskedEveryTwentyMilliseconds() {
        let heard = Sounds([.voice(1, 3.01)]).ends(until: 10)
        #expect(heard.lines == ["4.520 since 3.010 after 1.500"])
    }

    // MARK: - Where the sound ends

    @Test func whoeverStillSpeaksOrPausesAtTheEndHasNotEnded() {
        #expect(Sounds([.voice(1, 3)]).ends(until: 2).lines.isEmpty)
        #expect(Sounds([.voice(1, 3)]).ends(until: 4.499).lines.isEmpty)
    }

    @Test func aSilenceThatLastsToTheEndIsOne() {
        #expect(Sounds([.voice(1, 3.01)]).ends(until: 4.51).lines == ["4.510 since 3.010 after 1.500"])
        #expect(Sounds([.voice(1, 3)]).ends(until: 4.5).lines == ["4.500 since 3.000 after 1.500"])
    }

    // MARK: - What is known at the time

    /// The voice was there at 4.4 s, but that was found at 4.6 s: too late for an exam, and so for this.
    @Test func aVoiceHoldsNothingBackBeforeItIsHeard() {
        let heard = Sounds([.voice(1, 3), .voice(4.4, 6, heardAfter: 0.2)]).ends(until: 10)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500", "7.500 since 6.000 after 1.500"])
        let sooner = Sounds([.voice(1, 3), .voice(4.4, 6, heardAfter: 0.1)]).ends(until: 10)
        #expect(sooner.lines == ["7.500 since 6.000 after 1.500"], "what is decided in a block counts in that block")
    }

    @Test func noAnswerIsOverBeforeItsVoiceIs() {
        let heard = Sounds([.voice(1, 3, overAfter: 2)]).ends(until: 10)
        #expect(heard.lines == ["5.000 since 3.000 after 1.500"])
    }

    /// Of the second answer only what came after the first one's end is its own: less than a second, so it is not waited longer.
    @Test func whatWasSaidBeforeAnEndIsNotSaidAgain() {
        let slow = [Sounds.Sound.voice(1, 2), .voice(3.4, 5, heardAfter: 0.2), .voice(6.4, 8)]
        let heard = Sounds(slow + [.voice(10.6, 11.7, heardAfter: 0.25)]).ends(until: 20, from: 1, to: 3)
        #expect(
            heard.lines == [
                "3.500 since 2.000 after 1.500", "10.800 since 8.000 after 2.800 own",
                "13.200 since 11.700 after 1.500",
            ])
    }

    @Test func thePiecesDoNotMatter() {
        let sounds = Sounds([.voice(1, 3), .click(3.5), .far(4, 4.3), .voice(4.41, 6.37), .voice(9, 9.93)])
        let whole = sounds.ends(until: 12.005)
        #expect(whole.lines.count == 2)
        for piece in [160, 80, 1] {
            #expect(sounds.ends(until: 12.005, inPiecesOf: piece).ends == whole.ends, "\(piece)")
        }
    }

    // MARK: - The speaker's own pauses

    @Test func aLongPauseLengthensTheSilence() {
        let sounds = [Sounds.Sound.voice(1, 3), .voice(4.2, 6)]
        #expect(Sounds(sounds).ends(until: 12, from: 1, to: 4).lines == ["8.400 since 6.000 after 2.400 own"])
        #expect(Sounds(sounds).ends(until: 12, from: 1, to: 2).lines == ["8.000 since 6.000 after 2.000 own"])
        #expect(Sounds(sounds).ends(until: 12).lines == ["7.500 since 6.000 after 1.500"], "without a range it stays")
    }

    @Test func whatWasLearnedOutlivesAnAnswer() {
        let heard = Sounds([.voice(1, 3), .voice(4.2, 6), .voice(10, 12)]).ends(until: 20, from: 1, to: 4)
        #expect(heard.lines == ["8.400 since 6.000 after 2.400 own", "14.400 since 12.000 after 2.400 own"])
    }

    @Test func theSilenceBetweenTwoAnswersIsNobodysPause() {
        let heard = Sounds([.voice(1, 3), .voice(20, 22)]).ends(until: 30, from: 1, to: 4)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500", "23.500 since 22.000 after 1.500"])
    }

    @Test func eightShortPausesShortenTheSilence() {
        let phrases = (0..<9).map { Sounds.Sound.voice(1 + 1.6 * Double($0), 2 + 1.6 * Double($0)) }
        #expect(Sounds(phrases).ends(until: 20, from: 1, to: 4).lines == ["16.000 since 14.800 after 1.200 own"])
    }

    // MARK: - Sounds that are no speech

    @Test func aClickPutsTheEndOff() {
        let heard = Sounds([.voice(1, 3), .click(4)]).ends(until: 10)
        #expect(heard.lines == ["5.600 since 4.100 after 1.500"])
        #expect(heard.sounds.map(\.kind) == [.doubtful])
    }

    @Test func clicksPutItOffBySoMuchAndNoMore() {
        let heard = Sounds([.voice(1, 3), .click(4), .click(5), .click(5.5), .click(6.5)]).ends(until: 20)
        #expect(heard.lines == ["6.000 since 3.000 after 1.500 putOff", "8.100 since 6.600 after 1.500"])
        #expect(heard.sounds.count == 4)
    }

    @Test func aVoiceFarOffIsAsGoodAsSilence() {
        let heard = Sounds([.far(0.2, 0.8), .voice(1, 3), .far(3.4, 3.9)]).ends(until: 10)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500 distant 2"])
        #expect(heard.sounds.map(\.kind) == [.distant, .distant])
        #expect(heard.sounds.map(\.began) == [at(0.2), at(3.4)] && heard.sounds.map(\.ended) == [at(0.8), at(3.9)])
    }

    /// What it is was found when it was over.
    @Test func aVoiceIsWaitedForUntilItIsFoundToBeFarOff() {
        let heard = Sounds([.voice(1, 3), .far(3.4, 5)]).ends(until: 10)
        #expect(heard.lines == ["5.240 since 3.000 after 1.500 distant 1"])
    }

    @Test func nobodyAnswersFromFarOff() {
        let heard = Sounds([.far(1, 3)]).ends(until: 10)
        #expect(heard.lines.isEmpty)
        #expect(heard.sounds.count == 1)
    }
}

private func at(_ seconds: Double) -> ExamTime { ExamTime(sampleCount: Int((seconds * 16_000).rounded())) }

/// What a detector decides of sounds, and when: a beginning after some time, an end after some more.
private struct Sounds {
    struct Sound {
        var began: Double
        var ended: Double
        var kind: VoiceChange.Sound
        var heardAfter = 0.1
        var overAfter = 0.24

        static func voice(_ began: Double, _ ended: Double, heardAfter: Double = 0.1, overAfter: Double = 0.24) -> Self
        {
            Self(began: began, ended: ended, kind: .speech, heardAfter: heardAfter, overAfter: overAfter)
        }
        static func click(_ began: Double) -> Self { Self(began: began, ended: began + 0.1, kind: .doubtful) }
        static func far(_ began: Double, _ ended: Double) -> Self { Self(began: began, ended: ended, kind: .distant) }
    }

    private let decisions: [(sample: Int, change: VoiceChange)]

    init(_ sounds: [Sound]) {
        func samples(_ seconds: Double) -> Int { Int((seconds * 16_000).rounded()) }
        decisions = sounds.flatMap { sound in
            [
                (samples(sound.began + sound.heardAfter), VoiceChange.began(atSample: samples(sound.began))),
                (samples(sound.ended + sound.overAfter), .ended(atSample: samples(sound.ended), as: sound.kind)),
            ]
        }
    }

    /// What comes of 1.5 s of silence, or of what the speaker's pauses make of it between two bounds.
    func ends(until last: Double, from floor: Double? = nil, to ceiling: Double = 0, inPiecesOf piece: Int = 320)
        -> EndsOfAnswers
    {
        let range = floor.map { ExamScript.SilenceRange(floor: .seconds($0), ceiling: .seconds(ceiling)) }
        var ends = EndsOfAnswers(silence: .milliseconds(1_500), range: range)
        let last = Int((last * 16_000).rounded())
        var (rest, reached) = (decisions[...], 0)
        while reached < last {
            reached = min(reached + piece, last)
            let news = rest.prefix { $0.sample <= reached }
            rest = rest.dropFirst(news.count)
            ends.hear(news.map(\.change), until: reached)
        }
        ends.finish()
        return ends
    }
}

extension EndsOfAnswers {
    /// `4.500 since 3.000 after 1.500`, and what else there is to say, as a log has it.
    fileprivate var lines: [String] {
        ends.map { end in
            var line =
                "\(end.at.sinceBegin.text) since \(end.silentSince.sinceBegin.text) after \(end.reason.silence.text)"
            if end.reason.isOwn { line += " own" }
            if end.reason.isPutOff { line += " putOff" }
            if end.reason.soundsNotCounted > 0 { line += " distant \(end.reason.soundsNotCounted)" }
            return line
        }
    }
}
