import ExamCore
import Foundation
import Testing
import VoiceActivity

/// The detector doesn't take the room for the candidate.
@Suite struct RoomNoise {
    @Test(arguments: [Float(-60), -50, -40, -30, -20])
    func steadyNoiseHoldsNoVoice(_ level: Float) {
        var dice = SplitMix64(seed: 7)
        let noise = (0..<20 * sampleRate).map { _ in dice.noise() * amplitude(dBFS: level) }
        #expect(changes(in: noise) == [])
    }

    /// The hum of mains, alone and through a bad power supply.
    @Test(arguments: [50, 100, 60], [1, 6])
    func steadyHumHoldsNoVoice(_ hertz: Int, _ harmonics: Int) {
        let hum = hum(hertz, harmonics: harmonics, amplitude: 0.1, count: 20 * sampleRate)
        #expect(changes(in: hum) == [])
    }

    @Test func noiseThatBecomesLouderIsTheRoomWithinFourSeconds() {
        let fan = String(repeating: "~", count: 100)
        let picture = heard(".........." + fan)
        #expect(picture.prefix(10) == "..........")
        #expect(picture.dropFirst(50).allSatisfy { $0 == "." })
        let afterwards = heard(".........." + fan + "+++++~~~~~~~~~~")
        #expect(
            isLike(afterwards.suffix(35), "....................#####..........", within: 3),
            "and a voice beside it is heard")
    }

    /// A fan that is turned on in silence, and one that is turned on during speech.
    @Test func noiseThatBecomesLouderDoesNotCountAsSpeech() throws {
        let fan = String(repeating: "~", count: 40)
        let alone = changes(in: sound(".........." + fan))
        #expect(alone.allSatisfy { if case .ended(_, let sound) = $0 { !sound.counts } else { true } })
        let spoken = changes(in: sound("..........+++++++++++" + fan))
        try #require(spoken.count == 2)
        #expect(spoken[1] == .ended(atSample: spoken[1].sample, as: .speech))
        #expect(abs(spoken[1].sample - 21 * step) <= 3 * step, "dated where the fan was left alone")
    }

    /// A speaker 21 dB farther away, beside the candidate, and alone in an answer of their own.
    @Test func aFarVoiceDoesNotCountBesideANearOne() throws {
        let near = sound("..........##########..........")
        let far = sound("..........##########..........").map { $0 * amplitude(dBFS: -21) }
        var detector = VoiceDetector()
        detector.listen()
        #expect(detector.changes(in: near).count == 2)
        let beside = detector.changes(in: far)
        #expect(beside.allSatisfy { if case .ended(_, let sound) = $0 { sound == .distant } else { true } })
        detector.listen()
        let alone = detector.changes(in: far)
        #expect(alone.count == 2)
        #expect(alone.last == .ended(atSample: alone.last!.sample, as: .speech))
    }

    @Test func noiseThatStopsIsForgottenAtOnce() {
        #expect(isLike(heard("~~~~~~~~~~~~~~~~~~~~.....####....."), ".........................####....."))
    }

    /// A microphone that is unmuted.
    @Test func noiseAfterDigitalSilenceIsTheRoomWithinFourSeconds() {
        let picture = heard("----------" + String(repeating: "~", count: 60) + "++++++~~~~~~")
        #expect(picture.prefix(10) == "..........")
        #expect(isLike(picture.suffix(32), "....................######......", within: 2))
    }
}

/// Returns this many harmonics of a tone, each weaker than the last.
func hum(_ hertz: Int, harmonics: Int, amplitude: Float, count: Int) -> [Float] {
    let second = (0..<sampleRate).map { index -> Float in
        var sum: Float = 0
        for harmonic in 1...harmonics {
            let phase = Float(harmonic * hertz * index % sampleRate) / Float(sampleRate)
            sum += sin(2 * .pi * phase) / Float(harmonic)
        }
        return amplitude * sum
    }
    return (0..<count).map { second[$0 % sampleRate] }
}
