import Testing
import VoiceActivity

/// Every answer is listened to with a fresh detector, and nothing is heard between answers.
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

    /// An answer that begins while the examiner's last word still sounds.
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

    /// Known from the room before, a voice stands out at once, in the middle of a syllable.
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
        // The voice is over, but not for so long that it would have been reported.
        let heardBefore = detector.changes(in: speech.prefix(16 * step))
        #expect(heardBefore.count == 1)
        detector.listen()
        #expect(detector.changes(in: speech.dropFirst(16 * step)) == [])
    }

    /// 60 ms of a voice before and 60 ms after are not enough for a beginning; what follows is.
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
