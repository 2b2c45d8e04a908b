import AudioFiles
import Testing

/// Sound of any rate becomes 16 kHz mono. Measured with tones, whose amplitude and purity are known.
@Suite struct OtherRates {
    /// The last two have no simple ratio to 16 kHz, and are converted by libsamplerate.
    static let rates = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000, 44_099, 12_345]

    /// At worst 100.5 dB, from 8 kHz, and 0.0001 dB. libsamplerate's medium sinc converter has 121 dB.
    @Test(arguments: rates, [1, 2])
    func aToneKeepsItsLengthItsLevelAndItsPurity(_ rate: Int, _ channels: Int) throws {
        let heard = try heard(sine(1_000, seconds: 2, rate: rate), rate: rate, channels: channels)
        #expect(abs(heard.count - 2 * AudioFormat.sampleRate) <= AudioFormat.blockSize)
        let tone = ToneMeasurement(of: 1_000, in: heard)
        #expect(abs(decibels(tone.amplitude * tone.amplitude / 0.25)) < 0.1)
        #expect(tone.signalToNoise > 98)
    }

    @Test(arguments: rates)
    func aClickKeepsItsTime(_ rate: Int) throws {
        var click = [Float](repeating: 0, count: 2 * rate)
        click[rate] = 1
        let heard = try heard(click, rate: rate)
        #expect(heard.indices.max { heard[$0] < heard[$1] } == AudioFormat.sampleRate)
    }

    /// At worst −82.1 dB, for 8.5 kHz from 48 kHz. libsamplerate's converter has −125 dB.
    @Test(arguments: [44_100, 44_099, 48_000], [8_500, 9_000, 10_000, 12_000, 15_000, 20_000])
    func aToneAboveHalfTheRateIsRemoved(_ rate: Int, _ hertz: Int) throws {
        let heard = try heard(sine(hertz, seconds: 2, rate: rate), rate: rate)
        // The tone has the power 0.125. Its sudden beginning and end contain every frequency and don't count.
        #expect(decibels(power(heard.dropFirst(4_000).prefix(16_000)) / 0.125) < -80)
    }

    /// Within 0.001 dB. libsamplerate's converter has −0.28 dB at 7 kHz.
    @Test(arguments: [44_100, 44_099, 48_000, 32_000], [100, 4_000, 6_000, 7_000])
    func theSpeechBandIsKept(_ rate: Int, _ hertz: Int) throws {
        let tone = ToneMeasurement(of: hertz, in: try heard(sine(hertz, seconds: 2, rate: rate), rate: rate))
        #expect(abs(decibels(tone.amplitude * tone.amplitude / 0.25)) < (rate == 44_099 ? 0.5 : 0.05))
    }

    /// Frequencies near half of a rate below 16 kHz have a mirror image above it.
    @Test(arguments: [(8_000, 3_000), (8_000, 3_500), (11_025, 4_800)])
    func aNarrowBandIsKeptAndGetsNoMirrorImage(_ rate: Int, _ hertz: Int) throws {
        let tone = ToneMeasurement(of: hertz, in: try heard(sine(hertz, seconds: 2, rate: rate), rate: rate))
        #expect(abs(decibels(tone.amplitude * tone.amplitude / 0.25)) < 0.05)
        #expect(tone.signalToNoise > 75)
    }

    @Test(arguments: [16_000, 44_100])
    func channelsAreAveraged(_ rate: Int) throws {
        let left = sine(400, amplitude: 0.5, seconds: 2, rate: rate)
        let right = sine(1_000, amplitude: 0.3, seconds: 2, rate: rate)
        let frames = zip(left, right).flatMap { [$0, $1] }
        try inFolder { folder in
            try write(frames, to: folder.file("a.wav"), rate: rate, channels: 2, format: floatWAV)
            let heard = try blocks(ofFile: folder.file("a.wav"))
            #expect(abs(ToneMeasurement(of: 400, in: heard).amplitude - 0.25) < 0.001)
            #expect(abs(ToneMeasurement(of: 1_000, in: heard).amplitude - 0.15) < 0.001)
        }
    }

    /// Lengths around a block, and around the pieces that the reader takes from a file.
    @Test(arguments: [1, 319, 320, 321, 4_095, 4_096, 4_097, 4_800, 8_192, 9_600], [1, 3])
    func theLastBlockIsFilledUpWithSilence(_ count: Int, _ timesTheRate: Int) throws {
        try inFolder { folder in
            let frames = [Float](repeating: 0.25, count: count * timesTheRate)
            try write(frames, to: folder.file("a.wav"), rate: 16_000 * timesTheRate, format: floatWAV)
            let reader = try BlockReader(path: folder.file("a.wav"))
            var heard: [Float] = []
            while let block = try reader.next() { heard += block.samples }
            #expect(heard.count == (count + 319) / 320 * 320)
            #expect(heard[count...].allSatisfy { $0 == 0 })
            #expect(heard[count - 1] != 0)
            #expect(try reader.next() == nil, "the end stays the end")
        }
    }

    private func heard(_ tone: [Float], rate: Int, channels: Int = 1) throws -> [Float] {
        try inFolder { folder in
            let frames = tone.flatMap { Array(repeating: $0, count: channels) }
            try write(frames, to: folder.file("tone.wav"), rate: rate, channels: channels, format: floatWAV)
            return try blocks(ofFile: folder.file("tone.wav"))
        }
    }
}
