import AudioFiles
import ExamCore
import ExamKit
import Foundation
import Testing

@testable import oracy

/// Recordings heard as streams.
@Suite struct HearingTests {
    private static let answer = Tool.fixtures + "/answers/home-4.flac"

    private func sound(of path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return Array(samples[..<reader.sampleCount])
    }

    /// Hears the sound in pieces of the given sizes, in rotation.
    private func heard(_ sound: [Float], inPiecesOf sizes: [Int], ends: EndsOfAnswers? = nil) -> HeardFile {
        var hearing = Hearing(ends: ends)
        var (start, turn) = (0, 0)
        while start < sound.count {
            let end = min(start + sizes[turn % sizes.count], sound.count)
            sound[start..<end].withUnsafeBufferPointer { hearing.hear($0) }
            (start, turn) = (end, turn + 1)
        }
        return hearing.file(name: "answer", path: "answer.flac")
    }

    @Test func theSizeOfThePiecesDoesNotMatter() throws {
        let sound = try sound(of: Self.answer)
        let ends = EndsOfAnswers(silence: .milliseconds(300))
        let whole = heard(sound, inPiecesOf: [sound.count], ends: ends)
        #expect(whole.segments.count > 1)
        #expect(try #require(whole.ends).count > 1)
        for sizes in [[160], [320], [1], [7, 1_000, 159], [161, 4_096]] {
            #expect(heard(sound, inPiecesOf: sizes, ends: ends) == whole, "\(sizes)")
        }
    }

    @Test func aFileIsHeardAsItsSamplesAre() throws {
        let (file, trace) = try Hearing.hear(Self.answer, as: "answer", tracing: false)
        #expect(file.segments == heard(try sound(of: Self.answer), inPiecesOf: [160]).segments)
        #expect(file.path == Self.answer && trace == nil)
    }

    /// The length isn't rounded up to whole blocks. The silence that pads the last one doesn't belong to the recording.
    @Test func aRecordingIsAsLongAsItsFile() throws {
        for name in ["home-4", "yes", "stereo-44100"] {
            let path = "\(Tool.fixtures)/answers/\(name).flac"
            let (file, _) = try Hearing.hear(path, as: name, tracing: false)
            let length = try duration(ofSoundFile: path)
            #expect(abs(file.duration.milliseconds - length.milliseconds) <= 1, "\(name): \(file.duration)")
        }
    }

    /// The recording is cut off in the middle of its longest segment, 3 ms after a frame.
    @Test func speechThatIsNotOverEndsWithTheRecording() throws {
        let sound = try sound(of: Self.answer)
        let whole = heard(sound, inPiecesOf: [160])
        let longest = try #require(whole.segments.max { $0.duration < $1.duration })
        let cut = (longest.start + longest.duration / 2).milliseconds / 10 * 10 + 3
        let file = heard(Array(sound[..<(cut * 16)]), inPiecesOf: [160])
        #expect(file.duration == .milliseconds(cut))
        #expect(file.segments.last?.start == longest.start)
        #expect(file.segments.last?.end == .milliseconds(cut))
    }

    @Test func theLevelOfASegmentIsItsOwnRMS() throws {
        let sound = try sound(of: Self.answer)
        let file = heard(sound, inPiecesOf: [160])
        for segment in file.segments {
            let samples = sound[(segment.start.milliseconds * 16)..<(segment.end.milliseconds * 16)]
            let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
            #expect(abs(segment.levelDBFS - 10 * log10(power)) < 0.01)
        }
        // The segments have different levels.
        #expect(Set(file.segments.map { Int($0.levelDBFS * 10) }).count > 1)
    }

    /// Returns vowels of some tenths of a second, at a level or silent, in a room of −72 dBFS.
    private func sound(_ parts: (tenths: Int, dBFS: Float?)...) -> [Float] {
        var dice = UInt64(1)
        var sound: [Float] = []
        for (tenths, dBFS) in parts {
            for _ in 0..<(tenths * 1_600) {
                dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let hiss = (Float(dice >> 40) / Float(1 << 24) - 0.5) * 8.7e-4
                // 130 Hz with its first 24 harmonics at a voice's levels, in syllables of a quarter of a second.
                let phase = 2 * Float.pi * 130 * Float(sound.count) / 16_000
                let syllable = abs(sin(Float.pi * Float(sound.count) / 4_000))
                let voice = dBFS.map { level in
                    pow(10, level / 20) * (0.1 + syllable)
                        * (1...24).reduce(0) { $0 + sin(Float($1) * phase) / Float($1) }
                }
                sound.append((voice ?? 0) + hiss)
            }
        }
        return sound
    }

