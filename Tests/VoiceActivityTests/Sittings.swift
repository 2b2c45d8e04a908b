import DetectorScores
import ExamCore
import ExamKit
import Foundation
import VoiceActivity

/// Seven answers one after another, and the silences between them, in which other sounds may be: about a minute.
struct PreparedExam: Sendable {
    static let undisturbed = Result { try PreparedExam() }

    /// The candidate alone, without noise.
    private(set) var candidate: [Float] = []
    /// The sounds between the answers, with the same length.
    private(set) var others: [Float] = []
    let words: Speech

    /// The spoken recordings. With two, the candidate thinks for this many seconds in between.
    private static let answers: [(said: [String], thinking: Double)] = [
        (["full-name", "short"], 1.3), (["because"], 0), (["yes"], 0), (["where-from", "ready"], 1.3),
        (["sentence-4"], 0), (["short-name", "mornings-5"], 0.8), (["sentence-1"], 0),
    ]

    /// - Parameters:
    ///   - between: Sounds for the silences, in turn. Empty for silence.
    ///   - wait: The seconds from an answer's end to such a sound.
    ///   - rest: The seconds from there to the next answer, and randomly up to a second more.
    init(between: [[Float]] = [], after wait: Double = 0, rest: Double = 2.5) throws {
        var dice = SplitMix64(seed: 1)
        candidate = nothing(1.5)
        others = candidate
        for (index, answer) in Self.answers.enumerated() {
            let said = try answer.said.map { try Recording.answer($0).trimmed().levelled(dBFS: -25) }
            let answer = Array(said.joined(separator: nothing(answer.thinking)))
            let sound = between.isEmpty ? [] : between[index % between.count]
            let silence = nothing(rest + Double(dice.below(100)) / 100)
            candidate += answer + nothing(wait) + [Float](repeating: 0, count: sound.count) + silence
            others += [Float](repeating: 0, count: answer.count) + nothing(wait) + sound + silence
        }
        words = VoiceActivityTests.words(in: candidate)
    }

    /// Returns all sounds in a quiet room.
    func inQuietRoom() -> [Float] { candidate.with(others).with(quietRoom) }

    /// Returns the candidate in a noise that is this many dB weaker than the words.
    func inNoise(_ noise: [Float], ratio: Double) throws -> [Float] {
        guard let pcm = NoiseMixture.pcm(candidate, words, in: noise, named: "sitting|noise", ratio: ratio) else {
            throw CocoaError(.featureUnsupported)
        }
        return pcm.map { Float($0) / 32_768 }
    }
}

// MARK: - Noises

/// White noise, −65 dBFS.
let quietRoom: [Float] = {
    var dice = SplitMix64(seed: 2)
    return (0..<7 * sampleRate).map { _ in dice.noise() * amplitude(dBFS: -65) }
}()

/// Pink noise, which falls by 3 dB an octave (P. Kellet's filter, in its economical form).
let hiss: [Float] = {
    var (a, b, c) = (Float.zero, Float.zero, Float.zero)
    return quietRoom.map { white in
        a = 0.99765 * a + white * 0.0990460
        b = 0.96300 * b + white * 0.2965164
        c = 0.57000 * c + white * 1.0526913
        return a + b + c + white * 0.1848
    }
}()

/// Returns seven voices that speak at the same time without end: five lines of the examiner, and two answers.
func crowd() throws -> [Float] {
    var voices = try ["please-go-on", "hello-and-welcome", "imagine-somebody", "now-it-is", "what-will-people"]
        .map(Recording.prompt)
    voices += try ["connecting-2", "building-6"].map(Recording.answer)
    return voices.reduce(nothing(12)) { $0.with($1.trimmed().levelled(dBFS: -30)) }
}

// MARK: - The detector

/// The findings of the detector and the declared ends of answers, for a sound in a session's blocks.
struct Overheard {
    private(set) var changes: [VoiceChange] = []
    private(set) var ends: [EndsOfAnswers.End] = []
    /// The samples for which the detector had not decided whether a voice had begun.
    private(set) var unsure = 0
    private let sampleCount: Int

    init(_ sound: [Float]) {
        var detector = VoiceDetector()
        detector.listen()
        var answers = EndsOfAnswers(silence: .milliseconds(1_500))
        for start in stride(from: 0, to: sound.count, by: 320) {
            let end = min(start + 320, sound.count)
            var news: [VoiceChange] = []
            sound[start..<end].withUnsafeBufferPointer { block in detector.hear(block) { news.append($0) } }
            answers.hear(news, until: end, unsureSince: detector.mayHaveBegun)
            if detector.mayHaveBegun != nil { unsure += end - start }
            changes += news
        }
        answers.finish()
        ends = answers.ends
        sampleCount = sound.count
    }

    var speech: Speech {
        Speech(
            changes.voices(until: sampleCount).map { Double($0.lowerBound) / 16_000..<Double($0.upperBound) / 16_000 })
    }

    /// The declared ends in seconds.
    var declared: [Double] { ends.map { $0.at.sinceBegin / .seconds(1) } }
    var seconds: Double { Double(sampleCount) / 16_000 }
}
