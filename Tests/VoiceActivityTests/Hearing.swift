import ExamCore
import VoiceActivity

/// What the detector reports of a sound that it listens to from its first sample on.
func changes(in sound: [Float]) -> [VoiceChange] {
    var detector = VoiceDetector()
    detector.listen()
    return detector.changes(in: sound)
}

extension VoiceDetector {
    mutating func changes(in sound: some Collection<Float>) -> [VoiceChange] {
        var changes: [VoiceChange] = []
        Array(sound).withUnsafeBufferPointer { sound in hear(sound) { changes.append($0) } }
        return changes
    }
}

extension VoiceChange {
    var sample: Int {
        switch self {
        case .began(let sample), .ended(let sample, _): sample
        }
    }
}

/// Draws what was heard of so many samples: `#` for every tenth of a second that is voice for the most part.
func picture(_ changes: [VoiceChange], of sampleCount: Int) -> String {
    var isVoice = [Bool](repeating: false, count: sampleCount)
    for change in changes {
        let value = if case .began = change { true } else { false }
        for index in change.sample..<sampleCount { isVoice[index] = value }
    }
    return stride(from: 0, to: sampleCount, by: step).map { start in
        let part = isVoice[start..<min(start + step, sampleCount)]
        return part.count(where: { $0 }) * 2 > part.count ? "#" : "."
    }.joined()
}

/// Draws what the detector hears of a drawn sound.
func heard(_ picture: String, seed: UInt64 = 1) -> String { heard(sound(picture, seed: seed)) }

func heard(_ sound: [Float]) -> String { picture(changes(in: sound), of: sound.count) }

/// Whether as many stretches are heard as were drawn, each bound within so many tenths of a second of where it was drawn.
///
/// The detector sees a quarter of a second at once: where a drawn voice stops in the middle of a syllable, it dates it to a tenth.
func isLike(_ heard: some StringProtocol, _ drawn: some StringProtocol, within tenths: Int = 1) -> Bool {
    func bounds(_ picture: some StringProtocol) -> [Int] {
        let voices = Array("." + picture + ".")
        return voices.indices.dropFirst().filter { voices[$0] != voices[$0 - 1] }
    }
    let (found, known) = (bounds(heard), bounds(drawn))
    return found.count == known.count && zip(found, known).allSatisfy { abs($0 - $1) <= tenths }
}
