/// Hears when a person speaks and when not, in 16 kHz mono sound.
///
/// ```swift
/// var detector = VoiceDetector()
/// detector.listen()
/// let samples = [Float](repeating: 0, count: 16_000)
/// samples.withUnsafeBufferPointer { detector.hear($0) { change in print(change) } }
/// ```
///
/// Every 10 ms the levels of eight bands are compared with the room's floor (`NoiseModel`) and asked for a voice's period (`Voicing`).
/// What came before and after a frame (`Surroundings`) says how much it is like speech (`SpeechLikeness`), and such odds add up
/// until a voice has begun or ended (`Endpointer`). ARCHITECTURE.md, "Voice detection", has a picture of it.
///
/// Streaming: any split of the same samples into calls gives the same changes. No allocation a call. The same on every
/// machine: it uses no library and no fused or reordered arithmetic. One stream, one value; one thread at a time.
public struct VoiceDetector: Sendable {
    /// 10 ms at 16 kHz.
    static let frameSize = 160
    /// Frames from the one that is decided about to the newest.
    private static let lookAhead = Surroundings.decided
    /// A band has to be so much louder than the floor before anything is asked for its period, tens of dB.
    private static let leastExcess: Float = 0.3
    /// The weight of a frame in the loudness: about 0.1 s.
    private static let loudnessRate: Float = 0.1
    /// Where the voice stands out of the noise by less, dB, the beginnings of words are hidden: as recorded it is 26 dB, and 6 dB in pink noise
    /// at a ratio of 10 dB.
    private static let hiddenVoice: Float = 8
    /// The part of a word that may be hidden: its first consonant.
    private static let hiddenFrames = 8
    /// A beginning is decided about within so many frames, or nobody waits for it.
    private static let undecidedFrames = 50

    /// Where the voice stands out of the noise by less, dB, ends of answers are missed or come too early.
    ///
    /// Measured on 26 labelled answers: in the median it is 26 dB as recorded, and 6 dB in pink noise at a ratio of 10 dB, where hardly an
    /// end is missed or early; 4 dB in pink noise at 5 dB, 3 dB in babble at 5 dB, 2 dB in pink noise at 0 dB: up to one in eight is.
    public static let leastVoiceOverNoise: Float = 4

    /// Samples heard so far, in whole frames of 10 ms.
    public private(set) var sampleCount = 0
    /// Whether a voice is heard now.
    public var isVoiced: Bool { endpointer.isVoiced }
    /// Whether anybody is listened to. While not, only the room's noise is followed.
    public private(set) var isListening = false
    /// The sample where a voice may have begun that is not decided about yet, for 0.6 s at most; nil where nothing points to one.
    public var mayHaveBegun: Int? {
        guard isListening, !isVoiced else { return nil }
        if endpointer.evidence > 0 {
            return frames - endpointer.turned <= Self.undecidedFrames ? endpointer.onset * Self.frameSize : nil
        }
        // In noise a word is under way before anything points to it.
        let hidden = (voiceOverNoise ?? Self.hiddenVoice) < Self.hiddenVoice ? Self.hiddenFrames : 0
        guard hidden > 0 || surroundings.stirring > stirring else { return nil }
        return max(frames - Self.lookAhead - hidden, listeningSince) * Self.frameSize
    }
    /// How far this speaker's voice stands out of the room's noise, in the mean over the bands, dB; nil before anybody spoke.
    ///
    /// Below `leastVoiceOverNoise` ends of answers are missed or come too early.
    public var voiceOverNoise: Float? { endpointer.speaker.voiceOverNoise }
    /// The last 10 ms.
    public private(set) var frame = VoiceFrame()

    private let gate: Float
    private let stirring: Float
    private let likeness: SpeechLikeness
    private var filters = FilterBank()
    private var floor = NoiseModel()
    private var voicing = Voicing()
    private var surroundings = Surroundings()
    private var endpointer: Endpointer
    private var pending: [Float] = []
    private var frames = 0
    private var listeningSince = 0
    /// Of the last two frames.
    private var periodicity: Float = 0
    /// Of the newest frame that was looked at, and of the one before it.
    private var logOdds: Float = 0
    private var logOddsBefore: Float = 0
    /// The power of about 0.1 s.
    private var loudness: Float = 0
    /// The floor's level in the last frame, dB.
    private var lastFloorLevel = FilterBank.Bands.zero
    /// The evidence of the frame that is decided about now.
    var decided: Endpointer.Frame {
        let part = Float(frames % Surroundings.step + 1) / Float(Surroundings.step)
        return Endpointer.Frame(
            logOdds: logOddsBefore + (logOdds - logOddsBefore) * part, voicing: surroundings.voicing,
            excess: surroundings.excess, loudness: loudness)
    }

