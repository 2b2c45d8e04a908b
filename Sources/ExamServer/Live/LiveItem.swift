import ExamCore
import ExamKit
import UploadQueue

/// What happens to a live exam from outside, in the order in which it happens: all that its task looks at.
enum LiveItem: Sendable {
    /// A client is here, with its first words.
    case joined(LiveConnection, ClientMessage.Hello)
    /// A client's connection ended.
    case left(LiveConnection)
    /// - Parameter at: when it came, by the steady clock.
    case sound(SoundMessage, by: LiveConnection, at: Duration)
    case said(ClientMessage, by: LiveConnection)
    /// No sound came for too long.
    case stalled
    /// An answer is where nothing can lose it.
    case stored(AnswerRecord)
    /// All answers are on disk, as they will stay; nil: they could not all be read or written.
    case concluded(SessionView?)
    /// That the exam is over is known where its answers are.
    case completed
    /// Time has passed: for who waits for nothing else.
    case tick
    /// The room is to be closed.
    case closing
}
