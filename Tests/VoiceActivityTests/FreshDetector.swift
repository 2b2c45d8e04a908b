import Testing
import VoiceActivity

/// Every answer begins with a fresh detector, which reports nothing between answers.
@Suite struct FreshDetector {
    @Test func nothingIsReportedBeforeListening() {
        var detector = VoiceDetector()
        #expect(!detector.isListening)
        #expect(detector.changes(in: sound("......####......####......")) == [])
        #expect(!detector.isVoiced)
        #expect(detector.sampleCount == 26 * step)
    }

    @Test func theRoomIsLearnedBeforeListening() {
        var detector = VoiceDetector()
        let fan = sound(".........." + String(repeating: "~", count: 50))
        _ = detector.changes(in: fan)
        detector.listen()
        #expect(detector.changes(in: sound("~~~~~~~~~~~~~~~~~~~~")) == [])
    }

    /// An answer that begins during the examiner's last word.
    @Test func aVoiceThatSoundsAlreadyBeginsAnew() throws {
        var detector = VoiceDetector()
        detector.listen()
        let speech = sound("..........##########..........")
        #expect(detector.changes(in: speech.prefix(15 * step)).count == 1)
        #expect(detector.isVoiced)

        detector.listen()
        #expect(detector.isListening)
        #expect(!detector.isVoiced)
        let changes = detector.changes(in: speech.dropFirst(15 * step))
        try #require(changes.count == 2)
        #expect(changes[0] == .began(atSample: changes[0].sample))
        #expect((15 * step...15 * step + 800).contains(changes[0].sample), "not before it was listened to")
        #expect((20 * step...20 * step + 1_920).contains(changes[1].sample))
    }

    /// The detector knows the room from before, so a voice stands out at once, in the middle of a syllable.
    @Test func whoeverSpokeBeforeListeningIsReportedOnce() throws {
        var detector = VoiceDetector()
        let speech = sound("..........##########..........")
        #expect(detector.changes(in: speech.prefix(14 * step)) == [])
        detector.listen()
        let changes = detector.changes(in: speech.dropFirst(14 * step))
        try #require(changes.count == 2)
        #expect((14 * step...14 * step + 800).contains(changes[0].sample))
    }

    @Test func stoppingIsNotAChange() {
        var detector = VoiceDetector()
        detector.listen()
        let speech = sound("..........##########..........####......")
        #expect(detector.changes(in: speech.prefix(15 * step)).count == 1)
        #expect(detector.isVoiced)
        detector.stopListening()
        #expect(!detector.isVoiced)
        #expect(!detector.isListening)
        #expect(detector.changes(in: speech.dropFirst(15 * step)) == [])
        #expect(!detector.isVoiced)
    }

    @Test func aPauseThatBeganBeforeListeningEndsNothing() {
        var detector = VoiceDetector()
        detector.listen()
        let speech = sound("..........#####..........")
        // The voice has ended, but not long enough ago to be reported.
        let heardBefore = detector.changes(in: speech.prefix(16 * step))
        #expect(heardBefore.count == 1)
        detector.listen()
        #expect(detector.changes(in: speech.dropFirst(16 * step)) == [])
    }

    /// 60 ms of a voice before listening and 60 ms after it don't count as a beginning. Longer speech after it does.
    @Test func whatWasHeardBeforeDoesNotCountTowardsABeginning() throws {
        var detector = VoiceDetector()
        detector.listen()
        let speech = sound("..........#####.....")
        let began = try #require(changes(in: speech).first?.sample)
        let listens = began + 1_600
        #expect(detector.changes(in: speech.prefix(listens)) == [])
        detector.listen()
        #expect(detector.changes(in: speech[listens..<(listens + 960)]) == [])
        let later = detector.changes(in: speech[(listens + 960)...])
        #expect(later.first.map { (listens...listens + 960).contains($0.sample) } == true)
    }
}
