import ArgumentParser
import ExamCore
import ExamKit
import Glibc

/// The candidate's view of an exam.
///
/// The session's task calls `show` and `heard`, one at a time. Both return at once: drawing happens elsewhere, so that
/// a terminal that doesn't accept its text can't hold up the exam.
protocol ExamScreen: AnyObject, Sendable {
    /// Shows the state after each change.
    func show(_ view: SessionView)
    /// Shows the level, ten times a second while the microphone delivers.
    ///
    /// - Parameters:
    ///   - level: The RMS of the last 100 ms in dB of full scale; -100 for silence.
    ///   - now: The time on the same clock as `SessionView.at`.
    func heard(level: Float, at now: ExamTime)
    /// Shows how the uploads stand. Called on any thread, a few times a second while there is something to send.
    func show(_ uploads: UploadsShown)
    /// Shows the final state, because the exam is over or was left before its end, and restores the terminal as it was
    /// found. May be called twice, from any thread except the one that calls `act`.
    func close()
}

struct ScreenOptions: Equatable, Sendable {
    /// Whether the examiner's words are shown. A card always is.
    var showsText: Bool
    var timeShown: TimeShown
    var mode: ExamOptions.Mode
}

/// The ways to show the time left.
enum TimeShown: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A countdown for preparation and for answers with a maximum. Other answers count down from the format's first
    /// warning.
    case bar
    /// Only the format's warnings, such as "last 30 seconds", then 10 and 5.
    case warnings
    case off
}

/// Opens the screen that suits the terminal: full screen if the terminal has at least 60 × 16 characters, otherwise
/// lines.
///
/// - Parameters:
///   - plain: Whether to use lines in any case, for a screen reader.
///   - notes: The notes of a resumed exam; otherwise empty.
///   - act: Called on a thread of the screen for every request of the candidate.
///   - keepNotes: Called on the same thread with all notes after each change.
func openScreen(
    script: ExamScript,
    title: String,
    paperTitle: String,
    options: ScreenOptions,
    plain: Bool = false,
    notes: String,
    act: @escaping @Sendable (CandidateAction) -> Void,
    keepNotes: @escaping @Sendable (String) -> Void
) -> any ExamScreen {
    if !plain, Terminal.isRoomy {
        return TerminalScreen(
            script: script, title: title, paperTitle: paperTitle, options: options, notes: notes, act: act,
            keepNotes: keepNotes)
    }
    return PlainScreen(
        script: script, title: title, paperTitle: paperTitle, options: options, notes: notes, act: act,
        keepNotes: keepNotes)
}
