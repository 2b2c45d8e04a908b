extension SoundTimeline {
    /// The recording in pieces that lose nothing: each begins where the one before it ends, and the last ends with the recording.
    ///
    /// Cut in the middle of the longest pause that is near enough, so that few words are cut; where somebody speaks on without one, at the
    /// quietest 50 ms. No piece but an only one is shorter than 2 s: a service may say nothing of less (C11).
    ///
    /// - Parameters:
    ///   - longest: of a piece, in seconds; 10 or more.
    ///   - first: where the first piece begins, in seconds.
    public func pieces(longest: Double, from first: Double = 0) -> [TimeRange] {
        precondition(longest >= 10)
        var pieces: [TimeRange] = []
        var start = min(first, duration)
        while duration - start > longest {
            let end = cut(after: start, longest)
            pieces.append(TimeRange(start, end))
            start = end
        }
        pieces.append(TimeRange(start, max(start, duration)))
        return pieces
    }

    private static let shortest = 2.0

    private func cut(after start: Double, _ longest: Double) -> Double {
        // Not too early, or one long pause at the beginning would make pieces of nothing.
        let latest = min(start + longest, duration - Self.shortest)
        let window = start + longest / 3...latest
        let pauses = silences.compactMap { silence -> (at: Double, length: Double)? in
            let middle = (silence.start + silence.end) / 2
            return window.contains(middle) ? (middle, silence.length) : nil
        }
        if let longest = pauses.max(by: { $0.length < $1.length }) { return longest.at }
        // The last five seconds of what is allowed.
        let columns = Int((latest - 5) / Self.peakStep)..<Int(latest / Self.peakStep)
        let quietest = columns.filter(peaks.indices.contains).min { peaks[$0] < peaks[$1] }
        return quietest.map { (Double($0) + 0.5) * Self.peakStep } ?? latest
    }
}
