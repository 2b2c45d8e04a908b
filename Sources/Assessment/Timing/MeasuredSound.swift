/// All measurements of one recording (`SoundMeasurer`): the data for a profile, without the sound.
public struct MeasuredSound: Codable, Equatable, Sendable {
    public var timeline: SoundTimeline
    /// The level of speech above the room in dB: the 99 % quantile minus the 5 % quantile of the level.
    public var speechOverNoise: Double
    /// The share of samples at full scale, 0 to 1.
    public var clippedShare: Double
    /// The features by their names in a calibration (`DeliveryCalibration`). Those that need a longer recording are
    /// absent.
    public var features: [String: Double]

    public init(
        timeline: SoundTimeline, speechOverNoise: Double, clippedShare: Double, features: [String: Double] = [:]
    ) {
        self.timeline = timeline
        self.speechOverNoise = speechOverNoise
        self.clippedShare = clippedShare
        self.features = features
    }

    /// Returns the measurements with the features of the phones that were heard in the recording.
    public func with(_ phones: HeardPhones?) -> MeasuredSound {
        var copy = self
        copy.features.merge(phones?.features ?? [:]) { $1 }
        return copy
    }
}
