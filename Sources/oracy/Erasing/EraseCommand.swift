import ArgumentParser
import Glibc
import SessionFolders
import StudyFolders
import SystemSupport

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase sessions permanently: recordings, log, notes, findings, everything.",
        discussion:
            """
            Lists the erased files with their SHA-256, and what was sent elsewhere. The disk may hold the data \
            until it is overwritten. Backups are not touched.
            """
    )

    @Argument(help: "Sessions: ids, the beginnings of ids, \"last\", or paths.")
    var sessions: [String] = []

    @Flag(help: "All sessions on this machine.")
    var all = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Print what was removed as JSON.")
    var json = false

    func validate() throws {
        if all == !sessions.isEmpty { throw ValidationError("Name the sessions to erase, or use --all.") }
        if !yes && isatty(STDIN_FILENO) == 0 {
            throw ValidationError("Cannot ask for confirmation without a terminal. Add --yes to erase permanently.")
        }
    }

    func run() async throws {
        try await failing {
            let shelf = SessionShelf()
            let chosen = all ? shelf.list() : try named(on: shelf)
            guard yes || chosen.isEmpty || isMeant(chosen) else {
                print("Nothing was erased.")
                return
            }
            let eraser = SessionEraser(shelf: shelf)
            var reports: [DeletionReport] = []
            var problems: [Problem] = []
            for session in chosen {
                do throws(Problem) {
                    let (erasure, report) = try eraser.erase(session.folder)
                    reports.append(report)
                    if !json { print(report.text) }
                    if let foreign = erasure.foreign { complain(foreign) }
                    if let problem = erasure.problem { throw problem }
                } catch {
                    problems.append(error)
                }
            }
            if json { print(JSONText.of(reports), whole: true) }
            if chosen.isEmpty && !json { print("There are no sessions in \(shelf.path).") }
            for problem in problems.dropLast() { complain(problem.sentence) }
            if let last = problems.last { throw last }
        }
    }

    /// Finds all sessions before the first is erased. A session that is named twice counts once.
    private func named(on shelf: SessionShelf) throws(Problem) -> [SessionSummary] {
        var chosen: [SessionSummary] = []
        for name in sessions {
            let folder = try shelf.find(name)
            if !chosen.contains(where: { $0.folder.path == folder.path }) { chosen.append(SessionSummary(folder)) }
        }
        return chosen
    }

    /// Asks on standard error, so that standard output contains only the result.
    private func isMeant(_ chosen: [SessionSummary]) -> Bool {
        let answers = chosen.reduce(0) { $0 + $1.takes.count }.of("answer")
        let bytes = chosen.reduce(0) { $0 + $1.byteCount }.bytes
        let what = chosen.count == 1 ? chosen[0].id : chosen.count.of("session")
        let table = chosen.count > 1 ? SessionsCommand.table(chosen).joined(separator: "\n") + "\n" : ""
        tell("\(table)Permanently erase \(what) with \(answers), \(bytes)? (y/n) ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

extension SessionErasure {
    /// The files that don't belong to the session and keep its folder in place.
    fileprivate var foreign: String? {
        let names = left.filter { $0.reason == .foreign }.map(\.name)
        return names.isEmpty
            ? nil : "\(folder.path): was kept, because it contains other files: \(names.joined(separator: ", "))"
    }

    var problem: Problem? {
        for left in left {
            if case .failed(let words) = left.reason {
                return Problem(.unwritable, "\(folder.path)/\(left.name): was not erased: \(words)")
            }
        }
        return nil
    }
}
