import ExamCore
import Foundation
import Testing

@testable import DetectorScores

/// A recording in noise, made like those of the labelled data's script.
@Suite struct Mixtures {
    /// One second, whose last half is speech of power 0.01. The noise has power 0.04.
    private let sound = [Float](repeating: 0, count: 8_000) + [Float](repeating: 0.1, count: 8_000)
    private let speech = Speech([0.5..<1])

    @Test func theRatioIsThatOfSpeechToNoise() throws {
        let noise = [Float](repeating: 0.2, count: 5_000)
        let pcm = try #require(NoiseMixture.pcm(sound, speech, in: noise, named: "a|b", ratio: 20))
        // 20 dB below speech of 0.1 is noise of 0.01. Of 32 bits the upper 16 are kept without rounding.
        #expect(pcm.count == sound.count)
        #expect(pcm[0] == 327 && pcm[7_999] == 327)
        #expect(pcm[8_000] == 3_604 && pcm[15_999] == 3_604)
    }

    /// The checksum of "123456789" is known (ISO 3309): 0xcbf43926 modulo 5 is 2.
    @Test func namesChooseTheBeginningOfTheNoise() throws {
        #expect(crc32("123456789".utf8) == 0xcbf4_3926)
        let noise: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5]
        let pcm = try #require(NoiseMixture.pcm(sound, speech, in: noise, named: "123456789", ratio: 10))
        let silence = pcm[..<10].map { (Double($0) / Double(pcm[3]) * 10).rounded() / 10 }
        #expect(silence == [3, 4, 5, 1, 2, 3, 4, 5, 1, 2])
    }

    @Test func mixturesThatWouldClipAreScaled() throws {
        let noise: [Float] = [0.5, -0.5]
        let pcm = try #require(NoiseMixture.pcm(sound, speech, in: noise, named: "a|b", ratio: -30))
        #expect(pcm.map { abs(Int($0)) }.max().map { abs($0 - Int(0.98 * 32_768)) <= 1 } == true)
    }

    @Test func silenceHasNoRatio() {
        let silence = [Float](repeating: 0, count: 100)
        #expect(NoiseMixture.pcm(sound, Speech([]), in: [0.1], named: "a|b", ratio: 10) == nil)
        #expect(NoiseMixture.pcm(sound, Speech([0..<0.1]), in: [0.1], named: "a|b", ratio: 10) == nil)
        #expect(NoiseMixture.pcm(sound, speech, in: silence, named: "a|b", ratio: 10) == nil)
        #expect(NoiseMixture.pcm(sound, speech, in: [], named: "a|b", ratio: 10) == nil)
    }

    /// The same as the script to one step of 16 bits. Files are raw samples, because libsndfile's Python module may be
    /// missing.
    @Test(
        .enabled(if: Script.canRun, "no mix_vad.py beside the labelled data, or no python3 with numpy: NOT COMPARED"),
        arguments: [-20, 0, 12.5])
    func mixturesAreThoseOfTheScript(ratio: Double) throws {
        let (folder, set) = try (Folder(), Folder())
        let module = """
            import numpy as np
            def read(path): return np.fromfile(path, "<i2") / 32768, 16000
            def write(path, sound, rate, subtype): np.floor(np.rint(sound * 0x7fffffff) / 65536).astype("<i2").tofile(path)
            """
        try folder.write(Data(module.utf8), to: "soundfile.py")
        var dice = SplitMix64(seed: 1)
        func sound(_ count: Int, _ loudness: Int16) -> [Int16] {
            (0..<count).map { _ in Int16.random(in: -loudness...loudness, using: &dice) }
        }
        func raw(_ samples: [Int16]) -> Data { samples.withUnsafeBytes { Data($0) } }
        func full(_ samples: [Int16]) -> [Float] { samples.map { Float($0) / 32_768 } }

        let noise = sound(21_001, 9_000)
        let noisePath = try folder.write(raw(noise), to: "kitchen.flac")
        let answers = ["one": sound(48_000, 8_000), "two": sound(17_003, 300)]
        for (name, answer) in answers { try set.write(raw(answer), to: name + ".flac") }
        let labels = "file,start_s,end_s\none,0.5,1.25\none,2.001,2.9\ntwo,0.3,9\n"
        try set.write(Data(labels.utf8), to: "labels.csv")
        _ = try Script("mix_vad.py").run([set.path, noisePath, "\(ratio)", folder.path], modules: folder.path)

        for (name, speech) in try Speech.byFile(csv: labels) {
            let ours = NoiseMixture.pcm(
                full(answers[name]!), speech, in: full(noise), named: "\(name)|kitchen", ratio: ratio)
            let theirs = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name).wav"))
                .withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let differences = zip(try #require(ours), theirs).map { abs(Int($0) - Int($1)) }
            #expect(differences.count == answers[name]!.count && differences.max()! <= 1)
        }
    }
}
