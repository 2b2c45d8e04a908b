import Testing

@testable import PulseRoom

@Suite struct Hum {
    @Test(arguments: [50, 60], [-40.0, -60])
    func humIsMeasured(mains: Int, dBFS: Double) throws {
        let sound = sum(hum(Double(mains), 48_000, dBFS: dBFS), white(48_000, seed: 2, dBFS: dBFS - 10))
        let found = try #require(MainsHum(in: sound))
        #expect(found.mainsHz == mains)
        #expect(abs(found.levelDBFS - dBFS) < 0.5)
        #expect(abs(found.partOfNoise - 0.9) < 0.05)
    }

    /// The frequencies of a 50 Hz grid on its worst day.
    @Test(arguments: [49.8, 50.2])
    func aGridThatDriftsStillHums(hertz: Double) throws {
        let found = try #require(MainsHum(in: hum(hertz, 48_000, dBFS: -50)))
        #expect(found.mainsHz == 50)
        #expect(found.partOfNoise > 0.9)
    }

    @Test func noiseIsNotHum() throws {
        for seed in UInt64(1)...10 {
            for sound in [white(48_000, seed: seed, dBFS: -50), pink(48_000, seed: seed, dBFS: -50), rumble(seed)] {
                #expect(try #require(MainsHum(in: sound)).partOfNoise < 0.2)
            }
        }
    }

    @Test func silenceAndSnippetsHaveNone() {
        #expect(MainsHum(in: [Float](repeating: 0, count: 48_000)) == nil)
        #expect(MainsHum(in: [Float](repeating: 0.1, count: 32_767)) == nil)
    }

    /// Brown noise, like steps on a floor or wind.
    private func rumble(_ seed: UInt64) -> [Float] {
        var last: Float = 0
        return atLevel(
            white(48_000, seed: seed, dBFS: 0).map {
                last = 0.995 * last + $0
                return last
            }, -50)
    }
}
