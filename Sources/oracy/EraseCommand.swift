import ArgumentParser
import Backends
import ExamKit
import FoundationEssentials
import Glibc
import SessionUploads
import UploadQueue

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase sessions for good: recordings, log, notes, everything.",
        discussion: "A disk may keep the data until it is overwritten, and backups keep what they have."
    )

    @Argument(help: "The sessions: ids, their beginnings, \"last\", or paths.")
    var sessions: [String] = []

    @Flag(help: "All sessions on this machine.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print what was removed as JSON.")
    var json = false

    func validate() throws {
        if all == !sessions.isEmpty { throw ValidationError("Name the sessions to erase, or use --all.") }
        if !yes && isatty(STDIN_FILENO) == 0 {
            throw ValidationError("There is no terminal to ask at: add --yes to erase for good.")
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
            var erasures: [SessionErasure] = []
            var problems: [Problem] = []
            for session in chosen {
                do throws(Problem) {
                    let erasure = try erase(session.folder, on: shelf)
                    erasures.append(erasure)
                    if !json { print(erasure.text) }
                    if let foreign = erasure.foreign { complain(foreign) }
                    if let problem = erasure.problem { throw problem }
                } catch {
                    problems.append(error)
                }
            }
            if json { print(JSONText.of(erasures.map(Report.init))) }
            if chosen.isEmpty && !json { print("There are no sessions in \(shelf.path).") }
            for problem in problems.dropLast() { complain(problem.sentence) }
            if let last = problems.last { throw last }
        }
    }

    /// The queue forgets it first: what it does not know it cannot send. What has arrived somewhere stays there, and that is said.
    private func erase(_ folder: SessionFolder, on shelf: SessionShelf) throws(Problem) -> SessionErasure {
        let home = UploadsHome()
        for destination in home.destinations() where !SessionSummary(folder).isInUse {
            do throws(Problem) {
                try forget(folder, at: destination, of: home)
            } catch {
                // No reason to keep the recordings.
                complain("\(error.sentence); the upload queue still lists \(folder.name)")
            }
        }
        return try shelf.erase(folder)
    }

    private func forget(_ folder: SessionFolder, at destination: Destination, of home: UploadsHome) throws(Problem) {
        guard let id = try SessionDelivery.id(of: folder, at: destination.name) else { return }
        let queue = try home.queue(to: destination)
        let arrived = try queue.entries().count { $0.upload?.session.id == id && $0.state == .delivered }
        try queue.forget(session: id)
        guard arrived > 0 else { return }
        complain("\(folder.name): what was sent to \(destination.place) is not erased there")
    }

    /// All are found before the first is erased; one that was named twice is one.
    private func named(on shelf: SessionShelf) throws(Problem) -> [SessionSummary] {
        var chosen: [SessionSummary] = []
        for name in sessions {
            let folder = try shelf.find(name)
            if !chosen.contains(where: { $0.folder.path == folder.path }) { chosen.append(SessionSummary(folder)) }
        }
        return chosen
    }

    /// Asks on standard error, so that what is printed stays the result alone.
    private func isMeant(_ chosen: [SessionSummary]) -> Bool {
        let answers = chosen.reduce(0) { $0 + $1.takes.count }.of("answer")
        let bytes = chosen.reduce(0) { $0 + $1.byteCount }.bytes
        let what = chosen.count == 1 ? chosen[0].id : chosen.count.of("session")
        let table = chosen.count > 1 ? SessionsCommand.table(chosen).joined(separator: "\n") + "\n" : ""
        let question = Array("\(table)Erase \(what) with \(answers), \(bytes), for good? (y/n) ".utf8)
        _ = write(STDERR_FILENO, question, question.count)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private struct Report: Encodable {
        var id: String
        var folder: String
        var removed: [SessionErasure.Removed]
        var left: [Left]

        struct Left: Encodable {
            var name: String
            var reason: String
        }

        init(_ erasure: SessionErasure) {
            id = erasure.folder.name
            folder = erasure.folder.path
            removed = erasure.removed
            left = erasure.left.map { left in
                switch left.reason {
                case .foreign: Left(name: left.name, reason: "not the session's own")
                case .failed(let words): Left(name: left.name, reason: words)
                }
            }
        }
    }
}

extension SessionSummary {
    fileprivate var isInUse: Bool { if case .inUse = state { true } else { false } }
}

extension SessionErasure {
    /// What was removed, line by line.
    fileprivate var text: String {
        var rows = [[folder.name, ""]]
        for thing in removed where thing.name != "." {
            rows.append(["  " + thing.name, thing.kind == .file ? thing.byteCount.bytes : thing.kind.rawValue])
        }
        let files = removed.filter { $0.kind == .file }
        let bytes = files.reduce(0) { $0 + $1.byteCount }.bytes
        return rows.columns(right: 1...1).joined(separator: "\n") + "\nerased: \(files.count.of("file")), \(bytes)"
    }

    /// Files that are not the session's, and keep its folder.
    fileprivate var foreign: String? {
        let names = left.filter { $0.reason == .foreign }.map(\.name)
        return names.isEmpty
            ? nil : "\(folder.path): kept, for the files that are not the session's: \(names.joined(separator: ", "))"
    }

    fileprivate var problem: Problem? {
        for left in left {
            if case .failed(let words) = left.reason {
                return Problem(.unwritable, "\(folder.path)/\(left.name): was not erased: \(words)")
            }
        }
        return nil
    }
}
