import ExamCore
import Testing
import VoiceActivity

/// The sound around a voice begins with the voice or during it, so the room before says nothing about it.
///
/// The answers are the project's own. None has a pause of 0.7 s, so a second of silence in an answer is a second lost.
@Suite struct NewSurroundings {
    /// A gate, or a sentence cut out of a recording: −74 dBFS, and from the first word on a room 15 dB below the voice.
    @Test(arguments: ["bridge-after-2", "building-2", "maps-3", "mornings-3"])
    func aSentenceIsHeardWholeAfterAQuietLeadIn(_ name: String) throws {
        let answer = try Surrounded(name)
        let room = Int(answer.words.lowerBound) - 1_600..<answer.words.upperBound + 1_600
        let sound = answer.with { room.contains($0) ? -15 : nil }
        #expect(answer.longestLoss(in: sound) < 0.9)
    }

    /// A fan that is turned on in mid-answer, 10 dB below the voice, and stays on.
    @Test(arguments: ["maps-1", "mornings-3", "building-4"])
    func aNoiseThatBeginsInMidAnswerDoesNotEndIt(_ name: String) throws {
        let answer = try Surrounded(name)
        let middle = (answer.words.lowerBound + answer.words.upperBound) / 2
        let sound = answer.with { $0 >= middle ? -10 : nil }
        #expect(answer.longestLoss(in: sound) < 0.9)
        let last = try #require(changes(in: sound).voices(until: sound.count).last)
        #expect(last.upperBound < answer.words.upperBound + sampleRate / 2, "and the noise is no voice")
    }

    /// After four seconds the noise becomes the floor. What was heard over the old floor must not hide the next words.
    @Test(arguments: [20, 30, 40, 45, 50, 54, 58, 60, 62, 66, 70, 80])
    func aVoiceIsHeardAtAnyTimeAfterANoiseBegan(_ length: Int) {
        let picture = heard("----------" + String(repeating: "~", count: length) + "++++++~~~~~~")
        #expect(isLike(picture.suffix(32), "....................######......", within: 3))
    }
}

/// An answer of the project's own with 1.5 s of silence before it and 3 s after it.
private struct Surrounded {
    let sound: [Float]
    /// The samples from the first word to the last one.
    let words: Range<Int>
    /// The mean level of the words.
    private let level: Float

    init(_ name: String) throws {
        let spoken = try Recording.answer(name).trimmed()
        sound = nothing(1.5) + spoken + nothing(3)
        words = sampleRate * 3 / 2..<sampleRate * 3 / 2 + spoken.count
        level = power(of: spoken[...]).squareRoot()
    }

    /// Returns the answer in a quiet room, with pink noise.
    ///
    /// - Parameter noise: The level in dB over the words for each sample, or nil for none.
    func with(_ noise: (Int) -> Float?) -> [Float] {
        var dice = SplitMix64(seed: 5)
        var pink = Pink()
        return sound.indices.map { index in
            let room = dice.noise() * amplitude(dBFS: -74)
            let next = pink.next(&dice)
            return sound[index] + room + (noise(index).map { next * level * amplitude(dBFS: $0) } ?? 0)
        }
    }

    /// Returns the longest time in seconds without a heard voice from the first word to the last one.
    func longestLoss(in sound: [Float]) -> Double {
        let voices = changes(in: sound).voices(until: sound.count)
        let edges = [words.lowerBound] + voices.flatMap { [$0.lowerBound, $0.upperBound] } + [words.upperBound]
        let losses = stride(from: 0, to: edges.count, by: 2).map { edges[$0 + 1] - edges[$0] }
        return Double(losses.max()!) / Double(sampleRate)
    }
}

/// Noise with 3 dB less per octave and an RMS of 1: three low-passes over white noise (P. Kellet's "economy" filter).
private struct Pink {
    private var (slow, middle, fast): (Float, Float, Float) = (0, 0, 0)

    mutating func next(_ dice: inout SplitMix64) -> Float {
        let white = dice.noise()
        slow = 0.997_65 * slow + white * 0.099_046
        middle = 0.963 * middle + white * 0.296_516_4
        fast = 0.57 * fast + white * 1.052_691_3
        return (slow + middle + fast + white * 0.184_8) / 2.8
    }
}
