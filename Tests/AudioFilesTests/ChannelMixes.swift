import AudioFiles
import Testing

/// Several channels are mixed to one, and no voice is lost.
@Suite struct ChannelMixes {
    private static let said = Result { try spokenAnswer("home-4") }

    /// Returns the mix of these channels, and whether they were found to cancel each other out.
    private func heard(_ channels: [[Float]], rate: Int = 16_000) throws -> (sound: [Float], cancelled: Bool) {
        try inFolder { folder in
            let frames = channels[0].indices.flatMap { index in channels.map { $0[index] } }
            try write(frames, to: folder.file("a.wav"), rate: rate, channels: channels.count, format: floatWAV)
            let reader = try BlockReader(path: folder.file("a.wav"))
            var sound: [Float] = []
            while let block = try reader.next() { sound += block.samples }
            return (Array(sound[..<reader.sampleCount]), reader.channelsCancelled)
        }
    }

    private func delayed(_ sound: [Float], by count: Int) -> [Float] {
        Array((Array(repeating: 0, count: count) + sound)[..<sound.count])
    }

    /// Returns the noise of a microphone and its preamplifier, −70 dBFS, different in each channel.
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var dice = seed
        return (0..<count).map { _ in
            dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(dice >> 40) / Float(1 << 24) - 0.5) * 1e-3
        }
    }

    @Test func theLouderOfTwoChannelsInAntiphaseIsTaken() throws {
        let said = try Self.said.get()
        let (sound, cancelled) = try heard([said.map { 0.8 * $0 }, said.map { -$0 }])
        #expect(cancelled)
        #expect(sound == said.map { -$0 }, "the louder channel is used from the first sample to the last")
    }

    @Test(arguments: [Float(1), 0.8, 0.6, 0.5])
    func antiphaseIsHeardThroughTheNoiseOfTheMicrophones(_ level: Float) throws {
        let said = try Self.said.get()
        let left = zip(said, noise(said.count, seed: 1)).map { $0 + $1 }
        let right = zip(said, noise(said.count, seed: 2)).map { -level * $0 + $1 }
        let (sound, cancelled) = try heard([left, right])
        #expect(cancelled)
        #expect(abs(decibels(power(sound) / power(said))) < 0.5)
        // Either of two equal channels may be chosen. The mirror image sounds the same.
        #expect(max(signalToNoise(of: sound, against: said), signalToNoise(of: sound.map { -$0 }, against: said)) > 10)
    }

    @Test func channelsAreAveragedAgainOnceTheyNoLongerCancel() throws {
        let tone = sine(400, seconds: 12)
        let other = tone.indices.map { (64_000..<128_000).contains($0) ? -tone[$0] : tone[$0] }
        let (sound, cancelled) = try heard([tone, other])
        #expect(cancelled)
        #expect(Array(sound[..<64_000]) == Array(tone[..<64_000]))
        #expect(
            Array(sound[160_000...]) == Array(tone[160_000...]), "after two seconds the channels are averaged again")
        // A tone of 400 Hz changes by at most 0.08 between two samples. It doesn't click when the mix changes, only
        // when the channels themselves jump.
        let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
        #expect(steps[80_000..<127_000].max()! < 0.1)
        #expect(steps[129_000...].max()! < 0.1)
    }

    /// The distance between the microphones in samples: half a metre to three metres.
    @Test(arguments: [24, 40, 80, 160])
    func channelsThatComeLaterDoNotCancel(_ samples: Int) throws {
        let said = try Self.said.get()
        let late = delayed(said, by: samples)
        let (sound, cancelled) = try heard([said, late])
        #expect(!cancelled)
        #expect(sound == zip(said, late).map { 0.5 * $0 + 0.5 * $1 })
    }

    @Test(arguments: [2, 3, 6])
    func oneMicrophoneAmongDeadOnesIsTheMean(_ channels: Int) throws {
        let said = try Self.said.get()
        let dead = [Float](repeating: 0, count: said.count)
        let (sound, cancelled) = try heard([said] + Array(repeating: dead, count: channels - 1))
        #expect(!cancelled)
        #expect(sound == said.map { $0 / Float(channels) } || channels != 2)
        #expect(signalToNoise(of: sound.map { $0 * Float(channels) }, against: said) > 100)
    }

    @Test func stereoIsItsMean() throws {
        let said = try Self.said.get()
        let other = Array(try spokenAnswer("home-5").prefix(said.count))
        let count = min(said.count, other.count)
        let (left, right) = (Array(said[..<count]), Array(other[..<count]))
        for (left, right) in [(left, left), (left, right), (left, left.map { $0 / 4 })] {
            let (sound, cancelled) = try heard([left, right])
            #expect(!cancelled)
            #expect(sound == zip(left, right).map { 0.5 * $0 + 0.5 * $1 })
        }
    }

    @Test func threeChannelsThatCancelAreTheLoudest() throws {
        let said = try Self.said.get()
        let (sound, cancelled) = try heard([said.map { 0.5 * $0 }, said.map { -$0 }, said.map { 0.5 * $0 }])
        #expect(cancelled)
        #expect(sound == said.map { -$0 })
    }

    @Test func antiphaseAtAnotherRateIsHeard() throws {
        let tone = sine(1_000, seconds: 2, rate: 48_000)
        let (sound, cancelled) = try heard([tone, tone.map { -$0 }], rate: 48_000)
        #expect(cancelled)
        #expect(abs(ToneMeasurement(of: 1_000, in: sound).amplitude - 0.5) < 0.001)
    }

    @Test func digitalSilenceDoesNotCancel() throws {
        let silence = [Float](repeating: 0, count: 48_000)
        let (sound, cancelled) = try heard([silence, silence])
        #expect(!cancelled && sound == silence)
    }
}
