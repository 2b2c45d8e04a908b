import Foundation
import Testing

@testable import DetectorScores

/// Tests that measure recordings with simulated bad microphones and rooms.
@Suite struct Conditions {
    /// Returns two seconds of a tone of −23 dBFS. The last second is labelled as speech.
    private func recording(_ hertz: Double) -> LabelledRecording {
        LabelledRecording(name: "a", samples: tone(hertz, 0.1, 32_000), speech: Speech([1..<2]))
    }

    private func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

    /// Returns the power of one frequency in a second of sound.
    private func power(_ samples: ArraySlice<Double>, at hertz: Double) -> Double {
        let (real, imaginary) = zip(samples, 0...).reduce((0.0, 0.0)) { sum, sample in
            let angle = 2 * .pi * hertz * Double(sample.1) / 16_000
            return (sum.0 + sample.0 * cos(angle), sum.1 + sample.0 * sin(angle))
        }
        return 2 * (real * real + imaginary * imaginary) / Double(samples.count * samples.count)
    }

    @Test(arguments: [0.0, 12]) func aHumHasItsStatedLevel(ratio: Double) throws {
        let clean = recording(1_234)
        let changed = try #require(Hum(ratio: ratio).applied(to: clean))
        let hum = zip(changed.samples, clean.samples).map { $0 - $1 }
        #expect(abs(decibels(clean.speechPower! / hum.power) - ratio) < 0.01)
        // Each octave has 6 dB less, and there is no sound between the harmonics.
        let second = hum[16_000..<32_000]
        #expect(abs(decibels(power(second, at: 50) / power(second, at: 100)) - 6.02) < 0.01)
        #expect(abs(decibels(power(second, at: 50) / power(second, at: 1_000)) - 26.02) < 0.01)
        #expect(decibels(power(second, at: 50) / power(second, at: 75)) > 100)
        #expect(decibels(power(second, at: 50) / power(second, at: 1_050)) > 100)
    }

    @Test(arguments: [(300.0, 0.0), (1_000, 0), (3_400, 0), (250, -6.02), (3_700, -6.02)])
    func aTelephoneHasItsBand(hertz: Double, gain: Double) {
        let changed = TelephoneBand().applied(to: recording(hertz)).samples[8_000..<24_000]
        #expect(abs(decibels(power(changed, at: hertz) / 0.005) - gain) < 0.1)
    }

    @Test(arguments: [50.0, 150, 4_100, 7_000]) func aTelephonePassesNothingOutsideItsBand(hertz: Double) {
        let changed = TelephoneBand().applied(to: recording(hertz)).samples[8_000..<24_000]
        #expect(decibels(power(changed, at: hertz) / 0.005) < -60)
    }

    /// The remaining energy (M. R. Schroeder, 1965) falls from −5 to −35 dB in half the time that it takes for 60 dB.
    @Test func aRoomRingsForItsStatedTime() {
        let response = Reverberation(decay: 0.6, directRatio: 0).response(Chance(seed: 3))
        let tail = response[80...].map { $0 * $0 }
        #expect(response[0] == 1 && response[1..<80].allSatisfy { $0 == 0 })
        #expect(abs(decibels(tail.reduce(0, +))) < 0.01)
        var left = tail.reduce(0, +)
        let all = left
        let decay = tail.map { energy -> Double in
            left -= energy
            return decibels(max(left, 1e-30) / all)
        }
        let (five, thirtyFive) = (decay.firstIndex { $0 < -5 }!, decay.firstIndex { $0 < -35 }!)
        #expect(abs(Double(thirtyFive - five) / 16_000 * 2 - 0.6) < 0.03)
    }

    @Test func theRoomsResponseBeginsAtTheSample() {
        var impulse = LabelledRecording(name: "b", samples: [Double](repeating: 0, count: 5_000), speech: Speech([]))
        impulse.samples[1_000] = 0.5
        let room = Reverberation(decay: 0.2, directRatio: 6)
        let heard = room.applied(to: impulse).samples
        let response = room.response(Chance(named: "b|room"))
        #expect(heard.count == 5_000)
        #expect(zip(heard, [Double](repeating: 0, count: 1_000) + response).allSatisfy { abs($0 - $1 / 2) < 1e-9 })
    }

    @Test func gainAppliesToTheWholeRecording() throws {
        let changed = try #require(Loudness.gain(-30).applied(to: recording(440)))
        #expect(abs(decibels(changed.samples.power / recording(440).samples.power) + 30) < 1e-9)
    }

    /// A sawtooth has equally many samples at each height.
    @Test func aStatedPartOfTheSpeechIsClipped() throws {
        let saw = (0..<32_000).map { Double($0 % 1_000) / 1_000 - 0.5 }
        let clean = LabelledRecording(name: "c", samples: saw, speech: Speech([1..<2]))
        let changed = try #require(Loudness.clipped(0.05).applied(to: clean))
        let cut = changed.samples[16_000...].count { abs($0) == 1 }
        #expect(abs(Double(cut) / 16_000 - 0.05) < 0.002)
        #expect(changed.samples.allSatisfy { abs($0) <= 1 })
    }

    @Test func onlyTheFirstWordIsLouder() throws {
        let changed = try #require(Loudness.firstWord(12).applied(to: recording(440)))
        func gain(_ place: Range<Int>) -> Double {
            decibels(Array(changed.samples[place]).power / Array(recording(440).samples[place]).power)
        }
        #expect(abs(gain(16_160..<23_040) - 12) < 0.01)
        #expect(gain(0..<16_000) == 0 && gain(23_200..<32_000) == 0)
    }

    /// Turns end at 1 and 4 s. The gap between 2 and 2.5 s is a pause within the second turn.
    @Test func aCoughComesAfterEachTurn() throws {
        let silent = [Double](repeating: 0, count: 96_000)
        var answer = LabelledRecording(name: "d", samples: silent, speech: Speech([0..<1, 3..<3.5, 3.75..<4]))
        for index in answer.samples.indices where index < 16_000 || 48_000..<64_000 ~= index {
            answer.samples[index] = 0.1
        }
        let changed = try #require(SoundAfterTurns([0.5, -0.5], ratio: 6).applied(to: answer))
        let cough = zip(changed.samples, answer.samples).map { $0 - $1 }
        #expect(cough.indices.filter { cough[$0] != 0 } == [24_000, 24_001, 72_000, 72_001])
        #expect(abs(decibels(0.01 / (cough[24_000] * cough[24_000])) - 6) < 1e-9)
    }

    @Test func noiseAloneHasItsLevelAndRepeats() throws {
        let noise = tone(440, 0.3, 50_000)
        let alone = try #require(NoiseAlone.recording(noise, named: "e", level: -35, seconds: 10))
        #expect(alone.samples.count == 160_000 && alone.speech == Speech([]))
        #expect(abs(decibels(Array(alone.samples[..<50_000]).power) + 35) < 1e-9)
        #expect(alone.samples[50_000..<100_000] == alone.samples[..<50_000].dropFirst(0))
    }

    @Test func aSingleSoundComesOnceInThreeSeconds() throws {
        let alone = try #require(NoiseAlone.recording([0.5, -0.5], named: "f", level: -20, seconds: 7))
        #expect(alone.samples.indices.filter { alone.samples[$0] != 0 } == [0, 1, 48_000, 48_001, 96_000, 96_001])
        #expect(abs(alone.samples[0] - 0.1) < 1e-9)
    }
}
