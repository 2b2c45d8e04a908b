import AddOns
import Glibc
import Synchronization

/// The progress of an installation on standard error: a bar on a terminal, otherwise a line for each step.
final class InstallScreen: Sendable {
    private struct State {
        var line = ""
        var file = ""
        var hasBar = false
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// The names of parts for people.
    private static let names = [
        "library": "the recogniser", "model": "the model", "phones": "the phones", "grammar": "the grammar checker",
        "voice": "the voice",
    ]

    func show(_ report: AddOnInstaller.Report) {
        state.withLock { state in
            switch report {
            case .fetching(let file, let received): fetching(file, received, &state)
            case .failed(let sentence): line("oracy: \(sentence)", &state)
            case .making(let part): line("making \(Self.names[part] ?? part)", &state)
            case .attempting: line("trying it", &state)
            }
        }
    }

    /// Ends the line of a bar.
    func end() {
        state.withLock { endBar(&$0) }
    }

    private func fetching(_ file: AddOnFile, _ received: Int, _ state: inout State) {
        let title = "\(file.title), \(file.byteCount.bytes)"
        guard isTerminal else {
            if state.file != file.name { line("fetching \(title)", &state) }
            state.file = file.name
            return
        }
        if state.file != file.name { endBar(&state) }
        state.file = file.name
        let share = min(1, Double(received) / Double(max(1, file.byteCount)))
        let bar = "[\(UploadsFrame.bar(share, width: 20))] \(Int(share * 100)) % \(title)"
        guard bar != state.line else { return }
        state.line = bar
        state.hasBar = true
        writeAll(Array("\r\(bar)".utf8), to: STDERR_FILENO)
    }

    private func line(_ text: String, _ state: inout State) {
        endBar(&state)
        tell(text + "\n")
    }

    private func endBar(_ state: inout State) {
        if state.hasBar { writeAll([10], to: STDERR_FILENO) }
        state.hasBar = false
    }
}
