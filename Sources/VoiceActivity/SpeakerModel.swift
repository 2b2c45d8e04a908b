/// A speaker's loudness, and its distance from the room's noise.
struct SpeakerModel: Sendable {
    /// The loudest level of the speaker's bursts of speech, dB. Nil before the first burst.
    private var loudest: Float?
    /// The mean excess of speech over the floor, tens of dB.
    private var voice: Float?
    /// The mean excess of everything else over the floor, tens of dB.
    private var silence: Float = 0

    /// A burst that is quieter than the speaker by this much comes from another source, dB.
    ///
    /// People who lean back, tire or began with a loud "Well!" are 6 to 15 dB quieter than before, so a smaller
    /// difference proves nothing.
    private static let distance: Float = 20
    /// The loudest level falls by this much for each second that was too quiet, dB. Otherwise one slammed door would
    /// make the detector deaf to the speaker for ever.
    private static let forgetting: Float = 2
    /// The weight of a frame in the means: about 1 s.
    private static let rate: Float = 0.01

    /// The mean log-odds of frames of speech, nats. Nil before the first speech. Noise that hides a voice lowers them.
    private(set) var odds: Float?

    /// The voice's mean level over the noise, averaged over the bands, dB. Nil before the first speech.
    var voiceOverNoise: Float? { voice.map { ($0 - silence) * 10 } }

    /// Takes in a frame of speech: its mean excess over the floor, tens of dB, and its log-odds.
    mutating func learnSpeech(_ excess: Float, odds: Float) {
        voice = voice.map { $0 + (excess - $0) * Self.rate } ?? excess
        self.odds = self.odds.map { $0 + (odds - $0) * Self.rate } ?? odds
    }

    /// Takes in a frame without speech: its mean excess over the floor, tens of dB.
    mutating func learnSilence(_ excess: Float) {
        silence += (excess - silence) * Self.rate
    }

    /// Takes in a burst of speech: the level of its loudest tenth of a second, dB, and its length.
    mutating func learn(burst level: Float, frames: Int) {
        // A burst of a second or more counts as much as all bursts before it.
        loudest = loudest.map { $0 + (level - $0) * min(Float(frames) / 200, 0.5) } ?? level
    }

    /// Whether a burst with this level in its loudest tenth of a second, dB, is too quiet for this speaker.
    func isFar(burst level: Float) -> Bool {
        guard let loudest else { return false }
        return level <= loudest - Self.distance
    }

    /// Lowers the loudest level after a burst of this length that was too quiet.
    mutating func forget(frames: Int) {
        loudest? -= Self.forgetting * Float(frames) / 100
    }

    /// Returns the model of an unknown speaker in the same room.
    func another() -> SpeakerModel {
        var speaker = SpeakerModel()
        speaker.silence = silence
        return speaker
    }
}
