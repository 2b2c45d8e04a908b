import ExamCore
import Testing
import VoiceActivity

/// Changes that must not matter: the splits of a stream, its loudness, and a sound below it.
@Suite struct AnyStream {
    static let conversation = sound(
        ".......####....#######..##....#........~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~++++~~~~~")

    @Test(arguments: [1, 7, 159, 160, 161, 319, 320, 321, 10_000])
    func anySplitGivesTheSameChanges(_ size: Int) {
        let whole = changes(in: Self.conversation)
        #expect(whole.count >= 8)
        #expect(changesHeard(inPartsOf: { size }) == whole)
    }

    @Test(arguments: UInt64(1)...10)
    func anyUnevenSplitGivesTheSameChanges(_ seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        #expect(changesHeard(inPartsOf: { dice.below(1_000) }) == changes(in: Self.conversation))
    }

    @Test(arguments: [Float(-20), -15, -10, -5, 5, 10, 15, 20])
    func loudnessDoesNotChangeTheNumberOfPhrases(_ gain: Float) {
        for seed in UInt64(1)...3 {
            let speech = sound("..........####.....########.....##.....##########.....", seed: seed)
            let louder = speech.map { $0 * amplitude(dBFS: gain) }
            #expect(changes(in: louder).count == 8, "seed \(seed)")
        }
    }

    @Test(arguments: [Float(-0.5), -0.01, 0.01, 0.1, 0.5])
    func anOffsetIsNotSound(_ offset: Float) {
        let speech = sound("..........####.....####.....")
        #expect(isLike(heard(speech.map { $0 + offset }), heard(speech)))
    }

    @Test(arguments: [Float(0.001), 0.01, 0.1])
    func mainsHumIsNotSound(_ level: Float) {
        let speech = sound("..........####.....####.....")
        let hum = hum(50, harmonics: 1, amplitude: level, count: speech.count)
        #expect(isLike(heard(zip(speech, hum).map { $0 + $1 }), heard(speech)))
    }

    @Test func clippedSpeechIsSpeech() {
        let speech = sound("..........####.....####.....")
        let clipped = speech.map { min(max($0 * amplitude(dBFS: 40), -1), 1) }
        #expect(clipped.count(where: { abs($0) == 1 }) > speech.count / 10)
        #expect(isLike(heard(clipped), heard(speech)))
    }

    private func changesHeard(inPartsOf size: () -> Int) -> [VoiceChange] {
        var detector = VoiceDetector()
        detector.listen()
        var changes: [VoiceChange] = []
        Self.conversation.withUnsafeBufferPointer { sound in
            var start = 0
            while start < sound.count {
                let end = min(start + size(), sound.count)
                detector.hear(UnsafeBufferPointer(rebasing: sound[start..<end])) { changes.append($0) }
                start = end
            }
        }
        return changes
    }
}
