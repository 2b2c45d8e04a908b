import Testing
import VoiceActivity

/// The detector by pictures: a sound that is drawn, and what is heard of it. `sound` says what the characters mean.
@Suite struct Pictures {
    @Test(arguments: UInt64(1)...5)
    func speechIsHeardWhereItIs(_ seed: UInt64) {
        #expect(heard("....................", seed: seed) == "....................")
        #expect(heard("......####......####......", seed: seed) == "......####......####......")
        #expect(heard("......#......##......##....", seed: seed) == "......#......##......##....")
    }

    @Test func speechIsHeardInDigitalSilenceToo() {
        #expect(heard("--------------------") == "....................")
        #expect(heard("-----!!!!!-----!!!!!-----") == ".....#####.....#####.....")
    }

    @Test func speechIsHeardBesideAFan() {
        #expect(heard("~~~~~~~~~~++++++~~~~~~~~~~++~~~~") == "..........######..........##....")
    }

    /// The closure of a plosive, the breath between two words.
    @Test func gapBetweenWordsIsNotSilence() {
        #expect(heard("......##.##......") == "......#####......")
        #expect(heard("......##..##......") == "......######......")
    }

    @Test func pauseBetweenSentencesIsSilence() {
        #expect(heard("......##....##......") == "......##....##......")
    }

    @Test func aLongPhraseIsHeardToItsEnd() {
        let phrase = String(repeating: "#", count: 79)
        #expect(heard("....." + phrase + ".....") == "....." + phrase + ".....")
    }

    @Test func whoeverSpeaksFromTheFirstSampleOnIsHeardByTheSecondPhrase() {
        let picture = heard("#####.....#####....")
        #expect(picture.hasSuffix(".....#####...."))
    }

    /// Frames of 70 ms find the beginning 28 to 39 ms early and the end 30 to 45 ms late, as people label them too.
    @Test(arguments: UInt64(1)...20)
    func beginningAndEndAreDatedWhenTheyHappened(_ seed: UInt64) throws {
        var dice = Dice(state: seed)
        let beginning = 16_000 + dice.roll(below: 3_000)
        // Whole syllables: a voice that fades away has no end that could be measured.
        let end = beginning + 4_000 * (2 + dice.roll(below: 4)) + 2_000
        var voice = Voice()
        var sound = sound(String(repeating: ".", count: 35), seed: seed)
        for index in beginning..<end { sound[index] += voice.next() }

        let changes = changes(in: sound)
        try #require(changes.count == 2)
        #expect((-40 * 16...0).contains(changes[0].sample - beginning))
        #expect((0...50 * 16).contains(changes[1].sample - end))
        #expect(changes == [.began(atSample: changes[0].sample), .ended(atSample: changes[1].sample)])
    }
}
