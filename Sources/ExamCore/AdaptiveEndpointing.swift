/// How long this candidate may be silent before an answer is taken to be over, learned from the candidate's own pauses.
///
/// A format states a silence and a ceiling. People differ by a factor of three in how long they pause between phrases, and hardly at all
/// from one answer to the next. So twice a long pause of one's own is a silence that this candidate does not make while there is more to
/// say. To cut a candidate off costs an answer and is taken to be twenty times as bad as a second of waiting. From this ratio it follows that
/// pauses only lengthen the format's silence, unless the format states a shorter floor: a fluent candidate, too, stops to think once.
public struct AdaptiveEndpointing: Equatable, Sendable {
    /// The latest pauses between two bursts of speech in one answer, oldest first.
    private var pauses: [Duration] = []
    /// Twice the second longest of them, since the longest may have been a search for one word; about their ninth decile. Kept, since it is
    /// asked for fifty times a second and changes with a pause.
    private var ownSilence: Duration?

    /// As many as two or three answers have: it follows a candidate who warms up or tires.
    private static let remembered = 16
    /// From so many pauses on the silence may become shorter than the format's, if the format has such a floor.
    private static let enough = 8
    /// What is shorter lies within a phrase: the closure of a plosive, a breath.
    private static let shortest = Duration.milliseconds(250)
    /// Less speech than this ("Well", "Erm", a laugh) may be the opening of an answer. At twenty to one it pays to wait 1.5 s more for it if
    /// that is so once in thirteen times.
    private static let opening = Duration.seconds(1)

    /// By so much the detector may date the end of a quiet last word too early: of 13 speakers one by 0.3 s, three by 0.15 s and more. A pause
    /// that is shorter than the format's silence must not end an answer because of it.
    private static let margin = Duration.milliseconds(300)

    public init() {}

    /// Takes in a pause between two bursts of speech of one answer.
    public mutating func learn(_ pause: Duration) {
        guard pause >= Self.shortest else { return }
        pauses.append(pause)
        if pauses.count > Self.remembered { pauses.removeFirst() }
        let long = pauses.count < 2 ? pause : pauses.sorted()[pauses.count - 2]
        ownSilence = long + long
    }

    /// The silence that ends an answer with so much speech, and whether it was learned; nil where silence never does.
    func silence(for rule: ExamScript.AnswerRule, speech: Duration) -> (length: Duration, isOwn: Bool)? {
        guard let own = rule.silence else { return nil }
        return silence(own, rule.patience, speech: speech)
    }

    /// - Parameters:
    ///   - usual: the silence before anything was learned.
    ///   - range: the shortest and the longest that it may become; nil: it stays as it is.
    ///   - speech: how much was said in the answer so far. After less than a second the longest silence holds, if pauses only lengthen it.
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

    /// The silence under a rule that pauses can only lengthen.
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
