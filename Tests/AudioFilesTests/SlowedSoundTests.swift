import Foundation
import Testing

@testable import AudioFiles

/// Slowed sound keeps its pitch.
@Suite struct SlowedSoundTests {
    private static func tone(_ hertz: Double, seconds: Double) -> [Float] {
        (0..<Int(seconds * 16_000)).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / 16_000)) }
    }

    /// Counts rising zero crossings, which are a tone's periods.
    private static func periods(_ samples: some Collection<Float>) -> Int {
        zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }

    @Test(arguments: [90.0, 220, 1_000]) func aToneLastsLongerAtItsPitch(_ hertz: Double) {
        let sound = Self.tone(hertz, seconds: 3)
        let slowed = SlowedSound.slow(sound, to: 0.75)
        #expect(abs(slowed.count - 64_000) <= 1_280, "\(slowed.count)")
        // A second in the middle has as many periods as before, and about the same loudness throughout.
        let middle = slowed[24_000..<40_000]
        #expect(abs(Double(Self.periods(middle)) - hertz) <= hertz * 0.02 + 1)
        for start in stride(from: 24_000, to: 40_000, by: 800) {
            let loudest = slowed[start..<start + 800].map(abs).max() ?? 0
            #expect((0.4...0.6).contains(loudest), "\(loudest) at \(start)")
        }
    }

    @Test func shortOrUnslowedSoundStaysUnchanged() {
        let short = Self.tone(200, seconds: 0.05)
        #expect(SlowedSound.slow(short, to: 0.5) == short)
        let sound = Self.tone(200, seconds: 1)
        #expect(SlowedSound.slow(sound, to: 1) == sound)
        #expect(SlowedSound.slow([], to: 0.75) == [])
    }

    @Test func aFileIsSlowedWithoutATrace() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try GrowingWAV(path: folder + "/a.wav").append(Self.tone(200, seconds: 2))
        let file = try SlowedSound.file(of: folder + "/a.wav", speed: 0.75)
        defer { close(file) }
        let reader = try BlockReader(path: "/proc/self/fd/\(file)")
        while try reader.next() != nil {}
        #expect(abs(reader.sampleCount - 42_667) <= 1_280)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.wav"])
        #expect(throws: SoundFileError.self) { try SlowedSound.file(of: folder + "/none.wav", speed: 0.75) }
    }
}
