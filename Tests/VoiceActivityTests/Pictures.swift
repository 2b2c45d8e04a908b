import ExamCore
import Testing
import VoiceActivity

/// Tests of the detector by pictures of sound, and of the speech that it hears in them. `sound` explains the
/// characters.
@Suite struct Pictures {
    @Test(arguments: UInt64(1)...5)
    func speechIsHeardWhereItIs(_ seed: UInt64) {
        #expect(heard("....................", seed: seed) == "....................")
        #expect(isLike(heard("......####......####......", seed: seed), "......####......####......"))
        #expect(isLike(heard("......##......##......##......", seed: seed), "......##......##......##......"))
    }

    @Test func speechIsHeardInDigitalSilenceToo() {
        #expect(heard("--------------------") == "....................")
        #expect(isLike(heard("-----!!!!!-----!!!!!-----"), ".....#####.....#####....."))
    }

    @Test func speechIsHeardBesideAFan() {
        let picture = heard("~~~~~~~~~~++++++~~~~~~~~~~++~~~~~~~~~~")
        #expect(isLike(picture, "..........######..........##..........", within: 3), "in noise an end is dated later")
    }

    /// The closure of a plosive, or the breath between two words.
    @Test func gapBetweenWordsIsNotSilence() {
        #expect(isLike(heard("......##.##......"), "......#####......"))
    }

    @Test func pauseBetweenSentencesIsSilence() {
        #expect(isLike(heard("......##....##......"), "......##....##......"))
    }

    /// The phrase lasts half a minute, and no pause in it is as long as 0.6 s.
    @Test func aLongPhraseIsHeardToItsEnd() throws {
        let phrase = try (1...4).flatMap { _ in try Recording.answer("maps-4").trimmed() }
        let heard = changes(in: (nothing(1) + phrase + nothing(1)).with(quietRoom)).voices(until: 0)
        let pauses = zip(heard, heard.dropFirst()).map { $1.lowerBound - $0.upperBound }
        #expect(abs(try #require(heard.last).upperBound - phrase.count - sampleRate) < 4_000)
        #expect(pauses.allSatisfy { $0 < 9_600 })
    }

    @Test func whoeverSpeaksFromTheFirstSampleOnIsHeardByTheSecondPhrase() {
        let picture = heard("#####.....#####....")
        #expect(isLike(picture.suffix(12), "...#####...."))
    }

    /// A beginning is found up to 53 ms early, and an end up to 110 ms late if a syllable stops at its loudest.
    @Test(arguments: UInt64(1)...20)
    func beginningAndEndAreDatedWhenTheyHappened(_ seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let beginning = 16_000 + dice.below(3_000)
        // Whole syllables, because the end of a fading voice can't be measured.
        let end = beginning + 4_000 * (2 + dice.below(4)) + 2_000
        var voice = Voice()
        var sound = sound(String(repeating: ".", count: 35), seed: seed)
        for index in beginning..<end { sound[index] += voice.next() }

        let changes = changes(in: sound)
        try #require(changes.count == 2)
        #expect((-60 * 16...0).contains(changes[0].sample - beginning))
        #expect((0...120 * 16).contains(changes[1].sample - end))
        #expect(changes == [.began(atSample: changes[0].sample), .ended(atSample: changes[1].sample)])
    }
}
