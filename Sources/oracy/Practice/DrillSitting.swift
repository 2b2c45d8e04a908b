import ArgumentParser
import ExamCore
import ExamKit
import SessionFolders
import Study
import SystemSupport

/// A spoken drill that is held in the terminal and recorded as a session of its own.
struct DrillSitting {
    var kind: SpokenDrill
    /// See `SpokenDrill.format(target:)`.
    var target: Double
    var questions: [Paper.Question]
    var devices: DeviceArguments
    var screen: ScreenArguments
    /// Whether the answers are written down, if the recogniser is installed.
    var hears = false

    /// Prepares the drill, asks for consent to record, and holds it.
    ///
    /// - Parameters:
    ///   - consent: Whether the learner has agreed already.
    ///   - what: The word for the drill in the message about an unfinished one: "drill".
    /// - Returns: The session's folder.
    /// - Throws: `Problem`; exit code 75 if the drill was left before its end.
    func hold(consent: Bool, on shelf: SessionShelf, what: String) async throws -> SessionFolder {
        let voices = try VoiceSetting.voices(nil)
        let exam = try DrillExam(kind, questions, target: target)
        let sitting = try await PreparedExam(
            exam.format, exam.paper, options: exam.options, voice: voices[0], instead: Array(voices.dropFirst()))
        if kind.isSpokenAlong { complain("note: use headphones, or the recording will contain the voice") }
        let agreed = try Consent.obtain(given: consent, again: false, for: shelf.path)
        let held = TerminalExam(
            sitting: sitting, devices: devices, screen: screen,
            place: .new {
                let folder = try shelf.newFolder(format: sitting.format.id)
                try folder.write(
                    SessionRecord(startedAt: WallTime.now.utc, consent: agreed, folders: [], voice: sitting.voice))
                return folder
            })
        let words = hears ? LiveWords.prepare() : nil
        let result = try await held.hold(nil, words)
        if let line = await words?.finish({ print($0) }) { print(line) }
        if let problem = result.problem { throw problem }
        guard result.outcome != nil else {
            complain("the \(what) was left; continue: oracy resume \(result.folder.nameOnShelf)")
            throw ExitCode(75)
        }
        return result.folder
    }
}
