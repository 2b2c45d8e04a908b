import Testing

@testable import DetectorScores

/// Small recordings whose figures were computed by hand: six seconds, with speech from 1 s to 3 s.
@Suite struct HandMade {
    private func score(
        _ heard: Range<Double>..., labelled: [Range<Double>] = [1..<3], declared: [Double]? = nil, minBurst: Double = 0
    ) -> DetectorScore {
        var score = DetectorScore(DetectorScore.Rules(minBurst: minBurst))
        score.add(labelled: Speech(labelled), heard: Speech(heard), declared: declared, duration: 6)
        return score
    }

    private func close(_ figure: Double?, _ expected: Double) -> Bool {
        figure.map { abs($0 - expected) < 1e-9 } ?? false
    }

    /// 190 of 200 frames are heard, and 20 more that are not speech.
    @Test func framesAreCounted() {
        let score = score(1.1..<3.2)
        #expect(score.frames == 600)
        #expect(close(score.precision, 190 / 210))
        #expect(close(score.recall, 190 / 200))
        #expect(close(score.f1, 2 * 190 / (210 + 200)))
        #expect(close(score.falseAlarms, 20 / 400))
        #expect(close(score.missedSpeech, 10 / 200))
        #expect(close(score.onsetMedian, 0.1))
    }

    /// An end is declared 1.5 s after the last voice. Here that is at 4.7 s, 1.7 s after the turn. More than 1.8 s is
    /// late, less than 1.4 s early.
    @Test func anEndIsDeclaredAfterSilence() {
        let punctual = score(1.1..<3.2)
        #expect(punctual.turns == 1 && punctual.eligibleTurns == 1)
        #expect(close(punctual.latencyMedian, 1.7))
        #expect(punctual.missed == 0 && punctual.early == 0 && punctual.late == 0 && punctual.premature == 0)
        #expect(score(1..<3.4).late == 1)
        #expect(score(1..<2.85).early == 1)
        #expect(score(1..<6).missed == 1)
        #expect(score().missed == 1)
    }

    /// A click at 3.5 s restarts the timer unless bursts are ignored.
    @Test func aShortBurstIsNotAVoice() {
        #expect(close(score(1..<3, 3.5..<3.55).latencyMedian, 2.05))
        #expect(close(score(1..<3, 3.5..<3.55, minBurst: 0.1).latencyMedian, 1.5))
        #expect(close(score(1..<3, 3.5..<3.6, minBurst: 0.1).latencyMedian, 2.1))
    }

    /// The voice is lost at 1.5 s, so the end is declared at 3.0 s. In a pause of 1.2 s that is too early,
    /// in one of 1.8 s it is right.
    @Test func anEndInAShortPauseIsPremature() {
        #expect(score(1..<1.5, 3.2..<4, labelled: [1..<2, 3.2..<4]).premature == 1)
        #expect(score(1..<1.5, 3.8..<4, labelled: [1..<2, 3.8..<4]).premature == 0)
        #expect(score(1..<2.4, labelled: [1..<4]).premature == 1)
    }

    /// A pause of two seconds separates two turns. Only the first is followed by as much silence as an end needs.
    @Test func aLongPauseMakesTwoTurns() {
        let score = score(1..<2, 4..<5, labelled: [1..<2, 4..<5])
        #expect(score.turns == 2 && score.eligibleTurns == 1)
        #expect(score.latencies.count == 1)
    }

    @Test func declaredEndsOfTheDetectorCount() {
        #expect(close(score(1..<6, declared: [4.2]).latencyMedian, 1.2))
        #expect(score(1..<6, declared: [4.2]).early == 1)
        #expect(score(1..<3, declared: []).missed == 1)
        #expect(score(1..<3, declared: [2.5, 4.5]).premature == 1)
    }

    @Test func aVoiceBeforeTheFirstWordIsAFalseStart() {
        let cough = score(0.2..<0.5, 1.05..<3)
        #expect(cough.falseStart == 1)
        #expect(close(cough.onsetMedian, 0.05))
        #expect(score(0.2..<0.25, 1..<3, minBurst: 0.1).falseStart == 0)
        // A voice that began before the word and continues is the word itself, heard at most 0.3 s early.
        #expect(score(0.1..<3).falseStart == 0)
        #expect(close(score(0.1..<3).onsetMedian, -0.3))
        #expect(score().onsetMedian == nil)
    }

    @Test func recordingsAreScoredTogether() {
        var score = DetectorScore()
        for end in [3.0, 3.1, 3.2, 3.6] {
            score.add(labelled: Speech([1..<3]), heard: Speech([1..<end]), duration: 6)
        }
        score.add(labelled: Speech([]), heard: Speech([1..<2]), duration: 3)
        #expect(score.recordings == 4 && score.frames == 2_700)
        #expect(close(score.precision, 800 / (800 + 10 + 20 + 60 + 100)))
        #expect(close(score.latencyMedian, 1.65))
        // The 95th percentile of four figures is 0.85 of the way from the third to the last.
        #expect(close(score.latencyP95, 1.7 + 0.85 * 0.4))
        #expect(close(score.late, 1 / 4))
    }

    @Test func stretchesThatTouchAreOne() {
        #expect(Speech([2..<3, 1..<2, 2.5..<2.7]) == Speech([1..<3]))
    }

    @Test func tablesAreReadStrictly() throws {
        let table = "file,start_s,end_s\nb,1,2\na,4,5\r\na,1.5,2\n"
        #expect(try Speech.byFile(csv: table) == ["a": Speech([1.5..<2, 4..<5]), "b": Speech([1..<2])])
        #expect(try Speech.declaredEnds(csv: "file,end_s\na,3\na,9.5\n") == ["a": [3, 9.5]])
        #expect(throws: SpeechTableError(line: 2, reason: "ends before it begins")) {
            try Speech.byFile(csv: "file,start_s,end_s\na,2,1\n")
        }
        #expect(throws: SpeechTableError(line: 1, reason: "is not file,end_s")) { try Speech.declaredEnds(csv: "") }
        #expect(throws: SpeechTableError(line: 3, reason: "has no file and 2 seconds")) {
            try Speech.byFile(csv: "file,start_s,end_s\na,1,2\na,one,2\n")
        }
    }
}
