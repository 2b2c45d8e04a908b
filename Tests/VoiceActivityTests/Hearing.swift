import VoiceActivity

/// Returns the detector's reports on a sound to which it listens from the first sample on.
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

/// Draws the detected speech of this many samples: `#` for every tenth of a second that is mostly voice.
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

/// Draws the speech that the detector hears in a drawn sound.
func heard(_ picture: String, seed: UInt64 = 1) -> String { heard(sound(picture, seed: seed)) }

func heard(_ sound: [Float]) -> String { picture(changes(in: sound), of: sound.count) }

/// Returns whether as many stretches are heard as were drawn, with each bound within this many tenths of a second.
///
/// The detector looks at a quarter of a second at a time. If a drawn voice stops in the middle of a syllable, its end
/// is dated to a tenth.
func isLike(_ heard: some StringProtocol, _ drawn: some StringProtocol, within tenths: Int = 1) -> Bool {
    func bounds(_ picture: some StringProtocol) -> [Int] {
        let voices = Array("." + picture + ".")
        return voices.indices.dropFirst().filter { voices[$0] != voices[$0 - 1] }
    }
    let (found, known) = (bounds(heard), bounds(drawn))
    return found.count == known.count && zip(found, known).allSatisfy { abs($0 - $1) <= tenths }
}
