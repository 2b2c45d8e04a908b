import AudioFiles
import Glibc

/// Finds out how much of the loudspeaker the microphone hears: play `sound`, record from that moment on, ask `leak(in:)`.
///
/// The recording is correlated with the probe, whose phases are taken back, so that its whole second falls together in one
/// click; whatever else sounded stays spread out. This is done in eight bands, and the click must stand at the *same* moment
/// in all of them: a syllable or a note may look like a click in one band, and only the probe does in all. Where it stands is
/// the delay; its energy, with the echoes of the room, over the energy played is the leak.
public struct LeakProbe: Sendable {
    /// What to play: a rising glide of one second, 16 kHz, −12 dBFS at its crests. The same at every call.
    public let sound: [Float]
    /// How much to record from the moment playing begins: 2 s, which is the longest delay, the glide and the echo after it.
    public static let recordingSamples = 32_000

    /// The examiner's voice on its way from the loudspeaker into the microphone.
    public struct Leak: Codable, Equatable, Sendable {
        /// How loud the probe arrived, of how loud it was played: dB, below 0 as a rule. 20·log10 of the least-squares gain
        /// where there is no echo; with the energy of the echo where there is one.
        public var gainDB: Double
        /// From the moment playing began to the moment the microphone gave it: ms, 0 to 700.
        public var delayMS: Double
        /// How far it stood out, dB: the evidence, from `LeakProbe.leastEvidence` to 20.
        public var evidenceDB: Double
    }

    /// Evidence from which on a leak is believed, dB.
    ///
    /// Measured: at most 2.2 of steady noises and hum, 4.4 of music, 6.7 of 5029 stretches of speech and noises (one in a
    /// thousand over 4.9); at least 7.5 of the probe itself, 10 dB under pink noise in rooms with up to 0.6 s of echo.
    static let leastEvidence = 7.0
    /// PulseAudio on a bad day: up to 0.3 s on either side.
    static let longestDelay = 700  // ms
    /// Echo that belongs to the leak: 250 ms, in which a room of RT60 0.6 s falls by 25 dB.
    static let echo = 250  // ms

    private let spectrum: Spectrum
    private let bands: [Range<Int>]
    private let energy: Double

    /// Nothing was recorded yet.
    public init() {
        sound = ProbeSound.samples()
        let spectrum = Spectrum(of: sound, count: Self.binCount)
        self.spectrum = spectrum
        bands = Self.edges()
        energy = bands.joined().reduce(0) { $0 + spectrum.power($1) }
    }

    /// Looks for the probe in what the microphone gave from the moment playing began; nil where it is not to be found.
    ///
    /// A recording longer than `recordingSamples` is cut off; a shorter one finds shorter delays only.
    public func leak(in recording: some Collection<Float>) -> Leak? {
        let clicks = clicks(in: recording)
        let (delay, evidence) = Self.agreement(of: clicks)
        guard evidence >= Self.leastEvidence else { return nil }
        let arrived = clicks.reduce(0) { $0 + Self.energy(of: $1, at: delay) }
        guard arrived > 0 else { return nil }
        return Leak(gainDB: 10 * log10(arrived / energy), delayMS: Double(delay), evidenceDB: evidence)
    }

    /// The evidence for a leak, dB, whether it suffices or not.
    func evidence(in recording: some Collection<Float>) -> Double {
        Self.agreement(of: clicks(in: recording)).evidence
    }

    // MARK: Correlation

    /// 2.048 s at 16 kHz: what is recorded, so that late delays do not wrap around onto early ones.
    private static let binCount = 32_768
    /// Each band is narrower than 1 kHz, so that 2000 of its 32 768 bins hold it: its envelope comes out in steps of 1 ms.
    private static let stepCount = 2_048
    private static let bandCount = 8

    /// Eight bands of equal width in octaves: the glide spends 125 ms in each.
    private static func edges() -> [Range<Int>] {
        let binWidth = Double(AudioFormat.sampleRate) / Double(binCount)
        let edges = (0...bandCount).map { band in
            let part = Double(band) / Double(bandCount)
            return Int(ProbeSound.lowest * pow(ProbeSound.highest / ProbeSound.lowest, part) / binWidth)
        }
        return zip(edges, edges.dropFirst()).map { $0..<$1 }
    }

    /// The energy in each band against the delay, in steps of 1 ms; all of a band's steps together are its energy in the
    /// recording.
    private func clicks(in recording: some Collection<Float>) -> [[Double]] {
        let heard = Spectrum(of: recording.prefix(Self.recordingSamples), count: Self.binCount)
        return bands.map { band in
            var turned = Spectrum(zeros: Self.stepCount)
            for (place, bin) in band.enumerated() {
                // Conjugated as a whole, because the transform below is the forward one.
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

    /// The direct sound and the first reflections: 20 ms.
    private static let clickSteps = 20

    /// Where the bands agree best that there is a click, and by how many decibels on average it stands over its band's mean.
    ///
    /// A mean of decibels, each within −10 and 20, so that no band decides alone.
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
        // The window is the best of several that hold the click; the click is its loudest millisecond.
        let loudest = (best..<best + clickSteps).max { total(clicks, $0) < total(clicks, $1) }!
        return (min(loudest, longestDelay), evidence[best])
    }

    private static func total(_ clicks: [[Double]], _ step: Int) -> Double { clicks.reduce(0) { $0 + $1[step] } }

    /// The energy of a band's click and its echo, without what noise had there by the measure of the other delays.
    private static func energy(of click: [Double], at delay: Int) -> Double {
        let steps = (delay - 20..<delay + echo).map { ($0 + stepCount) % stepCount }
        let inside = steps.reduce(0) { $0 + click[$1] }
        let outside = click.reduce(0, +) - inside
        return inside - outside / Double(stepCount - steps.count) * Double(steps.count)
    }
}
