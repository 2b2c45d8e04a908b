/// Measures speech as it arrives: 16 kHz mono, of any length.
///
/// ```swift
/// let samples = [Float](repeating: 0, count: 16_000)
/// var measurer = SoundMeasurer()
/// samples.withUnsafeBufferPointer { measurer.hear($0) }
/// let sound = measurer.measured()
/// print(sound.timeline.syllables.count, "syllables")
/// ```
/// The measurer is a value without a clock or a thread. The size of the blocks does not change the result. The measurer
/// stores about 10 kB for each second of sound, but not the sound itself.
public struct SoundMeasurer: Sendable {
    /// The sample rate of its input.
    public static let sampleRate = 16_000
    /// The number of samples from one frame to the next: 10 ms.
    static let hop = 160
    /// The number of samples on either side of a frame's middle: 25 ms for the pitch, plus half of the filter that
    /// halves the sample rate.
    private static let reach = 416

    private var bands = MelBands()
    private var tracker = PitchTracker()
    private var frames = SoundFrames()
    /// The samples for the next frames, beginning `reach` before the middle of the next one.
    private var pending = [Float](repeating: 0, count: reach)
    /// The sound around the next frame's middle, at 8 kHz.
    private var low = [Float](repeating: 0, count: PitchTracker.window)
    private var sampleCount = 0
    private var clippedCount = 0
    private var peaks: [Float] = []

    public init() {}

    /// Adds samples with full scale 1. A sample that is not a number counts as silence, and one beyond ±128 as ±128:
    /// the squares of louder ones may become infinite.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        pending.reserveCapacity(pending.count + samples.count)
        let peakLength = Int(SoundTimeline.peakStep * Double(Self.sampleRate))
        for sample in samples {
            let sample = sample.isFinite ? min(max(sample, -128), 128) : 0
            let size = abs(sample)
            if sampleCount % peakLength == 0 {
                peaks.append(size)
            } else {
                peaks[peaks.count - 1] = max(peaks[peaks.count - 1], size)
            }
            // At full scale in 16 bits, or beyond it.
            if size >= 0.9999 { clippedCount += 1 }
            sampleCount += 1
            pending.append(sample)
        }
        takeFrames(upTo: sampleCount / Self.hop + 1)
    }

    /// Returns the measurements of everything heard so far.
    public func measured() -> MeasuredSound {
        MeasuredSound(
            allFrames, seconds: Double(sampleCount) / Double(Self.sampleRate),
            clippedShare: sampleCount == 0 ? 0 : Double(clippedCount) / Double(sampleCount), peaks: peaks)
    }

    /// All frames, including those whose sound is incomplete. Silence takes the place of the rest.
    private var allFrames: SoundFrames {
        var rest = self
        rest.pending += [Float](repeating: 0, count: 2 * Self.reach)
        rest.takeFrames(upTo: sampleCount == 0 ? 0 : sampleCount / Self.hop + 1)
        return rest.frames
    }

    /// Returns the 16 facts of each candidate for a syllable in a recording, to fit `SyllableNuclei` to counts.
    package static func syllableCandidates(of samples: [Float]) -> [[Float]] {
        var measurer = SoundMeasurer()
        samples.withUnsafeBufferPointer { measurer.hear($0) }
        return SpeechFrames(measurer.allFrames).candidates.map(\.facts)
    }

    /// Processes the frames whose sound is complete.
    private mutating func takeFrames(upTo count: Int) {
        var start = 0
        while frames.count < count, pending.count - start >= 2 * Self.reach {
            takeFrame(at: start)
            start += Self.hop
        }
        if start > 0 { pending.removeFirst(start) }
    }

    private mutating func takeFrame(at start: Int) {
        pending.withUnsafeBufferPointer { pending in
            let around = UnsafeBufferPointer(rebasing: pending[start..<(start + 2 * Self.reach)])
            let edge = Self.reach - MelBands.window / 2
            let energies = bands.energies(of: UnsafeBufferPointer(rebasing: around[edge..<(edge + MelBands.window)]))
            // All samples of the first frame are new. Later frames share all but 80 with the one before.
            let new = frames.count == 0 ? PitchTracker.window : Self.hop / 2
            low.removeFirst(new)
            for index in (PitchTracker.window - new)..<PitchTracker.window {
                let middle = Self.reach - PitchTracker.window + 2 * index
                low.append(HalfRate.sample(around.baseAddress! + middle - HalfRate.taps / 2))
            }
            let pitch = low.withUnsafeBufferPointer { tracker.pitch(of: $0) }
            frames.append(energies, pitch)
        }
    }
}

/// Sound in frames of 10 ms.
struct SoundFrames: Sendable {
    private(set) var count = 0
    /// The 24 bands of each frame, one frame after the other.
    private(set) var energies: [Float] = []
    /// In Hz. 0 without periodicity.
    private(set) var pitches: [Float] = []
    /// 0 … 1.
    private(set) var strengths: [Float] = []

    /// The energy below which sound belongs to the room, at the scale of 16-bit samples.
    ///
    /// - Parameter share: a share of the mean band of the loud frames. A thousandth is 30 dB under it.
    func roomFloor(share: Float = 0.001) -> Float {
        let sums = (0..<count).map { energies[($0 * MelBands.count)..<(($0 + 1) * MelBands.count)].reduce(0, +) }
        return max(share * Contour.quantile(sums, 0.99) / Float(MelBands.count), .leastNormalMagnitude)
    }

    mutating func append(_ bands: MelBands.Energies, _ pitch: PitchTracker.Pitch) {
        for band in 0..<MelBands.count { energies.append(bands[band]) }
        pitches.append(pitch.hertz)
        strengths.append(pitch.strength)
        count += 1
    }

    /// Returns the seconds from the first sample to a frame's middle.
    static func seconds(_ frame: Int) -> Double { Double(frame) / 100 }
}