    /// - Parameter likeness: what a frame of speech is like; for tuning.
    public init(_ settings: Settings = Settings(), likeness: SpeechLikeness = .builtIn) {
        precondition(likeness.isWhole, "its numbers do not belong together")
        gate = settings.gate
        stirring = settings.stirring
        self.likeness = likeness
        endpointer = Endpointer(settings)
        pending.reserveCapacity(Self.frameSize)
    }

    /// Listens from now on afresh: a voice that sounds already must begin anew, and whoever speaks first is the speaker,
    /// however loud the last one was. What is known of the room's noise stays.
    public mutating func listen() {
        isListening = true
        listeningSince = frames
        endpointer.begin(at: frames)
    }

    /// Stops listening, without a change: whoever was speaking is not heard any more.
    public mutating func stopListening() {
        isListening = false
        endpointer.forgetVoice()
    }

    /// Hears more samples, full scale ±1, and reports what changed, in order.
    ///
    /// Samples that are not finite count as silence.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>, _ report: (VoiceChange) -> Void) {
        var rest = samples[...]
        while !rest.isEmpty {
            if pending.isEmpty && rest.count >= Self.frameSize {
                let whole = UnsafeBufferPointer(rebasing: rest.prefix(Self.frameSize))
                rest = rest.dropFirst(Self.frameSize)
                hear(frame: filters.powers(of: whole), report)
                continue
            }
            let part = rest.prefix(Self.frameSize - pending.count)
            pending.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if pending.count == Self.frameSize {
                let powers = pending.withUnsafeBufferPointer { filters.powers(of: $0) }
                pending.removeAll(keepingCapacity: true)
                hear(frame: powers, report)
            }
        }
    }

    private mutating func hear(frame powers: FilterBank.Bands, _ report: (VoiceChange) -> Void) {
        let least = floor.follow(powers).atLeast(gate)
        loudness += (powers.total - loudness) * Self.loudnessRate
        voicing.hear(filters.slow)
        frames += 1
        sampleCount += Self.frameSize
        let floorLevel = least.decibels
        let excess = (powers.atLeast(gate).decibels - floorLevel) * 0.1
        if frames > 1 { surroundings.raiseFloor(by: ((floorLevel - lastFloorLevel) * 0.1).atLeast(0)) }
        lastFloorLevel = floorLevel
        if frames % 2 == 0 { periodicity = excess.greatest > Self.leastExcess ? voicing.strength : 0 }
        surroundings.follow(excess, voicing: periodicity)
        if frames % Surroundings.step == 0 {
            logOddsBefore = logOdds
            logOdds = likeness.logOdds(surroundings, staying: staying(above: least))
        }
        let decided = decided
        if isListening {
            // A change is never dated before anybody listened.
            let number = max(frames - 1 - Self.lookAhead, listeningSince)
            if let change = endpointer.decide(decided, at: number) { report(change) }
        } else {
            endpointer.overhear(decided)
        }
        frame = VoiceFrame(
            powers: powers, floor: least, evidence: endpointer.evidence, threshold: endpointer.threshold,
            isVoiced: isVoiced)
    }
}

extension VoiceDetector {
    /// By how much each band stayed above the floor throughout the last half second, tens of dB.
    private func staying(above least: FilterBank.Bands) -> FilterBank.Bands {
        (floor.recent.atLeast(least).decibels - least.decibels) * 0.1
    }

    /// What a recording is like, for whoever fits `SpeechLikeness` to labels: of each frame of 10 ms the numbers of its surroundings
    /// once `Surroundings.lookAhead` more were heard.
    ///
    /// - Returns: as many rows of `surroundingsCount` as the samples, 16 kHz and full scale ±1, have whole frames.
    public static func surroundings(of samples: [Float]) -> [Float] {
        // Not the built-in likeness: it was fitted to the surroundings that the detector had then.
        var detector = VoiceDetector(likeness: .none)
        var numbers = [Float](repeating: 0, count: samples.count / frameSize * surroundingsCount)
        samples.withUnsafeBufferPointer { samples in
            numbers.withUnsafeMutableBufferPointer { numbers in
                for frame in 0..<samples.count / frameSize {
                    detector.hear(UnsafeBufferPointer(rebasing: samples[frame * frameSize..<(frame + 1) * frameSize])) {
                        _ in
                    }
                    detector.surroundings.write(
                        to: numbers.baseAddress! + frame * surroundingsCount,
                        staying: detector.staying(above: detector.frame.floor))
                }
            }
        }
        return numbers
    }

    /// How many numbers a frame's surroundings have.
    public static var surroundingsCount: Int { Surroundings.count }
}
