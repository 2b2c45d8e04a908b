import AudioFiles
import ExamCore
import Glibc
import PulseRoom
import SessionFolders

/// Plays a session's answers on request of a marker or transcriber. The loudspeaker is opened for the first.
final class AnswerListening {
    /// The slow speed: four seconds for three. Speech stays clear at this speed.
    static let slow = 0.75

    /// 1, or `slow`. A change applies to the next request.
    var speed = 1.0

    private let folder: SessionFolder
    private var player: AnswerPlayer?
    /// The speed of the answer that is playing.
    private var playing = 1.0
    /// The slowed sound, in an unlinked temporary file.
    private var slowed: Int32?

    init(_ folder: SessionFolder) {
        self.folder = folder
    }

    /// The listener's position in the answer that is playing; nil if no answer is playing.
    var place: Duration? { player?.position.map { $0 * playing } }

    /// - Returns: An error in one sentence; nil on success.
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
                return "No sound server is running to play it with. The recording is \(path)"
            }
            player?.stop()
            playing = speed
            guard let heard = speed < 1 ? slowedFile(of: path) : path else { return "\(path): cannot be slowed down" }
            let isPlaying =
                player?.play(heard, from: start / speed) { well in
                    if !well { complain("\(path): could not be played to the end") }
                } ?? false
            return isPlaying ? nil : "\(path): cannot be read"
        }
    }

    func close() {
        player?.close()
        if let slowed { Glibc.close(slowed) }
    }

    /// - Returns: A path to the temporary file, valid until the next one is made; nil if it could not be made.
    private func slowedFile(of path: String) -> String? {
        if let slowed { Glibc.close(slowed) }
        slowed = try? SlowedSound.file(of: path, speed: speed)
        return slowed.map { "/proc/self/fd/\($0)" }
    }
}
