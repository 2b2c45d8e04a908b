/// All that was measured in one recording (`SoundMeasurer`): what a profile is made of, without the sound.
public struct MeasuredSound: Codable, Equatable, Sendable {
    public var timeline: SoundTimeline
    /// How far speech stands above the room, in dB: 99 % quantile less 5 % quantile of the level.
    public var speechOverNoise: Double
    /// The share of samples at full scale, 0 … 1.
    public var clippedShare: Double
    /// What a calibration weighs, by its names (`DeliveryCalibration`); a feature that the recording is too short for is absent.
    public var features: [String: Double]

    public init(
        timeline: SoundTimeline, speechOverNoise: Double, clippedShare: Double, features: [String: Double] = [:]
    ) {
        self.timeline = timeline
        self.speechOverNoise = speechOverNoise
        self.clippedShare = clippedShare
        self.features = features
    }
}
