package import Assessment
package import HTTPClient
package import HearingWorker

/// A recogniser that hears one piece of a recording at a time.
package protocol PieceHearing: Sendable {
    /// The name of the model and the versions of the libraries: `base-q8_0 whisper/1.8.5`. With another version,
    /// answers are heard again.
    var version: String { get }
    /// Whether words get times by phones.
    var hasPhones: Bool { get }

    /// Hears a piece when it is the party's turn.
    ///
    /// - Parameters:
    ///   - words: chooses the words to align among those that were heard, as numbers of phones. Nil if none are to be
    ///     aligned.
    /// - Throws: `ServiceFailure`: `later` if the recogniser cannot be used now, `setUp` if it cannot be used on this
    ///   machine, `cancelled`.
    func hear(
        _ piece: PieceToHear, aligning words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws(ServiceFailure) -> PieceReply
}

/// A piece of a recording for a recogniser.
package struct PieceToHear: Sendable {
    /// 16 kHz, mono, 0.1 to 30 s.
    package var samples: [Int16]
    /// The language as Whisper names it: `en`.
    package var language: String
    /// The party whose turn it uses: a learner on a server, a session elsewhere.
    package var party: String
    /// The share of turns: 4 if a person waits for this answer, otherwise 1.
    package var weight: Double

    package init(samples: [Int16], language: String, party: String, weight: Double = 1) {
        self.samples = samples
        self.language = language
        self.party = party
        self.weight = weight
    }

    /// Whisper writes about three tokens a second. More tokens than this are a sign that it repeats itself.
    package var mostTokens: Int { min(120, 12 + 8 * samples.count / 16_000) }
}

/// A recogniser's reply about a piece, as it is stored before it is judged.
package struct PieceReply: Codable, Equatable, Sendable {
    /// Nil if the recogniser failed on this piece.
    package var heard: HearingReply.Heard?
    /// Nil if words were not aligned.
    package var aligned: HearingReply.Aligned?
    /// The reason why the piece was not heard, without a full stop.
    package var failure: String?

    /// The phones of the piece. Nil without a recogniser of phones.
    package var phones: HeardPhones? { aligned?.phones }

    /// The numbers of these phones, in order. Nil without a recogniser of phones.
    package var phoneNumbers: [Int]? { aligned?.heard }

    /// The distance of the words from the phones: 0 if all phones of the words were heard, more if others were. Nil without
    /// a recogniser of phones.
    package var distance: Double? { aligned?.distance }

    package init(heard: HearingReply.Heard? = nil, aligned: HearingReply.Aligned? = nil, failure: String? = nil) {
        self.heard = heard
        self.aligned = aligned
        self.failure = failure
    }
}
