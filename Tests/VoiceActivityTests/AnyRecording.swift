import Foundation
import Testing
import VoiceActivity

/// What must not matter, on recorded answers: `AnyStream`'s claims, as far as they hold there.
///
/// A drawn voice stops at once; a recorded one fades out, and where a change is dated then depends a little on everything. The
/// last sound of "streets" in `maps-1` counts or not, 0.2 s: so one change of a recording may move by that, the others by 30 ms.
@Suite struct AnyRecording {
    static let names = ["maps-1", "home-3"]

    /// An answer in a quiet room, and what is heard of it: three and five stretches.
    private static let answers = names.map { name in
        let sound = try! (nothing(1) + Recording.answer(name) + nothing(0.5)).with(quietRoom)
        return (sound: sound, changes: VoiceActivityTests.changes(in: sound))
    }

    @Test func theAnswersHaveParts() {
        #expect(Self.answers.map(\.changes.count) == [6, 10])
    }

    // MARK: - Loudness

    @Test(arguments: [0, 1], [Float(-20), -10, 20])
    func loudnessMovesNothing(_ answer: Int, _ gain: Float) {
        let louder = Self.answers[answer].sound.map { min(max($0 * amplitude(dBFS: gain), -1), 1) }
        #expect(isTheSame(changes(in: louder), Self.answers[answer].changes))
    }

    /// Words of −55 dBFS: the room is below the gate then, and a closure between two words may be a pause.
    @Test(arguments: [0, 1])
    func theQuietestAnswerIsHeardFromItsBeginningToItsEnd(_ answer: Int) {
        let quiet = Self.answers[answer].sound.scaled(amplitude(dBFS: -30))
        #expect(hasTheSameBounds(changes(in: quiet), Self.answers[answer].changes))
    }

    // MARK: - What lies under it

    /// 16 dB under the words.
    @Test(arguments: [50, 60])
    func humMovesNothing(_ hertz: Int) {
        let hum = hum(hertz, harmonics: 6, amplitude: 0.01, count: sampleRate)
        #expect(isTheSame(changes(in: Self.answers[0].sound.with(hum)), Self.answers[0].changes))
    }

    /// 4 dB over the words.
    @Test(arguments: [50, 60])
    func anAnswerIsHeardThroughTheLoudestHum(_ hertz: Int) {
        let hum = hum(hertz, harmonics: 6, amplitude: 0.1, count: sampleRate)
        #expect(hasTheSameBounds(changes(in: Self.answers[1].sound.with(hum)), Self.answers[1].changes))
    }

    @Test(arguments: [0, 1], [Float(0.5), -0.01])
    func anOffsetMovesNothing(_ answer: Int, _ offset: Float) {
        #expect(isTheSame(changes(in: Self.answers[answer].sound.map { $0 + offset }), Self.answers[answer].changes))
    }

    // MARK: - Sound that is lost

    /// Zeros in the middle of the longest stretch.
    @Test(arguments: [0, 1], [0.02, 0.2])
    func aShortDropoutIsNoPause(_ answer: Int, _ seconds: Double) throws {
        let (sound, known) = Self.answers[answer]
        #expect(isTheSame(changes(in: sound.zeroed(try middle(of: known), seconds)), known))
    }

    @Test(arguments: [0, 1])
    func aLongDropoutIsOnePause(_ answer: Int) throws {
        let (sound, known) = Self.answers[answer]
        let from = try middle(of: known)
        let heard = changes(in: sound.zeroed(from, 0.5))
        #expect(heard.count == known.count + 2)
        let added = heard.filter { ($0.sample - from).magnitude < 960 || ($0.sample - from - 8_000).magnitude < 960 }
        #expect(added.count == 2)
    }

    /// The room is not where it was when the sound comes back: that costs a tenth of a second.
    @Test(arguments: [0.1, 0.5, 1])
    func aDropoutAfterAnAnswerHardlyPutsItsEndOff(_ seconds: Double) throws {
        let answer = nothing(1.5) + (try Recording.answer("because").trimmed())
        let end = Double(answer.count) / 16_000 - 0.05
        let sound = (answer + nothing(3.5)).with(try Recording.noise("fan")).zeroed(answer.count + 8_000, seconds)
        let declared = Overheard(sound).declared
        #expect(declared.count == 1)
        #expect(try #require(declared.first) <= end + 1.65)
    }

    // MARK: - How it is cut

    @Test(arguments: [1, 159, 10_000])
    func anySplitGivesTheSameChanges(_ size: Int) {
        #expect(heardInParts { size } == Self.answers[1].changes)
    }

    @Test(arguments: UInt64(1)...2)
    func anyUnevenSplitGivesTheSameChanges(_ seed: UInt64) {
        var dice = Dice(state: seed)
        #expect(heardInParts { dice.roll(below: 1_000) } == Self.answers[1].changes)
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

    /// As many changes; all but one within 30 ms, and that one within a quarter of a second.
    private func isTheSame(_ heard: [VoiceChange], _ known: [VoiceChange]) -> Bool {
        let moves = zip(heard, known).map { ($0.sample - $1.sample).magnitude }
        return heard.count == known.count && moves.count { $0 > 480 } <= 1 && moves.allSatisfy { $0 <= 4_000 }
    }

    /// The first word begins within 30 ms, the last ends within 0.2 s.
    private func hasTheSameBounds(_ heard: [VoiceChange], _ known: [VoiceChange]) -> Bool {
        guard let first = heard.first, let last = heard.last else { return false }
        return (first.sample - known[0].sample).magnitude <= 480
            && (last.sample - known[known.count - 1].sample).magnitude <= 3_200
    }

    private func middle(of changes: [VoiceChange]) throws -> Int {
        let longest = try #require(changes.voices(until: 0).max { $0.count < $1.count })
        return (longest.lowerBound + longest.upperBound) / 2
    }
}

extension [Float] {
    /// With so many seconds of zeros in place of what was there.
    fileprivate func zeroed(_ start: Int, _ seconds: Double) -> [Float] {
        var sound = self
        for index in start..<start + Int(seconds * 16_000) { sound[index] = 0 }
        return sound
    }
}
