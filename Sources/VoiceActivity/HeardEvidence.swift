/// The evidence that a detector finds in a recording before it decides. Many `VoiceDetector.Settings` can be tried on
/// it, because hearing costs a hundred times as much as deciding.
public struct HeardEvidence: Sendable {
    /// The count of numbers per frame.
    public static let numbersPerFrame = 4

    /// The log-odds of speech, periodicity, excess over the floor and loudness of each whole frame of 10 ms. They come
    /// some frames after the frame, so the first few have no meaning.
    public let numbers: [Float]

    /// Hears a recording.
    ///
    /// - Parameter samples: Samples at 16 kHz, full scale ±1.
    public init(of samples: [Float], likeness: SpeechLikeness) {
        var detector = VoiceDetector(likeness: likeness)
        var numbers: [Float] = []
        let frameSize = VoiceDetector.frameSize
        numbers.reserveCapacity(samples.count / frameSize * Self.numbersPerFrame)
        samples.withUnsafeBufferPointer { samples in
            for frame in 0..<samples.count / frameSize {
                detector.hear(UnsafeBufferPointer(rebasing: samples[frame * frameSize..<(frame + 1) * frameSize])) {
                    _ in
                }
                let decided = detector.decided
                numbers += [decided.logOdds, decided.voicing, decided.excess, decided.loudness]
            }
        }
        self.numbers = numbers
    }

    /// Restores evidence from the `numbers` of another value.
    public init(numbers: [Float]) {
        precondition(numbers.count % Self.numbersPerFrame == 0, "four numbers a frame")
        self.numbers = numbers
    }

    /// Returns what a detector with these settings, which listens from the first sample on, would report.
    public func changes(_ settings: VoiceDetector.Settings) -> [VoiceChange] {
        var endpointer = Endpointer(settings)
        endpointer.begin(at: 0)
        var changes: [VoiceChange] = []
        for frame in 0..<numbers.count / Self.numbersPerFrame {
            let first = frame * Self.numbersPerFrame
            let decided = Endpointer.Frame(
                logOdds: numbers[first], voicing: numbers[first + 1], excess: numbers[first + 2],
                loudness: numbers[first + 3])
            let number = max(frame - Surroundings.decided, 0)
            if let change = endpointer.decide(decided, at: number) { changes.append(change) }
        }
        return changes
    }
}
