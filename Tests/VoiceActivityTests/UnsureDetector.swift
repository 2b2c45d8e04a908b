import ExamCore
import Testing
import VoiceActivity

/// Until the detector has decided whether a voice began, it reports the possible beginning.
@Suite struct UnsureDetector {
    @Test func aBeginningIsSuspectedWhereItIsThenDated() throws {
        var detector = VoiceDetector()
        detector.listen()
        let speech = sound("..........#####.....")
        var suspected: [Int] = []
        var began: Int?
        for start in stride(from: 0, to: speech.count, by: 160) where began == nil {
            let news = detector.changes(in: speech[start..<start + 160])
            began = news.first?.sample
            if began == nil, let sample = detector.mayHaveBegun { suspected.append(sample) }
        }
        #expect(try #require(began) > 9 * step)
        #expect(suspected.last == began)
        #expect(detector.mayHaveBegun == nil, "decided")
    }

    @Test func nothingIsSuspectedInAQuietRoomNorWhereNobodyListens() {
        var detector = VoiceDetector()
        for start in stride(from: 0, to: 20 * step, by: 160) {
            _ = detector.changes(in: sound("....................")[start..<start + 160])
            #expect(detector.mayHaveBegun == nil)
        }
        _ = detector.changes(in: sound("####"))
        #expect(detector.mayHaveBegun == nil)
    }

    /// Clicks of a keyboard keep the detector busy, and never decide it.
    @Test func nobodyWaitsForASuspicionLongerThanHalfASecond() {
        var dice = SplitMix64(seed: 5)
        var detector = VoiceDetector()
        detector.listen()
        var longest = 0
        var since: (sample: Int, heard: Int)?
        var clicks = sound(String(repeating: ".", count: 200))
        for start in stride(from: 20 * step, to: clicks.count - 400, by: 1_300) {
            for index in 0..<320 { clicks[start + index] += dice.noise() * 0.05 }
        }
        for start in stride(from: 0, to: clicks.count, by: 160) {
            _ = detector.changes(in: clicks[start..<start + 160])
            guard let sample = detector.mayHaveBegun else {
                since = nil
                continue
            }
            if since?.sample != sample { since = (sample, start) }
            longest = max(longest, start + 160 - sample)
        }
        #expect(longest > 0, "they are heard")
        #expect(longest <= (50 + 4) * 160)
    }
}
