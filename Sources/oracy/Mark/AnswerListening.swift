import AudioFiles
import ExamCore
import ExamKit
import Glibc
import PulseRoom

/// Plays a session's answers as a marker or transcriber asks for them; the loudspeaker is opened when the first is.
final class AnswerListening {
    /// As slow as speech can be heard well: four seconds for three.
    static let slow = 0.75

    /// 1, or `slow`; it holds from the next wish on.
    var speed = 1.0

    private let folder: SessionFolder
    private var player: AnswerPlayer?
    /// Of what plays.
    private var playing = 1.0
    /// The slowed sound, in a file without a name.
    private var slowed: Int32?

    init(_ folder: SessionFolder) {
        self.folder = folder
    }

    /// Where in the answer that plays the listener is; nil where none plays.
    var place: Duration? { player?.position.map { $0 * playing } }

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
            player?.stop()
            playing = speed
            guard let heard = speed < 1 ? slowedFile(of: path) : path else { return "\(path): cannot be slowed down" }
            let isPlaying =
                player?.play(heard, from: start / speed) { well in
                    if !well { complain("\(path): was not played to its end") }
                } ?? false
            return isPlaying ? nil : "\(path): cannot be read"
        }
    }

    func close() {
        player?.close()
        if let slowed { Glibc.close(slowed) }
    }

    /// - Returns: how the file without a name is found, as long as the next one is not made; nil where there is none.
    private func slowedFile(of path: String) -> String? {
        if let slowed { Glibc.close(slowed) }
        slowed = try? SlowedSound.file(of: path, speed: speed)
        return slowed.map { "/proc/self/fd/\($0)" }
    }
}
