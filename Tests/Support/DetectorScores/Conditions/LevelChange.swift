/// A speaker whose level changes, and noise and a gate that begin in mid-answer, as the labelled data's own script
/// `levels_vad.py` makes them.
///
/// The definitions equal the script's to the sample, except that the random numbers aren't numpy's. Every change except
/// a gate gets white noise at −70 dBFS, as a room's floor. `DetectorScoresTests` compares the two with the same random
/// numbers.
public enum LevelChange: Equatable, Sendable {
    /// Quieter by this many dB from the first pause after the middle on, as if the speaker turned away.
    case drop(Double)
    /// Quieter by this many dB at the end than at the beginning, evenly in dB.
    case fade(Double)
    /// A word this many dB above the mean speech level, 0.45 s long, that ends 0.7 s before the answer: "Well!"
    case loud(Double)
    /// A microphone's automatic gain with this limit in dB.
    case agc(Double)
    /// Pink noise this many dB below the speech that begins in the middle of the answer: a fan, rain, traffic.
    case step(Double)
    /// A headset's gate: sound more than this many dB below the mean speech level becomes digital silence. The gate
    /// opens in 5 ms, and stays open for 150 ms.
    case gate(Double)

    /// - Returns: nil without speech, which would have no level.
    public func applied(to recording: LabelledRecording) -> LabelledRecording? {
        var chance = Chance(named: recording.name)
        return applied(to: recording) { chance.noise($0) }
    }

    /// - Parameter noise: Returns a number of samples of white noise of power 1.
    func applied(to recording: LabelledRecording, noise: (Int) -> [Double]) -> LabelledRecording? {
        guard let first = recording.speech.stretches.first?.lowerBound,
            let last = recording.speech.stretches.last?.upperBound, let power = recording.speechPower, power > 0
        else { return nil }
        var changed = recording
        switch self {
        case .drop(let decibels):
            let at = recording.speech.stretches.first { $0.lowerBound > (first + last) / 2 }?.lowerBound ?? last
            let quiet = amplitude(ofDecibels: -decibels)
            changed.scale { $0 > at - 0.15 ? quiet : 1 }
        case .fade(let decibels):
            changed.scale { second in
                amplitude(ofDecibels: -decibels * min(max((second - first) / (last - first), 0), 1))
            }
        case .loud(let decibels):
            changed.precede(byWordOver: power.squareRoot(), decibels, before: first)
        case .agc(let decibels):
            AutomaticGain(most: decibels).apply(to: &changed.samples, speech: power.squareRoot(), noise: noise)
        case .step(let decibels):
            let pink = PinkNoise.samples(changed.samples.count, white: noise)
            let gain = (power / pink.power).squareRoot() * amplitude(ofDecibels: -decibels)
            for index in pink.indices {
                let begun = (Double(index) / LabelledRecording.rate - (first + last) / 2) / 0.05
                changed.samples[index] += pink[index] * gain * min(max(begun, 0), 1)
            }
        case .gate(let decibels):
            changed.samples = NoiseGate(threshold: power.squareRoot() * amplitude(ofDecibels: -decibels))
                .applied(to: changed.samples)
            return changed
        }
        let floor = noise(changed.samples.count)
        for index in floor.indices { changed.samples[index] += floor[index] * amplitude(ofDecibels: -70) }
        return changed
    }
}

extension LabelledRecording {
    /// - Parameter gain: Returns the gain at a second.
    fileprivate mutating func scale(by gain: (Double) -> Double) {
        for index in samples.indices { samples[index] *= gain(Double(index) / Self.rate) }
    }

    /// Adds a copy of the first 0.45 s of speech, amplified, 1.15 s before the speech. If the recording of the room
    /// before the speech is too short for that, it is repeated.
    fileprivate mutating func precede(byWordOver mean: Double, _ decibels: Double, before first: Double) {
        var word = Array(samples[place(of: first..<first + 0.45)])
        for index in word.indices { word[index] *= min(1, Double(min(index, word.count - 1 - index)) / 160) }
        let gain = mean * amplitude(ofDecibels: decibels) / word.power.squareRoot()
        let room = samples[..<min(max(1_600, Int((first - 0.1) * Self.rate)), samples.count)]
        let missing = max(0, Int(1.65 * Self.rate) - Int(first * Self.rate))
        let shift = Double(missing) / Self.rate
        samples = (0..<missing).map { room[$0 % room.count] } + samples
        let at = Int((first + shift - 1.15) * Self.rate)
        for index in word.indices { samples[at + index] += word[index] * gain }
        let begin = Double(at) / Self.rate
        let stretches = [begin..<begin + 0.45] + speech.stretches.map { $0.lowerBound + shift..<$0.upperBound + shift }
        // The script's table has whole milliseconds.
        speech = Speech(stretches.map { Self.milliseconds($0.lowerBound)..<Self.milliseconds($0.upperBound) })
    }

    private static func milliseconds(_ second: Double) -> Double {
        (second * 1_000).rounded(.toNearestOrEven) / 1_000
    }
}
