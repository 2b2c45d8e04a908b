/// Hears when a person speaks and when not, in 16 kHz mono sound.
///
/// ```swift
/// var detector = VoiceDetector()
/// detector.listen()
/// let samples = [Float](repeating: 0, count: 16_000)
/// samples.withUnsafeBufferPointer { detector.hear($0) { change in print(change) } }
/// ```
///
/// Every 10 ms it compares the levels of eight bands with the room's floor (`NoiseModel`), and measures how periodic
/// the sound is (`Voicing`). The sound before and after a frame (`Surroundings`) gives the odds that the frame is
/// speech (`SpeechLikeness`). These odds add up until a voice has begun or ended (`Endpointer`). ARCHITECTURE.md,
/// "Voice detection", has a picture of it.
///
/// - Any split of the same samples into calls gives the same changes.
/// - A call allocates nothing.
/// - The changes are the same on every machine: no library, and no fused or reordered arithmetic, is used.
/// - Use one value for each stream, from one thread at a time.
public struct VoiceDetector: Sendable {
    /// 10 ms at 16 kHz.
    static let frameSize = 160
    /// The newest frame comes this many frames after the one whose evidence is complete.
    private static let lookAhead = Surroundings.decided
    /// The periodicity is measured only if a band is louder than the floor by more than this, tens of dB.
    private static let leastExcess: Float = 0.3
    /// The weight of a frame in the loudness: about 0.1 s.
    private static let loudnessRate: Float = 0.1
    /// If `voiceOverNoise` is less than this, dB, noise hides the beginnings of words. It is 26 dB in the recordings,
    /// and 6 dB with pink noise at a ratio of 10 dB.
    private static let hiddenVoice: Float = 8
    /// The part of a word that may be hidden: its first consonant.
    private static let hiddenFrames = 8
    /// A possible beginning that is still undecided after this many frames is no longer reported.
    private static let undecidedFrames = 50

    /// If `voiceOverNoise` is less than this, dB, ends of answers are missed or come too early.
    ///
    /// Measured on 26 labelled answers, medians. With 26 dB (as recorded) and 6 dB (pink noise at a ratio of 10 dB),
    /// hardly an end is missed or early. With 4 dB (pink noise at 5 dB), 3 dB (babble at 5 dB) and 2 dB (pink noise at
    /// 0 dB) up to one end in eight is missed or early.
    public static let leastVoiceOverNoise: Float = 4

    /// Samples heard so far, in whole frames of 10 ms.
    public private(set) var sampleCount = 0
    /// Whether a voice is heard now.
    public var isVoiced: Bool { endpointer.isVoiced }
    /// Whether it listens for a voice. Otherwise it only follows the room's noise.
    public private(set) var isListening = false
    /// The sample at which a voice may have begun, as long as that is undecided, for at most 0.6 s. Nil if nothing
    /// points to a voice.
    public var mayHaveBegun: Int? {
        guard isListening, !isVoiced else { return nil }
        if endpointer.evidence > 0 {
            return frames - endpointer.turned <= Self.undecidedFrames ? endpointer.onset * Self.frameSize : nil
        }
        // In noise, a word has already begun before anything points to it.
        let hidden = (voiceOverNoise ?? Self.hiddenVoice) < Self.hiddenVoice ? Self.hiddenFrames : 0
        guard hidden > 0 || surroundings.stirring > stirring else { return nil }
        return max(frames - Self.lookAhead - hidden, listeningSince) * Self.frameSize
    }
    /// The speaker's mean level over the room's noise, averaged over the bands, dB. Nil before the first speech.
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
    /// The periodicity of the last two frames, 0 to 1.
    private var periodicity: Float = 0
    /// The log-odds of the newest weighed frame, and of the weighed frame before it (`Surroundings.step`).
    private var logOdds: Float = 0
    private var logOddsBefore: Float = 0
    /// The mean power of about the last 0.1 s.
    private var loudness: Float = 0
    /// The floor's level in the last frame, dB.
    private var lastFloorLevel = FilterBank.Bands.zero
    /// The findings about the frame `Surroundings.decided` frames before the newest.
    var decided: Endpointer.Frame {
        let part = Float(frames % Surroundings.step + 1) / Float(Surroundings.step)
        return Endpointer.Frame(
            logOdds: logOddsBefore + (logOdds - logOddsBefore) * part, voicing: surroundings.voicing,
            excess: surroundings.excess, loudness: loudness)
    }

    /// - Parameter likeness: the odds of speech from a frame's surroundings. Only tuning needs another one.
    public init(_ settings: Settings = Settings(), likeness: SpeechLikeness = .builtIn) {
        precondition(likeness.isWhole, "its numbers do not belong together")
        gate = settings.gate
        stirring = settings.stirring
        self.likeness = likeness
        endpointer = Endpointer(settings)
        pending.reserveCapacity(Self.frameSize)
    }

    /// Starts to listen for a new speaker: the first voice defines the speaker's level, however loud the last speaker
    /// was. A voice that already sounds is reported as beginning now. The detector still knows the room's noise.
    public mutating func listen() {
        isListening = true
        listeningSince = frames
        endpointer.begin(at: frames)
    }

    /// Stops listening. A voice in progress gets no `ended`.
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
            // A change is never dated before `listen()`.
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
    /// Returns the excess over the floor that each band kept throughout the last half second, tens of dB.
    private func staying(above least: FilterBank.Bands) -> FilterBank.Bands {
        (floor.recent.atLeast(least).decibels - least.decibels) * 0.1
    }

    /// Computes the surroundings of each frame of a recording, to fit `SpeechLikeness` to labels.
    ///
    /// - Parameter samples: 16 kHz, full scale ±1.
    /// - Returns: a row of `surroundingsCount` numbers for each whole frame of 10 ms. A row describes the frame
    ///   `Surroundings.lookAhead` frames before its own.
    public static func surroundings(of samples: [Float]) -> [Float] {
        // The built-in likeness may be fitted to surroundings of another size.
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

    /// The count of numbers in a frame's surroundings.
    public static var surroundingsCount: Int { Surroundings.count }
}
