import HTTPClient
import Hearing
import HearingWorker
import Synchronization

/// A recogniser that replays replies, one for each piece.
final class ReplayedHearing: PieceHearing {
    let version = "replay whisper/1.8.5"
    let hasPhones: Bool
    private let replies: [Result<PieceReply, ServiceFailure>]
    private let asked = Mutex<[PieceToHear]>([])
    /// The words that were chosen for each piece, as numbers of phones.
    private let chosen = Mutex<[[[Int]]?]>([])

    /// - Parameter replies: the last one is repeated.
    init(_ replies: Result<PieceReply, ServiceFailure>..., hasPhones: Bool = false) {
        self.replies = replies
        self.hasPhones = hasPhones
    }

    var pieces: [PieceToHear] { asked.withLock { $0 } }
    var words: [[[Int]]?] { chosen.withLock { $0 } }

    func hear(
        _ piece: PieceToHear, aligning words: @escaping @Sendable (HearingReply.Heard) -> [[Int]]?
    ) async throws(ServiceFailure) -> PieceReply {
        let number = asked.withLock { asked in
            asked.append(piece)
            return asked.count - 1
        }
        let reply = try replies[min(number, replies.count - 1)].get()
        if let heard = reply.heard { chosen.withLock { $0.append(words(heard)) } }
        return reply
    }
}

extension Result where Success == PieceReply, Failure == ServiceFailure {
    /// A reply with these words in both passes.
    static func says(_ plain: String, _ verbatim: String? = nil, noSpeech: Double = 0.01) -> Self {
        let passes = [plain, verbatim ?? plain].map { text in
            HearingReply.Pass(text: text, tokens: 4, logProbability: -0.1, end: .said)
        }
        return .success(
            PieceReply(
                heard: .init(
                    id: 1, noSpeech: noSpeech, passes: passes, processorSeconds: 1.5, residentMegabytes: 150)))
    }
}
