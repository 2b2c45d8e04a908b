/// A speaker's loudness, and its distance from the room's noise.
struct SpeakerModel: Sendable {
    /// How loud bursts of speech are at their loudest, dB; nil before anybody spoke.
    private var loudest: Float?
    /// The mean excess over the floor, tens of dB: of speech, and of everything else.
    private var voice: Float?
    private var silence: Float = 0

    /// A burst whose loudest moment is so far below the speaker's is somebody else's, dB.
    ///
    /// People who lean back, tire or began with a loud "Well!" are 6 to 15 dB quieter than before; a voice that is quieter by
    /// less than this may be the candidate's, whoever else it may be.
    private static let distance: Float = 20
    /// The loudest level falls so much for every second that did not count, dB: a slammed door must not deafen for ever.
    private static let forgetting: Float = 2
    /// The weight of a frame in the means: about 1 s.
    private static let rate: Float = 0.01

    /// The mean log-odds of frames of speech, nats; nil before anybody spoke. Noise that hides a voice lowers them.
    private(set) var odds: Float?

    /// How far the voice stands out of the noise, in the mean over the bands, dB; nil before anybody spoke.
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
        // A burst of a second decides as much as all before it.
        loudest = loudest.map { $0 + (level - $0) * min(Float(frames) / 200, 0.5) } ?? level
    }

    /// Whether a burst with this level in its loudest tenth of a second, dB, is too quiet for this speaker.
    func isFar(burst level: Float) -> Bool {
        guard let loudest else { return false }
        return level <= loudest - Self.distance
    }

    /// A burst of this length was too quiet.
    mutating func forget(frames: Int) {
        loudest? -= Self.forgetting * Float(frames) / 100
    }

    /// Another speaker, in the same room.
    func another() -> SpeakerModel {
        var speaker = SpeakerModel()
        speaker.silence = silence
        return speaker
    }
}
