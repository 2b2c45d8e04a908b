import ArgumentParser
import ExamCore
import ExamKit
import Glibc

/// What a candidate sees of an exam.
///
/// `show` and `heard` come from the session's task, one at a time, and return at once: drawing is done elsewhere, so that a
/// terminal that does not take its text holds no exam up.
protocol ExamScreen: AnyObject, Sendable {
    /// After each change.
    func show(_ view: SessionView)
    /// Ten times a second while the microphone delivers.
    ///
    /// - Parameters:
    ///   - level: RMS of the last 100 ms in dB of full scale; -100 for silence.
    ///   - now: on the same clock as `SessionView.at`.
    func heard(level: Float, at now: ExamTime)
    /// The exam is over or left: what was to be shown is shown, and the terminal is given back as it was found. May be
    /// called twice, from any thread but the one that a wish came on.
    func close()
}

struct ScreenOptions: Equatable, Sendable {
    /// Whether the examiner's words are shown; a card always is.
    var showsText: Bool
    var timeShown: TimeShown
    var mode: ExamOptions.Mode
}

/// How much of the time left is shown.
enum TimeShown: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Preparation and answers with a maximum count down; other answers from the format's first warning on.
    case bar
    /// The format's warnings only: the last 30, 10, 5 seconds.
    case warnings
    case off
}

/// The screen that suits where the candidate sits: the whole terminal where there is one of at least 60 × 16, else lines.
///
/// - Parameters:
///   - plain: lines in any case, as a screen reader wants them.
///   - notes: those of the preparation that a resumed exam goes on with or has had; else empty.
///   - act: called on a thread of the screen's own, for everything the candidate asks for.
///   - keepNotes: called on the same thread with all notes after each change.
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
