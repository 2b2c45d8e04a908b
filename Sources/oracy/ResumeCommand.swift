import ArgumentParser
import ExamKit
import SessionFolders
import StudyFolders
import SystemSupport

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Continue an interrupted exam from its last answer. The clocks continue too."
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path. Default: the newest that can be resumed.")
    var session: String?

    @OptionGroup var devices: DeviceArguments
    @OptionGroup var screen: ScreenArguments

    func run() async throws {
        try await failing {
            let summary = try summary()
            let folder = summary.folder
            switch summary.state {
            case .resumable: break
            case .inUse:
                throw Problem(.occupied, "\(folder.path): another program is using this session; end it and try again")
            case .over: throw Problem(.missing, "session \"\(folder.name)\": is over, so there is nothing to resume")
            case .broken(let sentence): throw Problem(.malformed, sentence)
            }
            let sitting = try await PreparedExam(resuming: folder)
            let exam = TerminalExam(sitting: sitting, devices: devices, screen: screen, place: .resumed(folder))
            try await exam.holdAndTell()
        }
    }

    private func summary() throws(Problem) -> SessionSummary {
        let shelf = SessionShelf()
        if let session { return SessionSummary(try shelf.find(session)) }
        let resumable = shelf.list().first { if case .resumable = $0.state { true } else { false } }
        guard let resumable else {
            throw Problem(.missing, "there is no session to resume in \(shelf.path)")
        }
        return resumable
    }
}
