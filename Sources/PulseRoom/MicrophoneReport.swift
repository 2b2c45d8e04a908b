import AudioFiles
import VoiceActivity

/// The result of a microphone check: the room, the voice, and how much of the examiner gets into the microphone.
///
/// In JSON, each number's name ends in its unit. Levels are in dBFS, −120 (digital silence) to 0. A sine of full scale
/// is at −3.01.
public struct MicrophoneReport: Codable, Equatable, Sendable {
    /// The RMS of the room while no one spoke.
    public var noiseDBFS: Double
    /// The same between 170 and 4000 Hz, where voices are.
    public var voiceBandNoiseDBFS: Double
    /// The part of the room's noise that comes from the mains; nil in digital silence.
    public var hum: MainsHum?
    /// The RMS of the speech in which the detector heard a voice; nil if it heard none.
    ///
    /// It is close to the active speech level of ITU-T P.56: 0.2 dB higher on average over 52 answers, and never more
    /// than 0.9 dB away. P.56 also counts 0.2 s after each word.
    public var speechDBFS: Double?
    /// The speech without its noise relative to the noise, in dB, between 170 and 4000 Hz; nil if no one spoke.
    public var speechOverNoiseDB: Double?
    /// The length of the voice in s.
    public var speechSeconds: Double
    /// The fraction of the speech's samples that clipped, 0 to 1.
    public var clippedPart: Double
    /// The loudest sample of the whole check.
    public var peakDBFS: Double
    /// The examiner's path into the microphone; nil if none was found.
    public var leak: LeakProbe.Leak?
    /// The gate that keeps the leak from counting as speech; nil if it is unnecessary or wouldn't help.
    public var suggestedGateDBFS: Double?

    /// Measures three recordings at 16 kHz, full scale ±1.
    ///
    /// - Parameters:
    ///   - silence: 3 s of the room. With less than 2.1 s, hum isn't measured.
    ///   - probe: 2 s from the moment at which the loudspeaker began `LeakProbe.sound`.
    ///   - speech: About 6 s of the candidate.
    public init(silence: [Float], probe: [Float], speech: [Float]) {
        let voiced = Self.voiced(in: speech, after: silence)
        var band = VoiceBand()
        let noise = Self.power(band.pass(silence).dropFirst(800))  // The filter needs 50 ms to settle.
        let voice = Self.power(of: band.pass(speech), voiced)
        noiseDBFS = Decibels.level(ofPower: Self.power(silence))
        voiceBandNoiseDBFS = Decibels.level(ofPower: noise)
        hum = MainsHum(in: silence)
        speechDBFS = voiced.isEmpty ? nil : Decibels.level(ofPower: Self.power(of: speech, voiced))
        speechOverNoiseDB =
            voiced.isEmpty
            ? nil : Decibels.level(ofPower: max(voice - noise, 0)) - Decibels.level(ofPower: noise)
        speechSeconds = Double(voiced.reduce(0) { $0 + $1.count }) / Double(AudioFormat.sampleRate)
        var clipping = ClippingCounter(threshold: ClippingCounter.resampledThreshold)
        clipping.hear(speech)
        clippedPart = Double(clipping.count) / Double(max(speech.count, 1))
        peakDBFS = Decibels.level(ofPeak: [silence, probe, speech].joined().reduce(0) { max($0, abs($1)) })
        leak = LeakProbe().leak(in: probe)
        suggestedGateDBFS = RaisedGate.suggested(for: leak, speechDBFS: speechDBFS)
    }

    /// Returns the ranges of samples of `speech` in which the detector hears a voice, once it knows the room.
    private static func voiced(in speech: [Float], after silence: [Float]) -> [Range<Int>] {
        var detector = VoiceDetector()
        silence.withUnsafeBufferPointer { detector.hear($0) { _ in } }
        let start = silence.count
        detector.listen()
        var changes: [VoiceChange] = []
        speech.withUnsafeBufferPointer { samples in detector.hear(samples) { changes.append($0) } }
        return changes.voices(until: detector.sampleCount).map { voice in
            let from = max(voice.lowerBound - start, 0)
            return from..<max(from, min(voice.upperBound - start, speech.count))
        }.filter { !$0.isEmpty }
    }

    private static func power(of sound: [Float], _ ranges: [Range<Int>]) -> Double {
        power(ranges.map { sound[$0] }.joined())
    }

    private static func power(_ sound: some Collection<Float>) -> Double {
        var (sum, count) = (0.0, 0)
        for sample in sound {
            sum += Double(sample) * Double(sample)
            count += 1
        }
        return sum / Double(max(count, 1))
    }
}
