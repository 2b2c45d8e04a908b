import ExamCore
import Foundation
import Testing
import VoiceActivity

/// Changes that must not matter, on recorded answers: the claims of `AnyStream`, as far as they hold there.
///
/// A drawn voice stops at once. A recorded one fades out, so the date of a change depends a little on everything. The
/// tests compare what matters to an exam: stretches of speech, and the pauses longer than half a second between them.
@Suite struct AnyRecording {
    static let names = ["maps-1", "home-3"]

    /// Answers in a quiet room, with the detected changes.
    private static let answers = names.map { name in
        let sound = try! (nothing(1) + Recording.answer(name) + nothing(0.5)).with(quietRoom)
        return (sound: sound, changes: VoiceActivityTests.changes(in: sound))
    }

    // MARK: - Loudness

    @Test(arguments: [0, 1], [Float(-10), -5, 5, 10])
    func loudnessMovesNothing(_ answer: Int, _ gain: Float) {
        let louder = Self.answers[answer].sound.map { min(max($0 * amplitude(dBFS: gain), -1), 1) }
        #expect(isTheSame(changes(in: louder), Self.answers[answer].changes))
    }

    /// Clipping by up to 12 dB raises the noise in the pauses between phrases.
    @Test(arguments: [0, 1])
    func anAnswerThatIsClippedIsHeardFromItsBeginningToItsEnd(_ answer: Int) {
        let clipped = Self.answers[answer].sound.map { min(max($0 * amplitude(dBFS: 20), -1), 1) }
        #expect(hasTheSameBounds(changes(in: clipped), Self.answers[answer].changes))
    }

    /// Words of −55 dBFS. The room is then below the gate, and a closure between two words may count as a pause.
    @Test(arguments: [0, 1], [Float(-30), -20])
    func theQuietestAnswerIsHeardFromItsBeginningToItsEnd(_ answer: Int, _ gain: Float) {
        let quiet = Self.answers[answer].sound.scaled(amplitude(dBFS: gain))
        #expect(hasTheSameBounds(changes(in: quiet), Self.answers[answer].changes))
    }

    // MARK: - Hum

    /// 16 dB below the words, and 4 dB above them. A first word with little voice may be lost, 0.3 s.
    @Test(arguments: [50, 60], [Float(0.01), 0.1])
    func anAnswerIsHeardThroughHum(_ hertz: Int, _ level: Float) {
        let hum = hum(hertz, harmonics: 6, amplitude: level, count: sampleRate)
        for answer in Self.answers {
            #expect(hasTheSameBounds(changes(in: answer.sound.with(hum)), answer.changes, first: 5_600))
        }
    }

    @Test(arguments: [0, 1], [Float(0.5), -0.01])
    func anOffsetMovesNothing(_ answer: Int, _ offset: Float) {
        #expect(isTheSame(changes(in: Self.answers[answer].sound.map { $0 + offset }), Self.answers[answer].changes))
    }

    // MARK: - Lost sound

    /// Zeros in the middle of the longest stretch. After longer ones, the detector has to learn the room again.
    @Test(arguments: [0, 1], [0.02, 0.2])
    func aShortDropoutIsNoPause(_ answer: Int, _ seconds: Double) throws {
        let (sound, known) = Self.answers[answer]
        let from = try middle(of: known)
        let heard = changes(in: sound.zeroed(from, seconds))
        #expect(hasTheSameBounds(heard, known))
        let voices = heard.voices(until: Int.max)
        #expect(seconds > 0.1 || voices.contains { $0.contains(from) && $0.contains(from + Int(seconds * 16_000)) })
    }

    @Test(arguments: [0, 1])
    func aLongDropoutIsOnePause(_ answer: Int) throws {
        let (sound, known) = Self.answers[answer]
        let from = try middle(of: known)
        let heard = changes(in: sound.zeroed(from, 0.5))
        #expect(hasTheSameBounds(heard, known))
        #expect(!heard.voices(until: Int.max).contains { $0.contains(from + 4_000) })
    }

    /// When the sound comes back, the room has changed for the detector, which costs a tenth of a second.
    @Test(arguments: [0.1, 0.5, 1])
    func aDropoutAfterAnAnswerHardlyPutsItsEndOff(_ seconds: Double) throws {
        let answer = nothing(1.5) + (try Recording.answer("because").trimmed())
        let end = Double(answer.count) / 16_000 - 0.05
        let sound = (answer + nothing(3.5)).with(try Recording.noise("fan")).zeroed(answer.count + 8_000, seconds)
        let declared = Overheard(sound).declared
        #expect(declared.count == 1)
        #expect(try #require(declared.first) <= end + 1.65)
    }

    // MARK: - Splits

    @Test(arguments: [1, 159, 10_000])
    func anySplitGivesTheSameChanges(_ size: Int) {
        #expect(heardInParts { size } == Self.answers[1].changes)
    }

    @Test(arguments: UInt64(1)...2)
    func anyUnevenSplitGivesTheSameChanges(_ seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        #expect(heardInParts { dice.below(1_000) } == Self.answers[1].changes)
    }

    private func heardInParts(of size: () -> Int) -> [VoiceChange] {
        var detector = VoiceDetector()
        detector.listen()
        var rest = Self.answers[1].sound[...]
        var changes: [VoiceChange] = []
        while !rest.isEmpty {
            let part = rest.prefix(size())
            part.withUnsafeBufferPointer { part in detector.hear(part) { changes.append($0) } }
            rest = rest.dropFirst(part.count)
        }
        return changes
    }

    // MARK: - Comparisons

    /// Returns whether both have the same number of phrases, with each bound within 0.15 s.
    private func isTheSame(_ heard: [VoiceChange], _ known: [VoiceChange]) -> Bool {
        let (heard, known) = (phrases(heard), phrases(known))
        return heard.count == known.count
            && zip(heard, known).allSatisfy {
                abs($0.lowerBound - $1.lowerBound) <= 2_400 && abs($0.upperBound - $1.upperBound) <= 2_400
            }
    }

    /// Returns whether the first word begins within 0.1 s, or `most` samples, and the last ends within 0.2 s.
    private func hasTheSameBounds(_ heard: [VoiceChange], _ known: [VoiceChange], first most: Int = 1_600) -> Bool {
        guard let first = heard.first, let last = heard.last else { return false }
        return (first.sample - known[0].sample).magnitude <= most
            && (last.sample - known[known.count - 1].sample).magnitude <= 3_200
    }

    /// Returns the detected stretches in samples, joined over pauses of under half a second.
    private func phrases(_ changes: [VoiceChange]) -> [Range<Int>] {
        changes.voices(until: Int.max).reduce(into: []) { phrases, voice in
            if let last = phrases.last, voice.lowerBound - last.upperBound < 8_000 {
                phrases[phrases.count - 1] = last.lowerBound..<voice.upperBound
            } else {
                phrases.append(voice)
            }
        }
    }

    private func middle(of changes: [VoiceChange]) throws -> Int {
        let longest = try #require(changes.voices(until: 0).max { $0.count < $1.count })
        return (longest.lowerBound + longest.upperBound) / 2
    }
}

extension [Float] {
    /// Returns the sound with this many seconds of zeros.
    fileprivate func zeroed(_ start: Int, _ seconds: Double) -> [Float] {
        var sound = self
        for index in start..<start + Int(seconds * 16_000) { sound[index] = 0 }
        return sound
    }
}
