/// The length of silence that ends an answer, learned from the candidate's own pauses.
///
/// A format states a silence and a ceiling. Candidates differ by a factor of three in how long they pause between
/// phrases, but each one is consistent from answer to answer. A silence twice as long as a candidate's long pauses
/// therefore means that the answer is complete. Cutting a candidate off loses an answer, so this type treats it as
/// twenty times as bad as one second of waiting. At that ratio, the candidate's pauses should only lengthen the
/// format's silence: even a fluent candidate stops to think once. A format that states a shorter floor lets them
/// shorten it too.
public struct AdaptiveEndpointing: Equatable, Sendable {
    /// The latest pauses between two bursts of speech in one answer, oldest first.
    private var pauses: [Duration] = []
    /// The silence learned from the pauses: twice the second longest one, or twice the only one. Nil before the first
    /// pause. The longest pause may have been a search for one word. The second longest is about the ninth decile. The
    /// value is stored because it is read fifty times a second and changes only with a pause.
    private var ownSilence: Duration?

    /// Two or three answers have about this many pauses, so the estimate follows a candidate who warms up or tires.
    private static let remembered = 16
    /// The number of pauses after which the silence may become shorter than the format's, if the format has such a
    /// floor.
    private static let enough = 8
    /// Shorter pauses lie within a phrase: the closure of a plosive, a breath.
    private static let shortest = Duration.milliseconds(250)
    /// Less speech than this ("Well", "Erm", a laugh) may be only the opening of an answer. At the ratio of twenty to
    /// one, waiting 1.5 s more is worth it if at least one such answer in thirteen continues.
    private static let opening = Duration.seconds(1)

    /// The detector may report the end of a quiet last word up to this much too early. With 13 speakers, it was 0.3 s
    /// early for one and at least 0.15 s early for three. The margin keeps such an error from ending an answer at a
    /// pause that is shorter than the format's silence.
    private static let margin = Duration.milliseconds(300)

    public init() {}

    /// Learns from a pause between two bursts of speech in one answer. Pauses shorter than 250 ms are ignored.
    public mutating func learn(_ pause: Duration) {
        guard pause >= Self.shortest else { return }
        pauses.append(pause)
        if pauses.count > Self.remembered { pauses.removeFirst() }
        let long = pauses.count < 2 ? pause : pauses.sorted()[pauses.count - 2]
        ownSilence = long + long
    }

    /// Returns the silence that ends an answer with this much speech, and whether it was learned. Nil if silence never
    /// ends it.
    func silence(for rule: ExamScript.AnswerRule, speech: Duration) -> (length: Duration, isOwn: Bool)? {
        guard let own = rule.silence else { return nil }
        return silence(own, rule.patience, speech: speech)
    }

    /// Returns the silence that ends an answer, and whether it was learned.
    ///
    /// - Parameters:
    ///   - usual: the silence that holds before anything is learned.
    ///   - range: the shortest and longest silence allowed. If nil, `usual` does not change.
    ///   - speech: how much the candidate has said in the answer so far. With less than a second of speech, the longest
    ///     silence holds if pauses only lengthen it.
    public func silence(_ usual: Duration, _ range: ExamScript.SilenceRange?, speech: Duration) -> (
        length: Duration, isOwn: Bool
    ) {
        guard let range else { return (usual, false) }
        if range.onlyLengthens(usual) { return lengthened(usual, range.ceiling, speech: speech) }
        guard let ownSilence else { return (usual, false) }
        let learned = min(max(ownSilence, range.floor), range.ceiling)
        let isTooEarly = learned > usual ? speech < Self.opening : pauses.count < Self.enough
        return isTooEarly ? (usual, false) : (learned, learned != usual)
    }

    /// Returns the silence for a rule that pauses can only lengthen.
    private func lengthened(_ usual: Duration, _ ceiling: Duration, speech: Duration) -> (
        length: Duration, isOwn: Bool
    ) {
        let least = usual + Self.margin
        let longest = max(least, ceiling)
        if speech < Self.opening { return (longest, false) }
        let learned = min(max(ownSilence ?? least, least), longest)
        return (learned, learned != least)
    }
}
