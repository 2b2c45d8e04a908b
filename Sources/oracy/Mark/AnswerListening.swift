import ExamCore
import ExamKit
import PulseRoom

/// Plays a session's answers as a marker asks for them; the loudspeaker is opened when the first is.
final class AnswerListening {
    private let folder: SessionFolder
    private var player: AnswerPlayer?

    init(_ folder: SessionFolder) {
        self.folder = folder
    }

    /// Where in the answer that plays the listener is; nil where none plays.
    var place: Duration? { player?.position }

    /// - Returns: what went wrong, in one sentence; nil where nothing did.
    func obey(_ wish: MarkDesk.Playing) -> String? {
        switch wish {
        case .stop:
            player?.stop()
            return nil
        case .play(let index, let start):
            guard let takes = try? folder.answersToMark(), takes.indices.contains(index) else {
                return "The answers of this session are gone."
            }
            let path = "\(folder.path)/\(takes[index].file)"
            do throws(Exam.Trouble) {
                if player == nil { player = try AnswerPlayer() }
            } catch {
                return "No sound server is there to play it with; the recording is \(path)"
            }
            let isPlaying =
                player?.play(path, from: start) { well in
                    if !well { complain("\(path): was not played to its end") }
                } ?? false
            return isPlaying ? nil : "\(path): cannot be read"
        }
    }

    func close() { player?.close() }
}
