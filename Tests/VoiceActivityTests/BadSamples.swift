import ExamCore
import Testing
import VoiceActivity

/// A broken driver may deliver any samples. The detector survives them, and hears the speech after them.
@Suite struct BadSamples {
    static let bad: [Float] = [
        .nan, -.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude / 8, 1e6, 1e30,
    ]

    @Test(arguments: bad)
    func aSecondOfThemIsNoVoiceAndDoesNotDeafen(_ sample: Float) {
        var speech = sound("..............................####.....####.....")
        let second = 10 * step..<20 * step
        for index in second { speech[index] = sample }
        #expect(isLike(heard(speech), "..............................####.....####....."))
    }

    @Test(arguments: bad)
    func oneInAWordDoesNotHideIt(_ sample: Float) {
        var speech = sound("..........####.....####.....")
        for index in stride(from: 11 * step, to: 13 * step, by: 777) { speech[index] = sample }
        #expect(isLike(heard(speech), "..........####.....####....."))
    }

    @Test func allOfThemInAnyOrder() {
        var dice = SplitMix64(seed: 11)
        let chaos = (0..<50 * step).map { _ in Self.bad[dice.below(Self.bad.count)] }
        // The floor stays within 36 dB of the loudest moment and falls by 2 dB a second, so it needs five seconds.
        let afterwards = "..................................................####.....####....."
        #expect(isLike(heard(chaos + sound(afterwards)).suffix(20), afterwards.suffix(20)))
    }

    @Test func loudestSoundThatIsStillSoundDoesNotDeafenForEver() {
        let square = (0..<20 * step).map { $0 / 20 % 2 == 0 ? Float(100) : -100 }
        // 40 dB over full scale: the floor needs ten seconds.
        let afterwards = String(repeating: ".", count: 100) + "####....."
        #expect(isLike(heard(square + sound(afterwards)).suffix(12), afterwards.suffix(12)))
    }

    @Test func fadingIntoDenormalsIsSilence() {
        let fade = (0..<100 * step).map { 0.5 * Float.leastNormalMagnitude * Float($0 % 7) }
        #expect(changes(in: fade) == [])
    }

    @Test func nothingAtAllIsNoChange() {
        var detector = VoiceDetector()
        detector.listen()
        #expect(detector.changes(in: []) == [])
        #expect(detector.sampleCount == 0)
    }
}
