import AudioFiles
import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import ExamKit

/// All voices are equally loud.
@Suite struct VoiceLoudnessTests {
    /// Returns a tone of a level in dB of full scale (RMS) between silences.
    private func tone(_ level: Double, seconds: Double = 1) -> [Float] {
        let amplitude = pow(10, level / 20) * 2.0.squareRoot()
        let silence = [Float](repeating: 0, count: 8_000)
        let step: Double = 2 * .pi * 440 / 16_000
        let sound = (0..<Int(16_000 * seconds)).map { index -> Float in Float(amplitude * sin(step * Double(index))) }
        return silence + sound + silence
    }

    @Test(arguments: [-40.0, -30, -26, -14, -10]) func aVoiceComesToTheTarget(_ level: Double) {
        let gain = VoiceLoudness.gain(for: tone(level))
        #expect(abs(20 * log10(Double(gain)) - (VoiceLoudness.target - level)) < 0.05)
    }

    @Test func nearbyLevelsStayUnchanged() {
        #expect(VoiceLoudness.gain(for: tone(-20.9)) == 1 && VoiceLoudness.gain(for: tone(-19.1)) == 1)
        #expect(VoiceLoudness.gain(for: [Float](repeating: 0, count: 16_000)) == 1)
        #expect(VoiceLoudness.gain(for: []) == 1 && VoiceLoudness.gain(for: tone(-60)) == 1)
    }

    @Test func noSampleIsTooLoud() {
        var sound = tone(-35)
        sound[12_000] = 0.7
        let gain = VoiceLoudness.gain(for: sound)
        #expect(gain * 0.7 <= Float(pow(10, VoiceLoudness.highest / 20)) + 1e-6)
    }

    /// The recordings of a quiet program and of a loud one are equally loud.
    @Test func storedPromptsAreEvened() async throws {
        let folder = NSTemporaryDirectory() + "oracy-loud-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFile.createFolder(folder)
        var levels: [Double] = []
        for level in [-34.0, -12] {
            let path = "\(folder)/\(level).wav"
            try GrowingWAV(path: path).append(tone(level))
            let voice = ExaminerVoice(command: ["cat", path], cache: folder + "/cache")
            let kept = try await voice.recording(of: Clip(id: "x", text: "Hello."), in: [])
            let reader = try BlockReader(path: kept)
            var samples: [Float] = []
            while let block = try reader.next() { samples += block.samples }
            let inner = samples[10_000..<22_000]
            levels.append(10 * log10(inner.reduce(0) { $0 + Double($1 * $1) } / Double(inner.count)))
        }
        #expect(levels.allSatisfy { abs($0 - VoiceLoudness.target) < 0.5 }, "\(levels)")
    }

    /// A paper names a recording that is far too quiet. A copy is as loud as the voice, the file itself is unchanged,
    /// and a second exam makes no second copy.
    @Test func namedRecordingsAreEvenedToo() async throws {
        let folder = NSTemporaryDirectory() + "oracy-loud-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFile.createFolder(folder)
        // With half a second and a tenth of a second of silence at the end.
        try GrowingWAV(path: "\(folder)/quiet.wav").append(tone(-38))
        try GrowingWAV(path: "\(folder)/even.wav").append(tone(-20.4).dropLast(6_400))
        let before = try PrivateFile.read("\(folder)/quiet.wav")
        let voice = ExaminerVoice(command: ["false"], cache: folder + "/cache")
        let even = try await voice.recording(of: Clip(id: "x", text: "Hello.", audio: "even.wav"), in: [folder])
        #expect(even == "\(folder)/even.wav")
        let quiet = Clip(id: "y", text: "Hello.", audio: "quiet.wav")
        let kept = try await voice.recording(of: quiet, in: [folder])
        #expect(
            try await voice.recording(of: quiet, in: [folder]) == kept && kept.hasPrefix(folder + "/cache/evened-"))
        let reader = try BlockReader(path: kept)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        let inner = samples[10_000..<22_000]
        let level = 10 * log10(inner.reduce(0) { $0 + Double($1 * $1) } / Double(inner.count))
        #expect(abs(level - VoiceLoudness.target) < 0.5 && abs(samples.count - 25_600) < 400, "\(level)")
        #expect(try PrivateFile.read("\(folder)/quiet.wav") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/cache").count == 1)
    }
}
