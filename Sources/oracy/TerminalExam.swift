import ExamCore
import ExamKit
import Glibc
import PulseRoom
import SessionFolders
import Study
import Synchronization
import SystemSupport
import UploadQueue
import VoiceActivity

/// An exam in a terminal, from opening the microphone to the summary. `run` and `resume` share it.
struct TerminalExam {
    var sitting: PreparedExam
    var devices: DeviceArguments
    var screen: ScreenArguments
    /// The session's folder, or the way to make it once the microphone is open.
    var place: Place

    enum Place {
        /// - Parameter make: Makes the folder and writes its `SessionRecord`.
        case new(make: () throws -> SessionFolder)
        case resumed(SessionFolder)
    }

    /// - Parameters:
    ///   - delivery: The delivery of answers during the exam; nil if they stay on this machine.
    ///   - words: Writes answers down during the exam; nil if no recogniser is installed.
    /// - Throws: `Problem`; `ExitCode` 75 if the exam was left before its end. It is saved and can be resumed.
    func hold(_ delivery: LiveDelivery?, _ words: LiveWords?) async throws -> SessionResult {
        let checked = accepted()
        let shown = Shown()
        let room: PulseAudioRoom
        do {
            room = try await PulseAudioRoom(settings(checked, shown))
        } catch let trouble as Exam.Trouble {
            throw trouble.problem
        }
        let controls = room.controls
        let leaving = [SIGTERM, SIGHUP, SIGINT].map { InterruptSource($0) { controls.leave() } }
        defer { for source in leaving { source.cancel() } }
        var detector = VoiceDetector.Settings()
        if let gate = checked?.gateDBFS { detector.setGate(dBFS: gate) }
        let session: Session<PulseAudioRoom>
        let folder: SessionFolder
        let stored: @Sendable (StoredTake) -> Void = { take in
            delivery?.add(take)
            words?.add(take)
        }
        let sent: @Sendable (SendingProgress) -> Void = { progress in
            shown.screen.withLock { $0 }?.show(UploadsShown(progress))
        }
        switch place {
        case .new(let make):
            folder = try make()
            session = try Session(
                sitting, in: room, folder: folder, detector: detector, stored: stored)
            delivery?.begin(folder, isNew: true, sent)
            words?.begin(folder)
        case .resumed(let resumed):
            folder = resumed
            // Begin before the session is made, because a resumed session reports the takes of the first attempt at
            // once.
            delivery?.begin(folder, isNew: false, sent)
            words?.begin(folder)
            session = try Session(
                resuming: sitting, in: room, folder: folder, detector: detector, stored: stored)
        }
        let notes = NotesKeeper(folder)
        let view = open(folder, notes, controls)
        shown.screen.withLock { $0 = view }
        defer {
            view.close()
            notes.finish()
        }
        do {
            return try await session.run()
        } catch var problem as Problem where problem.kind == .unwritable {
            problem.sentence += ". Once it can be written again, continue: oracy resume \(folder.nameOnShelf)"
            throw problem
        }
    }

    /// Returns the last accepted check if its microphone is present. Complains if the microphone is gone, or if there
    /// was no check.
    private func accepted() -> AcceptedMicrophone? {
        let duration = "`oracy check` takes twenty seconds"
        guard let checked = AcceptedMicrophone.read() else {
            if case .new = place { complain("the microphone has not been checked: \(duration)") }
            return nil
        }
        // An unreachable sound server is reported when the room is opened.
        guard devices.microphone == nil, let list = try? AudioDevice.all(),
            list.chosen(.microphone, named: checked.microphone) == nil
        else { return checked }
        if let other = list.chosen(.microphone, named: nil) {
            complain(
                "the checked microphone (\(checked.microphone)) was not found; the exam uses \(other.description). \(duration)"
            )
        }
        return nil
    }

    private func settings(_ checked: AcceptedMicrophone?, _ shown: Shown) -> PulseAudioRoom.Settings {
        var settings = PulseAudioRoom.Settings()
        settings.microphone = devices.microphone
        // The exam can be held with another microphone than the checked one.
        if devices.microphone == nil { settings.preferredMicrophone = checked?.microphone }
        settings.loudspeaker = devices.loudspeaker
        settings.deviceTimeout = .seconds(screen.deviceTimeout)
        settings.echo = checked?.echo ?? .zero
        settings.hearsExaminer = checked.map { $0.echo > .zero || devices.microphone != nil } ?? true
        settings.spokenAlong = SpokenDrill(paper: sitting.paper.id)?.spokenAlong(in: sitting.script) ?? []
        settings.shown = { view in shown.screen.withLock { $0 }?.show(view) }
        settings.heard = { reading, now in
            shown.screen.withLock { $0 }?.heard(level: Float(reading.rmsDBFS), at: now)
        }
        return settings
    }

    private func open(
        _ folder: SessionFolder, _ notes: NotesKeeper, _ controls: PulseAudioRoom.Controls
    ) -> any ExamScreen {
        openScreen(
            script: sitting.script,
            title: sitting.format.title,
            paperTitle: sitting.paper.title,
            options: ScreenOptions(
                showsText: screen.text, timeShown: screen.time, mode: sitting.script.options.mode),
            plain: screen.plain,
            notes: folder.readNotes(),
            act: { action in
                switch action {
                case .wish(let wish): controls.ask(.asked(wish))
                case .leave: controls.leave()
                }
            },
            keepNotes: { notes.keep($0) }
        )
    }

    /// Holds the screen once it is open, since the room is opened before it.
    private final class Shown: Sendable {
        let screen = Mutex<(any ExamScreen)?>(nil)
    }
}
