import Foundation
import Testing

@testable import DetectorScores

/// Speakers who change their level, made like those of the labelled data's script.
@Suite struct Levels {
    /// A second of silence, and then four seconds of a tone of −20 dBFS, partly labelled.
    private let recording = LabelledRecording(
        name: "a", samples: [Double](repeating: 0, count: 16_000) + tone(440, 0.1 * 2.0.squareRoot(), 64_000),
        speech: Speech([1..<2, 2.5..<3, 3.75..<5]))

    private func level(_ recording: LabelledRecording, _ stretch: Range<Double>) -> Double {
        10 * log10(Array(recording.samples[recording.place(of: stretch)]).power)
    }

    @Test func aDropBeginsAtThePauseAfterTheMiddle() throws {
        let changed = try #require(LevelChange.drop(9).applied(to: recording))
        #expect(abs(level(changed, 1..<3.55) + 20) < 0.1)
        #expect(abs(level(changed, 3.65..<5) + 29) < 0.1)
        #expect(changed.speech == recording.speech)
    }

    @Test func aFadeIsEvenInDecibels() throws {
        let changed = try #require(LevelChange.fade(12).applied(to: recording))
        #expect(abs(level(changed, 2.95..<3.05) + 26) < 0.1)
        #expect(abs(level(changed, 4.95..<5) + 32) < 0.2)
    }

    /// 0.65 s of room are missing before a first word at 1 s, so everything is shifted by that.
    @Test func aLoudWordComesBeforeTheAnswerAndIsLabelled() throws {
        let changed = try #require(LevelChange.loud(12).applied(to: recording))
        #expect(changed.speech == Speech([0.5..<0.95, 1.65..<2.65, 3.15..<3.65, 4.4..<5.65]))
        #expect(abs(level(changed, 0.5..<0.95) + 8) < 0.1)
        #expect(abs(level(changed, 1.7..<2.6) + 20) < 0.1)
        #expect(changed.samples.count == recording.samples.count + 10_400)
    }

    /// The gain rises 5 dB a second, so it reaches its maximum four seconds after the tone.
    @Test func gainRisesSlowlyAndFallsAtOnce() throws {
        let silent = [Double](repeating: 0, count: 96_000)
        let answer = LabelledRecording(
            name: "b", samples: tone(440, 0.1, 16_000) + silent + tone(440, 0.1, 16_000),
            speech: Speech([0..<1, 7..<8]))
        let changed = try #require(LevelChange.agc(12).applied(to: answer))
        // Pink noise 20 dB below the speech, with a factor of 0.8, and gains of 0 and 12 dB.
        let noise = 20 * log10(0.1 / 2.0.squareRoot() * 0.08)
        #expect(abs(level(changed, 1.05..<1.15) - noise) < 2.5)
        #expect(abs(level(changed, 5..<6.9) - noise - 12) < 2)
        #expect(abs(level(changed, 7.1..<7.9) - level(changed, 0.1..<0.9)) < 0.5)
    }

    @Test func theRoomHasAFloor() throws {
        let changed = try #require(LevelChange.drop(6).applied(to: recording))
        #expect(abs(level(changed, 0..<1) + 70) < 0.3)
    }

    @Test func silentAnswersHaveNoLevel() {
        let silent = LabelledRecording(name: "c", samples: [0, 0, 0], speech: Speech([]))
        #expect(LevelChange.drop(6).applied(to: silent) == nil)
        #expect(LevelChange.loud(6).applied(to: silent) == nil)
    }
}

/// The same as the script to one step of 16 bits, with this project's random numbers in place of numpy's.
@Suite(.enabled(if: Script.canRun, "no levels_vad.py beside the labelled data, or no python3 with numpy: NOT COMPARED"))
struct LevelsOfTheScript {
    /// Sounds are raw samples, because libsndfile's Python module may be missing. `normal-SEED` holds random numbers,
    /// drawn in turn.
    private let module = """
        import os, numpy as np
        folder = os.path.dirname(os.path.abspath(__file__))
        class Generator:
            def __init__(self, seed): self.numbers = np.fromfile(os.path.join(folder, f"normal-{seed}"), "<f8")
            def standard_normal(self, count):
                drawn, self.numbers = self.numbers[:count], self.numbers[count:]
                return drawn
        np.random.default_rng = Generator
        def read(path): return np.fromfile(path, "<i2") / 32768, 16000
        def write(path, sound, rate, subtype): np.floor(np.rint(sound * 0x7fffffff) / 65536).astype("<i2").tofile(path)
        """

    @Test(arguments: [
        ("drop", 6.0, LevelChange.drop(6)), ("fade", 12, .fade(12)), ("loud", 9, .loud(9)), ("agc", 20, .agc(20)),
        ("step", 10, .step(10)), ("gate", 20, .gate(20)),
    ])
    func changesAreThoseOfTheScript(kind: String, decibels: Double, change: LevelChange) throws {
        let (set, out, modules) = try (Folder(), Folder(), Folder())
        try modules.write(Data(module.utf8), to: "soundfile.py")
        // Powers of two, since the script's pink noise is as long as the recording. Gaps of 0.3 and 1.9 s before the
        // first word.
        let labels = ["one": [0.3..<0.9, 1.4..<2.25, 2.6..<3.9], "two": [1.9..<2.3, 2.5..<4, 5.2..<7.001]]
        let lengths = ["one": 65_536, "two": 131_072]
        var recordings: [LabelledRecording] = []
        for (name, stretches) in labels {
            var chance = Chance(named: name + " speaks")
            let samples = (0..<lengths[name]!).map { index -> Int16 in
                let isSpeech = stretches.contains { $0.contains(Double(index) / 16_000) }
                return Int16(chance.normal() * (isSpeech ? 2_000 : 20))
            }
            try set.write(samples.withUnsafeBytes { Data($0) }, to: name + ".flac")
            var random = Chance(named: name)
            try modules.write(
                random.noise(3 * lengths[name]!).withUnsafeBytes { Data($0) }, to: "normal-\(crc32(name.utf8))")
            recordings.append(
                LabelledRecording(
                    name: name, samples: samples.map { Double($0) / 32_768 }, speech: Speech(stretches)))
        }
        let rows = labels.flatMap { name, stretches in
            stretches.map { "\(name),\($0.lowerBound),\($0.upperBound)\n" }
        }
        try set.write(Data(("file,start_s,end_s\n" + rows.joined()).utf8), to: "labels.csv")
        _ = try Script("levels_vad.py").run([set.path, kind, "\(decibels)", out.path], modules: modules.path)

        let table = try String(contentsOfFile: out.path + "/labels.csv", encoding: .utf8)
        let theirLabels = try Speech.byFile(csv: table)
        for recording in recordings {
            let ours = try #require(change.applied(to: recording))
            let theirs = try Data(contentsOf: URL(filePath: "\(out.path)/\(recording.name).wav"))
                .withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            #expect(ours.speech == theirLabels[recording.name])
            #expect(ours.samples.count == theirs.count)
            #expect(zip(ours.pcm, theirs).map { abs(Int($0) - Int($1)) }.max()! <= 1)
        }
    }
}

func tone(_ hertz: Double, _ amplitude: Double, _ count: Int) -> [Double] {
    (0..<count).map { amplitude * sin(2 * .pi * hertz * Double($0) / 16_000) }
}
