extension SoundTimeline {
    /// Divides the recording into pieces that cover all of it: each begins at the end of the previous one, and the last
    /// ends with the recording.
    ///
    /// Cuts are in the middle of the longest pause within reach, so that few words are cut. Without a pause, the cut is
    /// at the quietest 50 ms. Each piece has at least 2 s, because a service may return nothing for a shorter one. Only
    /// a recording that is not divided may be shorter.
    ///
    /// - Parameters:
    ///   - longest: the maximum length of a piece in seconds, at least 10.
    ///   - first: the beginning of the first piece in seconds.
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
        // The sound is not cut too early, because one long pause at the beginning would make tiny pieces.
        let latest = min(start + longest, duration - Self.shortest)
        let window = start + longest / 3...latest
        let pauses = silences.compactMap { silence -> (at: Double, length: Double)? in
            let middle = (silence.start + silence.end) / 2
            return window.contains(middle) ? (middle, silence.length) : nil
        }
        if let longest = pauses.max(by: { $0.length < $1.length }) { return longest.at }
        // The last five seconds of the allowed range.
        let columns = Int((latest - 5) / Self.peakStep)..<Int(latest / Self.peakStep)
        let quietest = columns.filter(peaks.indices.contains).min { peaks[$0] < peaks[$1] }
        return quietest.map { (Double($0) + 0.5) * Self.peakStep } ?? latest
    }
}
