import ExamCore
import ExamKit
import SessionFolders
import Testing
import VoiceActivity

/// The ends of answers that follow from the detector's decisions and their times. All times are in seconds.
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

    @Test func silenceIsNotAnAnswer() {
        #expect(Sounds([]).ends(until: 30).lines.isEmpty)
    }

    @Test func theEndIsCheckedEveryTwentyMilliseconds() {
        let heard = Sounds([.voice(1, 3.01)]).ends(until: 10)
        #expect(heard.lines == ["4.520 since 3.010 after 1.500"])
    }

    // MARK: - The end of the sound

    @Test func speechOrAPauseAtTheEndIsNotAnEnd() {
        #expect(Sounds([.voice(1, 3)]).ends(until: 2).lines.isEmpty)
        #expect(Sounds([.voice(1, 3)]).ends(until: 4.499).lines.isEmpty)
    }

    @Test func aSilenceThatLastsToTheEndCounts() {
        #expect(Sounds([.voice(1, 3.01)]).ends(until: 4.51).lines == ["4.510 since 3.010 after 1.500"])
        #expect(Sounds([.voice(1, 3)]).ends(until: 4.5).lines == ["4.500 since 3.000 after 1.500"])
    }

    // MARK: - Late decisions

    /// The voice began at 4.4 s but was detected at 4.6 s. That is too late for an exam, and so it is here.
    @Test func aVoiceHoldsNothingBackBeforeItIsHeard() {
        let heard = Sounds([.voice(1, 3), .voice(4.4, 6, heardAfter: 0.2)]).ends(until: 10)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500", "7.500 since 6.000 after 1.500"])
        let sooner = Sounds([.voice(1, 3), .voice(4.4, 6, heardAfter: 0.1)]).ends(until: 10)
        #expect(sooner.lines == ["7.500 since 6.000 after 1.500"], "an end counts in the block that decides it")
    }

    @Test func noAnswerIsOverBeforeItsVoiceIs() {
        let heard = Sounds([.voice(1, 3, overAfter: 2)]).ends(until: 10)
        #expect(heard.lines == ["5.000 since 3.000 after 1.500"])
    }

    /// Only the part of the second answer after the first one's end belongs to it. It is shorter than a second, so the
    /// silence isn't extended.
    @Test func earlierReasonsAreNotRepeatedAtAnEnd() {
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
        #expect(
            Sounds(sounds).ends(until: 12).lines == ["7.500 since 6.000 after 1.500"],
            "without a range, the silence does not change")
    }

    @Test func learnedPausesOutliveAnAnswer() {
        let heard = Sounds([.voice(1, 3), .voice(4.2, 6), .voice(10, 12)]).ends(until: 20, from: 1, to: 4)
        #expect(heard.lines == ["8.400 since 6.000 after 2.400 own", "14.400 since 12.000 after 2.400 own"])
    }

    @Test func theSilenceBetweenTwoAnswersIsNotAPause() {
        let heard = Sounds([.voice(1, 3), .voice(20, 22)]).ends(until: 30, from: 1, to: 4)
        #expect(heard.lines == ["4.500 since 3.000 after 1.500", "23.500 since 22.000 after 1.500"])
    }

    @Test func eightShortPausesShortenTheSilence() {
        let phrases = (0..<9).map { Sounds.Sound.voice(1 + 1.6 * Double($0), 2 + 1.6 * Double($0)) }
        #expect(Sounds(phrases).ends(until: 20, from: 1, to: 4).lines == ["16.000 since 14.800 after 1.200 own"])
    }

    // MARK: - Sounds that aren't speech

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

    /// The kind of a sound is known only when the sound is over.
    @Test func aVoiceIsWaitedForUntilItIsFoundToBeFarOff() {
        let heard = Sounds([.voice(1, 3), .far(3.4, 5)]).ends(until: 10)
        #expect(heard.lines == ["5.240 since 3.000 after 1.500 distant 1"])
    }

    @Test func distantVoicesDoNotAnswer() {
        let heard = Sounds([.far(1, 3)]).ends(until: 10)
        #expect(heard.lines.isEmpty)
        #expect(heard.sounds.count == 1)
    }
}

private func at(_ seconds: Double) -> ExamTime { ExamTime(sampleCount: Int((seconds * 16_000).rounded())) }

/// The decisions of a detector on sounds: each beginning and each end is reported after a delay.
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

    /// Returns the ends for 1.5 s of silence, or for a silence that adapts to the speaker's pauses between two limits.
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
    /// The ends in the form of a log: `4.500 since 3.000 after 1.500`, with further facts.
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
