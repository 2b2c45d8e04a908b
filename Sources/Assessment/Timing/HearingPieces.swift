extension SoundTimeline {
    /// Returns the pieces of the recording for a recogniser, in order. They contain all speech and little silence, in
    /// which recognisers invent words.
    ///
    /// The recording is cut as by `pieces(longest:from:)`. Then long silence is cut off at both ends of each piece, and
    /// pieces without speech are left out.
    ///
    /// - Parameters:
    ///   - longest: the maximum length of a piece in seconds, at least 10. Whisper hears up to 30 s at a time, but with
    ///     a prompt it begins to repeat itself in long pieces.
    ///   - first: the beginning of the first piece in seconds.
    public func hearingPieces(longest: Double = 14, from first: Double = 0) -> [TimeRange] {
        pieces(longest: longest, from: first).compactMap(trimmed)
    }

    /// The silence that stays around speech, in seconds: a quiet beginning or end of a word may count as silence.
    private static let margin = 0.25

    /// Returns a piece without long silence at its ends. Nil if it contains no speech.
    private func trimmed(_ piece: TimeRange) -> TimeRange? {
        guard let span else { return nil }
        var (start, end) = (max(piece.start, span.start), min(piece.end, span.end))
        // Silences are in order and don't touch each other, so at most one covers each end.
        if let silence = silences.first(where: { $0.start <= start && start < $0.end }) { start = silence.end }
        if let silence = silences.last(where: { $0.start < end && end <= $0.end }) { end = silence.start }
        guard start < end else { return nil }
        return TimeRange(max(piece.start, start - Self.margin), min(piece.end, end + Self.margin))
    }
}
