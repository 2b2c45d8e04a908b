import Assessment
import Hearing

/// The words of an answer, put together from its pieces.
struct HeardWhole {
    private(set) var words: [HeardWord] = []
    /// The kinds of pieces that were discarded, and how many of each.
    private(set) var dropped: [AssessorFinding.Dropped: Int] = [:]
    private var hasPlain = false

    /// Whether all words contain hesitations as spoken.
    var isVerbatim: Bool { !words.isEmpty && !hasPlain }

    /// Adds a piece, in order.
    mutating func add(_ reply: PieceReply, of piece: TimeRange, in timeline: SoundTimeline) {
        guard let heard = reply.heard else {
            dropped[.unheard, default: 0] += 1
            return
        }
        let judgement = PieceJudgement(heard, of: piece, in: timeline)
        if let doubt = judgement.doubt { dropped[.init(doubt), default: 0] += 1 }
        let new = reply.timedWords(of: judgement, in: piece, timeline)
        if !new.isEmpty && !judgement.isVerbatim { hasPlain = true }
        words += new
    }
}
