import Foundation
import Testing
import VoiceActivity

@testable import PulseRoom

/// The suggested gate with the detector itself: it doesn't hear the examiner, but hears the candidate.
@Suite(.enabled(if: Recordings.haveFixtures, "no recordings in \(Recordings.fixtures)"))
struct SuggestedGates {
    /// Returns the seconds of voice after `listen()`, in a room of −72 dBFS that the detector knows.
    private func secondsHeard(_ sound: [Float], gate: Double?) -> Double {
        var settings = VoiceDetector.Settings()
        if let gate { settings.setGate(dBFS: gate) }
        var detector = VoiceDetector(settings)
        let tone = white(16_000, seed: 8, dBFS: -72)
        tone.withUnsafeBufferPointer { detector.hear($0) { _ in } }
        detector.listen()
        var (seconds, beginning) = (0.0, 0)
        func report(_ change: VoiceChange) {
            switch change {
            case .began(let sample): beginning = sample
            case .ended(let sample, _): seconds += Double(sample - beginning) / 16_000
            }
        }
        let padded = sum(sound + [Float](repeating: 0, count: 8_000), white(sound.count + 8_000, seed: 9, dBFS: -72))
        padded.withUnsafeBufferPointer { detector.hear($0, report) }
        return seconds
    }

    private func leak(_ gain: Double, through response: [Float]) throws -> LeakProbe.Leak {
        let heard = convolved(LeakProbe().sound, response)
        let noise = white(32_000, seed: 7, dBFS: -72)
        return try #require(LeakProbe().leak(in: recording(of: heard, delay: 160, gain: gain, noise: noise)))
    }

    /// Every tenth line of the examiner, measured and played in the same room.
    @Test(arguments: [0.0, 0.3, 0.6])
    func theExaminerIsNotHeard(reverberation: Double) throws {
        let response = reverberation > 0 ? room(reverberation: reverberation, seed: 6) : [1, 0]
        let found = try leak(-27, through: response)
        let gate = try #require(RaisedGate.suggested(for: found, speechDBFS: -24))
        let files = try Recordings.files(in: Recordings.fixtures + "prompts/")
        var heardBefore = 0
        let lines = stride(from: 0, to: files.count, by: 10).map { files[$0] }
        for file in lines {
            let line = scaled(convolved(try Recordings.load(file), response), by: -27)
            if secondsHeard(line, gate: nil) > 0 { heardBefore += 1 }
            #expect(secondsHeard(line, gate: gate) == 0, "\(file)")
        }
        #expect(lines.count >= 10 && heardBefore * 10 >= lines.count * 8, "without it most lines are taken for speech")
    }

    /// With the candidate 20 dB over the gate, the least that is suggested, three quarters of the voiced time are left,
    /// and half of a mere "yes".
    @Test func theCandidateIsStillHeard() throws {
        let names = ["home-1", "home-3", "maps-2", "building-4", "sentence-2", "yes"]
        var all: [Double] = []
        for name in names {
            let path = Recordings.fixtures + "answers/\(name).flac"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let sound = try Recordings.load(path)
            let report = MicrophoneReport(
                silence: white(48_000, seed: 8, dBFS: -72), probe: [], speech: atLevel(sound, -24))
            let level = try #require(report.speechDBFS)
            let found = LeakProbe.Leak(gainDB: level - 20 - RaisedGate.examinerDBFS, delayMS: 100, evidenceDB: 20)
            let gate = try #require(RaisedGate.suggested(for: found, speechDBFS: level))
            #expect(abs(gate - (level - 20)) < 1e-9)
            let answer = atLevel(sound, -24)
            let kept = secondsHeard(answer, gate: gate) / secondsHeard(answer, gate: nil)
            #expect(kept > 0.45, "\(name)")
            all.append(kept)
        }
        #expect(all.reduce(0, +) / Double(all.count) > 0.75, "\(all)")
    }

    @Test func noGateIsSetIfItIsNeedlessOrUseless() {
        func suggested(_ gain: Double, _ speech: Double?) -> Double? {
            RaisedGate.suggested(for: .init(gainDB: gain, delayMS: 100, evidenceDB: 20), speechDBFS: speech)
        }
        #expect(RaisedGate.suggested(for: nil, speechDBFS: -25) == nil)
        #expect(suggested(-46, -25) == nil, "arrives at −66 dBFS: harmless")
        #expect(suggested(-44, -25) == -64)
        #expect(suggested(-25, -25) == -45)
        #expect(suggested(-24, -25) == nil, "the candidate would not be heard")
        #expect(suggested(-30, nil) == nil, "the candidate's level is unknown")
    }
}
