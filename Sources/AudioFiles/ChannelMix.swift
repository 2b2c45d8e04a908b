import Glibc

/// Mixes several channels into one: their mean, or the loudest channel while they cancel each other out.
///
/// If one wire of a microphone is reversed, the left and right channels are mirror images of each other (antiphase),
/// and their mean is silence. The mix is chosen by the powers of the last second, so pauses that contain only noise
/// don't change it.
package struct ChannelMix: Sendable {
    /// The part of the sound so far for which the loudest channel was used, 0 to 1.
    var partCancelling: Double { seconds > 0 ? secondsCancelling / seconds : 0 }

    private var seconds = 0.0
    private var secondsCancelling = 0.0
    private let channels: Int
    /// The power of each channel over about the last second.
    private var powers: [Double]
    private var powerOfMean = 0.0
    /// The channel that is used instead of the mean. Nil while the mean is used.
    private var taken: Int?
    /// The weight of each channel. Nil before the first sound.
    private var weights: [Float]?

    /// The limits of `gain`, the share of the channels' power that the mean keeps. The gain is the number of channels
    /// if all are the same, 1 if they have nothing in common (or only one is not silent), and 0 if they cancel out. If
    /// one of two channels is the mirror image of the other at half the level, it is 0.2, and the mean is 12 dB below
    /// the louder channel. If speech reaches two microphones 2 or 3 ms apart, single vowels fall below that (0.2 % of
    /// 52 answers). The louder microphone then also hears them better.
    private static let cancelling = 0.2
    private static let agreeing = 0.5
    /// 6 dB. Mirror images are equally loud, and changing from one to the other passes through silence.
    private static let farLouder = 4.0
    /// The seconds over which one mix fades into another, so that there is no click.
    private static let passage = 0.02
    /// 40 dB above full scale. Louder values are not sound, and would overflow a resampler's sums.
    private static let loudest: Float = 100

    package init(channels: Int) {
        self.channels = channels
        powers = Array(repeating: 0, count: channels)
    }

    /// Mixes interleaved frames into as many mono samples.
    ///
    /// - Parameter rate: frames a second.
    package mutating func mix(
        _ frames: UnsafePointer<Float>, _ count: Int, rate: Int, into mono: UnsafeMutablePointer<Float>
    ) {
        let seconds = Double(count) / Double(rate)
        if channels > 1 { choose(frames, count, seconds: seconds) }
        self.seconds += seconds
        if taken != nil { secondsCancelling += seconds }
        let next = (0..<channels).map { channel in
            taken.map { $0 == channel ? 1 : 0 } ?? 1 / Float(channels)
        }
        let before = weights ?? next
        weights = next
        // Mixes frame by frame while one mix fades into the other. Usually there is nothing to fade.
        let passing = before == next ? 0 : min(count, Int(Self.passage * Double(rate)))
        for index in 0..<passing {
            let part = Float(index + 1) / Float(passing)
            let between = zip(before, next).map { $0 + part * ($1 - $0) }
            mix(frames + index * channels, 1, by: between, into: mono + index)
        }
        mix(frames + passing * channels, count - passing, by: next, into: mono + passing)
    }

    private mutating func choose(_ frames: UnsafePointer<Float>, _ count: Int, seconds: Double) {
        let kept = exp(-seconds)
        for channel in powers.indices { powers[channel] *= kept }
        powerOfMean *= kept
        measure(frames, count)
        let gain = powerOfMean * Double(channels * channels) / powers.reduce(0, +)  // NaN in digital silence.
        let loudest = powers.indices.max { powers[$0] < powers[$1] }!
        if let channel = taken {
            if gain > Self.agreeing {
                taken = nil
            } else if powers[loudest] > Self.farLouder * powers[channel] {
                taken = loudest
            }
        } else if gain < Self.cancelling {
            taken = loudest
        }
    }

    /// Adds the power of these frames to the decayed power of earlier ones.
    private mutating func measure(_ frames: UnsafePointer<Float>, _ count: Int) {
        if channels == 2 { return measurePairs(frames, count) }
        for index in 0..<count {
            var sum: Float = 0
            for channel in 0..<channels {
                let sample = frames[index * channels + channel]
                sum += sample
                powers[channel] += Double(sample * sample)
            }
            powerOfMean += Double(sum * sum) / Double(channels * channels)
        }
    }

    /// Measures stereo, the usual case, four frames at a time. Up to three frames at the end are ignored.
    private mutating func measurePairs(_ frames: UnsafePointer<Float>, _ count: Int) {
        let bytes = UnsafeRawPointer(frames)
        var (left, right, sum) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        for offset in stride(from: 0, to: count / 4 * 32, by: 32) {
            let four = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            left += four.evenHalf * four.evenHalf
            right += four.oddHalf * four.oddHalf
            sum += (four.evenHalf + four.oddHalf) * (four.evenHalf + four.oddHalf)
        }
        powers[0] += Double(left.sum())
        powers[1] += Double(right.sum())
        powerOfMean += Double(sum.sum()) / 4
    }

    private func mix(
        _ frames: UnsafePointer<Float>, _ count: Int, by weights: [Float], into mono: UnsafeMutablePointer<Float>
    ) {
        if channels == 2 {
            let (left, right) = (weights[0], weights[1])
            for index in 0..<count {
                let sum = frames[2 * index] * left + frames[2 * index + 1] * right
                mono[index] = min(max(sum, -Self.loudest), Self.loudest)
            }
            return
        }
        for index in 0..<count {
            var sum: Float = 0
            for channel in 0..<channels { sum += frames[index * channels + channel] * weights[channel] }
            mono[index] = min(max(sum, -Self.loudest), Self.loudest)
        }
    }
}
