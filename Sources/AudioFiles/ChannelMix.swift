import Glibc

/// Makes one channel of several: their mean, or the loudest of them while they cancel each other out.
///
/// A microphone with one of its wires the wrong way round gives a left and a right that are each other's mirror image
/// (antiphase): their mean is silence. The powers of the last second decide; so pauses, in which there is nothing but noise, change nothing.
package struct ChannelMix: Sendable {
    /// The part of the sound so far in which the loudest channel was taken, 0 to 1.
    var partCancelling: Double { seconds > 0 ? secondsCancelling / seconds : 0 }

    private var seconds = 0.0
    private var secondsCancelling = 0.0
    private let channels: Int
    /// Of each channel, and of their mean, over about the last second.
    private var powers: [Double]
    private var powerOfMean = 0.0
    /// The channel that is taken instead of the mean.
    private var taken: Int?
    /// What each channel counts; nil before the first sound.
    private var weights: [Float]?

    /// `gain` is what the mean keeps of the channels' power: the number of channels where all are the same, 1 where
    /// they have nothing in common (or only one is not silent), 0 where they cancel. The mean of two channels of which one is
    /// the mirror image at half the level has 0.2, and lies 12 dB under the louder. Speech that reaches two
    /// microphones 2 or 3 ms apart comes under that in single vowels (0.2 % of 52 answers), and one of them hears those
    /// better, too.
    private static let cancelling = 0.2
    private static let agreeing = 0.5
    /// 6 dB: mirror images are equally loud, and to go from one to the other is to pass through silence.
    private static let farLouder = 4.0
    /// Over so many seconds one mix passes into the other, so that nothing clicks.
    private static let passage = 0.02
    /// 40 dB over full scale: beyond it is no sound, and a resampler's sums would overflow.
    private static let loudest: Float = 100

    package init(channels: Int) {
        self.channels = channels
        powers = Array(repeating: 0, count: channels)
    }

    /// Mixes frames, interleaved, into as many samples.
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
        // Frame by frame while one mix passes into the other; usually there is nothing to pass.
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
        let gain = powerOfMean * Double(channels * channels) / powers.reduce(0, +)  // Not a number in digital silence.
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

    /// Adds the power of these frames to what is left of the earlier ones'.
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

    /// As `measure`, for the stereo that most recordings are, four frames at a time; up to three at the end don't count.
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
