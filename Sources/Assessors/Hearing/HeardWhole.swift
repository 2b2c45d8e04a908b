import Assessment
import Hearing

/// The words of an answer, put together from its pieces.
struct HeardWhole {
    private(set) var words: [HeardWord] = []
    /// The kinds of pieces that were discarded, and how many of each.
    private(set) var dropped: [AssessorFinding.Dropped: Int] = [:]
    /// The phones of all pieces that were heard. Nil without a recogniser of phones, or if a piece lacks them.
    var phones: HeardPhones? { lacksPhones ? nil : somePhones }
    private var somePhones: HeardPhones?
    /// The numbers of these phones. Nil if `phones` is nil.
    var phoneNumbers: [Int]? { lacksPhones ? nil : numbers }
    private var numbers: [Int] = []
    private var lacksPhones = false
    private var hasPlain = false

    /// The distance of a piece's words from its phones above which the words are not believed: 55 of 63 such words were
    /// wrong in the sentences of weak speakers, and all in noise (docs/words.md).
    static let mostDistance = 0.8

    /// Whether all words contain hesitations as spoken.
    var isVerbatim: Bool { !words.isEmpty && !hasPlain }

    /// Adds a piece, in order.
    mutating func add(_ reply: PieceReply, of piece: TimeRange, in timeline: SoundTimeline) {
        guard let heard = reply.heard else {
            dropped[.unheard, default: 0] += 1
            lacksPhones = true
            return
        }
        add(reply.phones, from: piece.start)
        numbers += reply.phoneNumbers ?? []
        let judgement = PieceJudgement(heard, of: piece, in: timeline)
        if let doubt = judgement.doubt { dropped[.init(doubt), default: 0] += 1 }
        if !judgement.words.isEmpty, let distance = reply.distance, distance > Self.mostDistance {
            dropped[.phones, default: 0] += 1
            return
        }
        let new = reply.timedWords(of: judgement, in: piece, timeline)
        if !new.isEmpty && !judgement.isVerbatim { hasPlain = true }
        words += new
    }

    /// Adds the phones of a piece that begins at this second.
    private mutating func add(_ phones: HeardPhones?, from start: Double) {
        guard let placed = phones?.moved(by: start) else {
            lacksPhones = true
            return
        }
        somePhones = somePhones?.followed(by: placed) ?? placed
    }
}
