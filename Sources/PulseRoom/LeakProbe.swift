import AudioFiles
import Glibc

/// Measures how much of the loudspeaker the microphone hears: play `sound`, record from that moment on, and call
/// `leak(in:)`.
///
/// The recording is correlated with the probe. Undoing the probe's phases compresses its whole second into one click,
/// while every other sound stays spread out. This is done in eight bands, and the click must be at the *same* moment in
/// all of them. A syllable or a note may look like a click in one band, but only the probe does in all. The click's
/// position is the delay. The leak is the click's energy, with the echoes of the room, divided by the energy played.
public struct LeakProbe: Sendable {
    /// The sound to play: a rising glide of one second at 16 kHz, −12 dBFS at its crests. It is always the same.
    public let sound: [Float]
    /// The number of samples to record from the moment playing begins: 2 s, for the longest delay, the glide and its
    /// echo.
    public static let recordingSamples = 32_000

    /// The path of the examiner's voice from the loudspeaker into the microphone.
    public struct Leak: Codable, Equatable, Sendable {
        /// The level at which the probe arrived relative to the level at which it was played, in dB, usually below 0.
        /// Without echo it is 20·log10 of the least-squares gain; with echo it includes the echo's energy.
        public var gainDB: Double
        /// The delay from the moment playing began to the moment the microphone delivered the sound: 0 to 700 ms.
        public var delayMS: Double
        /// The evidence, that is the prominence of the click, in dB: from `LeakProbe.leastEvidence` to 20.
        public var evidenceDB: Double
    }

    /// The least evidence that counts as a leak, in dB.
    ///
    /// Measured: at most 2.2 for steady noises and hum, 4.4 for music, and 6.7 for 5029 stretches of speech and noises
    /// (one in a thousand over 4.9). The probe itself, 10 dB under pink noise in rooms with up to 0.6 s of echo, has at
    /// least 7.5.
    static let leastEvidence = 7.0
    /// The longest delay: up to 0.3 s on either side for PulseAudio under load.
    static let longestDelay = 700  // ms
    /// The echo that counts as part of the leak: 250 ms, in which a room with an RT60 of 0.6 s decays by 25 dB.
    static let echo = 250  // ms

    private let spectrum: Spectrum
    private let bands: [Range<Int>]
    private let energy: Double

    /// A probe, before any recording.
    public init() {
        sound = ProbeSound.samples()
        let spectrum = Spectrum(of: sound, count: Self.binCount)
        self.spectrum = spectrum
        bands = Self.edges()
        energy = bands.joined().reduce(0) { $0 + spectrum.power($1) }
    }

    /// Looks for the probe in a recording that begins when playing begins; nil if it can't be found.
    ///
    /// A recording longer than `recordingSamples` is cut off. A shorter one allows only shorter delays.
    public func leak(in recording: some Collection<Float>) -> Leak? {
        let clicks = clicks(in: recording)
        let (delay, evidence) = Self.agreement(of: clicks)
        guard evidence >= Self.leastEvidence else { return nil }
        let arrived = clicks.reduce(0) { $0 + Self.energy(of: $1, at: delay) }
        guard arrived > 0 else { return nil }
        return Leak(gainDB: 10 * log10(arrived / energy), delayMS: Double(delay), evidenceDB: evidence)
    }

    /// Returns the evidence for a leak in dB, sufficient or not.
    func evidence(in recording: some Collection<Float>) -> Double {
        Self.agreement(of: clicks(in: recording)).evidence
    }

    // MARK: Correlation

    /// 2.048 s at 16 kHz. It exceeds the recording, so that late delays don't wrap around to early ones.
    private static let binCount = 32_768
    /// Each band is narrower than 1 kHz, so that 2000 of its 32 768 bins contain it. Its envelope then has steps of 1
    /// ms.
    private static let stepCount = 2_048
    private static let bandCount = 8

    /// Eight bands of equal width in octaves. The glide spends 125 ms in each.
    private static func edges() -> [Range<Int>] {
        let binWidth = Double(AudioFormat.sampleRate) / Double(binCount)
        let edges = (0...bandCount).map { band in
            let part = Double(band) / Double(bandCount)
            return Int(ProbeSound.lowest * pow(ProbeSound.highest / ProbeSound.lowest, part) / binWidth)
        }
        return zip(edges, edges.dropFirst()).map { $0..<$1 }
    }

    /// Returns the energy in each band by delay, in steps of 1 ms. The sum over a band's steps is its energy in the
    /// recording.
    private func clicks(in recording: some Collection<Float>) -> [[Double]] {
        let heard = Spectrum(of: recording.prefix(Self.recordingSamples), count: Self.binCount)
        return bands.map { band in
            var turned = Spectrum(zeros: Self.stepCount)
            for (place, bin) in band.enumerated() {
                // The whole product is conjugated, because the transform below is the forward one.
                let size = spectrum.power(bin).squareRoot()
                let (re, im) = (spectrum.real[bin] / size, spectrum.imaginary[bin] / size)
                turned.real[place] = heard.real[bin] * re + heard.imaginary[bin] * im
                turned.imaginary[place] = heard.real[bin] * im - heard.imaginary[bin] * re
            }
            turned.transform()
            return (0..<Self.stepCount).map { turned.power($0) / Double(Self.stepCount) }
        }
    }

    // MARK: Decision

    /// 20 ms: the direct sound and the first reflections.
    private static let clickSteps = 20

    /// Finds the delay at which the bands agree best on a click, and its average prominence over the bands' means in
    /// decibels.
    ///
    /// It is a mean of decibels, each limited to −10 … 20, so that no single band decides.
    private static func agreement(of clicks: [[Double]]) -> (delay: Int, evidence: Double) {
        var evidence = [Double](repeating: 0, count: longestDelay + 1)
        for click in clicks {
            let mean = click.reduce(0, +) / Double(stepCount) * Double(clickSteps)
            var sum = click[..<clickSteps].reduce(0, +)
            for delay in 0...longestDelay {
                let ratio = mean > 0 ? 10 * log10(max(sum, 0) / mean + 1e-9) : -10
                evidence[delay] += min(max(ratio, -10), 20) / Double(bandCount)
                sum += click[delay + clickSteps] - click[delay]
            }
        }
        let best = evidence.indices.max { evidence[$0] < evidence[$1] }!
        // Several windows contain the click, and this is the best of them. The click itself is the loudest millisecond
        // in it.
        let loudest = (best..<best + clickSteps).max { total(clicks, $0) < total(clicks, $1) }!
        return (min(loudest, longestDelay), evidence[best])
    }

    private static func total(_ clicks: [[Double]], _ step: Int) -> Double { clicks.reduce(0) { $0 + $1[step] } }

    /// Returns the energy of a band's click and its echo, minus the noise that the other delays predict for it.
    private static func energy(of click: [Double], at delay: Int) -> Double {
        let steps = (delay - 20..<delay + echo).map { ($0 + stepCount) % stepCount }
        let inside = steps.reduce(0) { $0 + click[$1] }
        let outside = click.reduce(0, +) - inside
        return inside - outside / Double(stepCount - steps.count) * Double(steps.count)
    }
}
