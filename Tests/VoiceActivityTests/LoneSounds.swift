import DetectorScores
import ExamCore
import Foundation
import Testing
import VoiceActivity

/// A single word, and sounds that are not words: alone before any speech, and after an answer, when the speaker is
/// known.
@Suite struct LoneSounds {
    // MARK: - A word

    /// The end is declared 1.62 s after the word, because its "s" is heard to the end. The delay of the detector's
    /// decision doesn't add to it, because it dates ends back.
    @Test(arguments: ["a quiet room", "a fan", "digital silence"])
    func yesEndsPromptly(_ place: String) throws {
        let room: [Float] =
            switch place {
            case "a fan": try Recording.noise("fan")
            case "digital silence": [0]
            default: quietRoom
            }
        let yes = nothing(1.5) + (try Recording.answer("yes").trimmed()) + nothing(3)
        let end = try #require(words(in: yes).stretches.last?.upperBound)
        let heard = Overheard(yes.with(room))
        #expect(heard.declared.count == 1)
        #expect((end + 1.4...end + 1.65).contains(try #require(heard.declared.first)))
    }

    // MARK: - No words

    @Test(arguments: [NoWord.cough, .keys, .loudKeys, .dullDoor])
    func clatterIsNoVoice(_ sound: NoWord) throws {
        let heard = try Overheard(sound.alone())
        #expect(heard.changes == [])
        #expect(heard.unsure > 0, "it is heard")
    }

    @Test(arguments: [NoWord.loudCough, .door, .slammedDoor, .shortBreath, .breath])
    func whatHasNoVowelDoesNotCount(_ sound: NoWord) throws {
        let heard = try Overheard(sound.alone())
        #expect(heard.kinds.allSatisfy { $0 == .unvoiced })
        #expect(heard.declared == [], "nobody has answered")
    }

    /// A slammed door that is 26 dB louder than the candidate doesn't make them a distant voice.
    @Test func aSlamDeafensNobody() throws {
        let answer = try Recording.answer("because").trimmed().levelled(dBFS: -35)
        let slam = try NoWord.slammedDoor.samples().scaled(1.8)
        let heard = Overheard((nothing(1.5) + slam + nothing(0.3) + answer + nothing(3)).with(quietRoom))
        #expect(heard.kinds.contains(.speech))
        #expect(!heard.kinds.contains(.distant))
        #expect(heard.declared.count == 1)
    }

    @Test func aShortSqueakIsDoubtful() throws {
        #expect(try Overheard(NoWord.shortSqueak.alone()).kinds.allSatisfy { $0 == .doubtful })
    }

    /// It lasts 0.6 s and has a pitch, like words.
    @Test func aLongSqueakIsNoSpeech() throws {
        let heard = try Overheard(NoWord.squeak.alone())
        withKnownIssue("before anybody was heard, only length and pitch tell a voice from a sound") {
            #expect(!heard.kinds.contains(.speech))
        }
    }

    @Test(arguments: NoWord.allCases)
    func nobodyWaitsForThemAfterAnAnswer(_ sound: NoWord) throws {
        let answer = nothing(1.5) + (try Recording.answer("because").trimmed().levelled(dBFS: -25))
        let end = try #require(words(in: answer).stretches.last?.upperBound)
        let heard = Overheard((answer + nothing(0.5) + (try sound.samples()) + nothing(3)).with(quietRoom))
        #expect(heard.declared.count == 1)
        let declared = try #require(heard.declared.first)
        #expect(declared <= end + 1.6)
    }
}

extension Overheard {
    /// The classes of its voices.
    fileprivate var kinds: [VoiceChange.Sound] {
        changes.compactMap { if case .ended(_, let kind) = $0 { kind } else { nil } }
    }
}

/// Sounds of a room with a person in it. Coughs and keys are recordings, the others are made here.
enum NoWord: String, CaseIterable, Sendable {
    case cough
    /// 6 dB louder.
    case loudCough
    /// Three keys, and the same 19 dB louder.
    case keys, loudKeys
    /// A thump that falls to a third within 60 ms, one within 120 ms, and the latter 8 dB louder.
    case dullDoor, door, slammedDoor
    /// A chair's leg, from 700 to 1400 Hz: 0.15 s and 0.6 s.
    case shortSqueak, squeak
    /// 0.4 s and 0.8 s, −45 dBFS.
    case shortBreath, breath

    func samples() throws -> [Float] {
        switch self {
        case .cough: try Recording.noise("cough")
        case .loudCough: try Recording.noise("cough").scaled(2)
        case .keys: Array(try Recording.noise("keyboard")[5_600..<19_200])
        case .loudKeys: try NoWord.keys.samples().scaled(9)
        case .dullDoor: Self.thump(peak: 0.2, fall: 0.06)
        case .door: Self.thump(peak: 0.2, fall: 0.12)
        case .slammedDoor: Self.thump(peak: 0.5, fall: 0.12)
        case .shortSqueak: Self.squeak(0.15)
        case .squeak: Self.squeak(0.6)
        case .shortBreath: Self.breath(0.4)
        case .breath: Self.breath(0.8)
        }
    }

    /// Returns the sound in a quiet room.
    func alone() throws -> [Float] { (nothing(1.5) + (try samples()) + nothing(2)).with(quietRoom) }

    /// Returns a door's two tones, 65 and 110 Hz, with dull noise.
    private static func thump(peak: Float, fall: Double) -> [Float] {
        var dice = SplitMix64(seed: 1)
        var dull: Float = 0
        return sound(0.6) { time in
            dull += 0.03 * (dice.noise() - dull)
            let tones = 0.6 * sin(2 * .pi * 65 * time) + 0.4 * sin(2 * .pi * 110 * time + 1)
            return peak * Float(exp(-time / fall) * (1 - exp(-time / 0.002))) * (Float(tones) + 2 * dull)
        }
    }

    /// Returns three harmonics that rise by an octave, at a tenth of full scale.
    private static func squeak(_ seconds: Double) -> [Float] {
        var phase = 0.0
        return sound(seconds) { time in
            phase += 2 * .pi * 700 * (1 + time / seconds) / 16_000
            let tones = sin(phase) + 0.5 * sin(2 * phase) + 0.3 * sin(3 * phase)
            return 0.1 * Float(sin(.pi * time / seconds) * tones / 1.8)
        }
    }

    /// Returns noise from about 300 to 3000 Hz that swells and falls.
    private static func breath(_ seconds: Double) -> [Float] {
        var dice = SplitMix64(seed: 1)
        var (low, lower) = (Float.zero, Float.zero)
        let air = sound(seconds) { time in
            low += 0.6 * (dice.noise() - low)
            lower += 0.1 * (low - lower)
            let swell = Float(sin(.pi * time / seconds))
            return (low - lower) * swell * swell
        }
        return air.scaled(amplitude(dBFS: -45) / power(of: air[...]).squareRoot())
    }

    private static func sound(_ seconds: Double, _ at: (Double) -> Float) -> [Float] {
        (0..<Int(seconds * 16_000)).map { at(Double($0) / 16_000) }
    }
}
