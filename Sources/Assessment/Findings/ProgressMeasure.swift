/// A measure that is compared from exam to exam.
package enum ProgressMeasure: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case phonationTimeRatio, longestPause, pausesPerMinute, speechRate, meanLengthOfRun, speech

    package var name: String {
        switch self {
        case .phonationTimeRatio: "time speaking"
        case .longestPause: "longest pause"
        case .pausesPerMinute: "pauses"
        case .speechRate: "speech rate"
        case .meanLengthOfRun: "length of run"
        case .speech: "speech"
        }
    }

    package var unit: String {
        switch self {
        case .phonationTimeRatio: "%"
        case .longestPause, .speech: "s"
        case .pausesPerMinute: "a minute"
        case .speechRate: "syllables a second"
        case .meanLengthOfRun: "syllables"
        }
    }

    package var digits: Int {
        switch self {
        case .phonationTimeRatio, .speech: 0
        default: 1
        }
    }

    /// Returns the value of an exam in `unit`. Nil if it is unknown.
    package func value(_ profile: DeliveryProfile) -> Double? { value(of: profile.measures) }

    /// Returns the value of several answers together, in `unit`. Nil if it is unknown.
    func value(of measures: DeliveryMeasures) -> Double? {
        guard measures.span > 0 else { return nil }
        return switch self {
        case .phonationTimeRatio: measures.phonationTimeRatio.map { $0 * 100 }
        case .longestPause: measures.longestPause
        case .pausesPerMinute: measures.pausesPerMinute
        case .speechRate: measures.speechRate
        case .meanLengthOfRun: measures.meanLengthOfRun
        case .speech: measures.speech
        }
    }

    /// The unit after a figure: ` %`, `/min`.
    package var sign: String {
        switch self {
        case .phonationTimeRatio: " %"
        case .speech, .longestPause: " s"
        case .pausesPerMinute: "/min"
        case .speechRate: "/s"
        case .meanLengthOfRun: " syllables"
        }
    }
}