    @Test func answersEndAfterTheSilenceOfARealSound() throws {
        let sound = sound((10, nil), (15, -20), (40, nil), (12, -20), (10, nil))
        let file = heard(sound, inPiecesOf: [320], ends: EndsOfAnswers(silence: .milliseconds(1_500)))
        try #require(file.segments.count == 2)
        let end = try #require(file.ends?.first)
        #expect(file.ends?.count == 1, "the second silence is not long enough")
        #expect(abs(end.silentSince.milliseconds - 2_500) < 250)
        #expect(end.silentSince == file.segments[0].end)
        #expect(0..<20 ~= (end.at - end.silentSince - .milliseconds(1_500)).milliseconds)
        #expect(end.words == "silent for 1.500 s")
        #expect(heard(sound, inPiecesOf: [320]).ends == nil)
    }

    @Test func muchQuieterSoundsAreKeptButDoNotCount() throws {
        // A sentence, and the same 24 dB quieter.
        let sentence = try sound(of: Tool.fixtures + "/answers/where-from.flac")
        func silence(_ tenths: Int) -> [Float] { Array(repeating: 0, count: tenths * 1_600) }
        let voices = silence(10) + sentence + silence(6) + sentence.map { $0 * 0.063 } + silence(40)
        let room = sound((voices.count / 1_600 + 1, nil))
        let file = heard(
            zip(voices, room).map { $0 + $1 }, inPiecesOf: [160], ends: EndsOfAnswers(silence: .milliseconds(3_000)))
        try #require(file.sounds.map(\.kind) == [.speech, .distant])
        #expect(file.segments == [file.sounds[0]] && file.notCounted == [file.sounds[1]])
        #expect(file.speech == file.sounds[0].duration)
        #expect(file.notCounted[0].levelDBFS < file.segments[0].levelDBFS - 15)
        let end = try #require(file.ends?.first)
        #expect(end.silentSince == file.sounds[0].end)
        #expect(end.words == "silent for 3.000 s, 1 sound did not count")
    }

    @Test func theEnergyOfLongAgoIsForgotten() {
        var history = EnergyHistory()
        let frame = [Float](repeating: 0.5, count: 160)
        for _ in 0..<2_500 { frame.withUnsafeBufferPointer { history.add($0) } }
        #expect(history.total(before: 160 * 2_500) == 40 * 2_500)
        #expect(history.total(before: 160 * 2_499) == 40 * 2_499)
        #expect(history.total(before: 160 * 501) == 40 * 501)
        #expect(history.total(before: 160 * 400) == 40 * 501, "the oldest that is known")
    }

    @Test func emptySoundHasNoSpeech() {
        let file = Hearing().file(name: "nothing", path: "nothing.wav")
        #expect(file == HeardFile(name: "nothing", path: "nothing.wav", duration: .zero, sounds: []))
        #expect(file.speechPart == 0)
    }

    @Test(arguments: [
        (["takes/part1_q1.opus", "b.tar.gz", "c"], ["part1_q1", "b.tar", "c"]),
        ([".hidden", "a/.wav", "../x.y/z"], [".hidden", ".wav", "z"]),
        (["a/x.wav", "b/x.wav", "y.wav"], ["a/x.wav", "b/x.wav", "y.wav"]),
        (["x.wav", "x.flac"], ["x.wav", "x.flac"]),
    ])
    func recordingsAreCalledByTheirFilesOrElseByTheirPaths(_ paths: [String], _ names: [String]) {
        #expect(RecordingNames.of(paths) == names)
    }

    @Test(arguments: [("x", "x"), ("../a/x.wav", "a_x.wav"), ("/tmp/./x.wav", "tmp_x.wav")])
    func aPathMakesAFileName(_ name: String, _ file: String) {
        #expect(RecordingNames.fileName(name) == file)
    }
}
