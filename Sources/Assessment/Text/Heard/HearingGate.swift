/// The rules by which parts of a recogniser's reply are discarded. A recogniser's version names them, because under
/// other rules an answer would have other words.
public enum HearingGate: String, Sendable {
    /// The rules for services. Services are not asked again for the sake of new rules, because they may cost money.
    case first = "gate/1"
    /// The rules for the recogniser on this machine. They also discard groups of words that are repeated, and words
    /// that come too fast for anyone to have said them.
    case second = "gate/2"

    /// Segments with more words a second than this are discarded. Fast speakers say about four.
    static let fastest = 5.0
}

extension HeardSegment {
    /// Returns why the segment is discarded, or nil if it is accepted.
    public func doubt(in timeline: SoundTimeline, by gate: HearingGate = .first) -> Doubt? {
        if let noSpeech, noSpeech > 0.8 { return .noSpeech }
        if let time, timeline.speechShare(of: time) < 0.5 { return .silence }
        let spoken = text.spokenWords.map(\.text)
        switch gate {
        case .first: return WordLoop.first(in: spoken, longest: 1) == nil ? nil : .repetition
        case .second:
            if WordLoop.first(in: spoken) != nil { return .repetition }
            guard let time else { return nil }
            let speech = timeline.speechShare(of: time) * time.length
            return Double(spoken.count) > HearingGate.fastest * speech ? .tooFast : nil
        }
    }
}
