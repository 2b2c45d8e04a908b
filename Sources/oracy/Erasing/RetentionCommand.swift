import ArgumentParser
import SessionFolders
import SystemSupport

struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Set for how many days sessions are kept, or erase older ones.",
        discussion: """
            Without a number, shows the setting. Once it is set, older sessions are erased at the end of each exam, \
            and by --apply. Sessions that are in use or still being sent are kept and listed.
            """
    )

    @Argument(help: "1 to 36500 days, or \"off\" to keep sessions until you erase them.")
    var days: String?

    @Flag(help: "Erase older sessions now.")
    var apply = false

    @Flag(help: "Show what would be erased, and change nothing.")
    var dryRun = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws { _ = try chosen() }

    /// The chosen retention; nil for off.
    private func chosen() throws -> SessionRetention? {
        guard let days, days != "off" else { return nil }
        guard let number = Int(days), SessionRetention.allowedDays.contains(number) else {
            throw ValidationError("\"\(days)\" is not a number of days. Use 1 to 36500, or \"off\".")
        }
        return SessionRetention(days: number)
    }

    func run() async throws {
        let chosen = try chosen()
        try await failing {
            let retention = days == nil ? try RetentionSetting.read() : chosen
            if days != nil, !dryRun { try RetentionSetting.set(retention) }
            let sweep = try RetentionSweep(retention, on: SessionShelf(), erasing: apply && !dryRun)
            print(json ? JSONText.of(sweep.report) : sweep.text.joined(separator: "\n"), whole: json)
            for problem in sweep.problems.dropLast() { complain(problem.sentence) }
            if let last = sweep.problems.last { throw last }
        }
    }
}

/// One pass over the shelf for sessions that are too old.
struct RetentionSweep {
    struct Report: Encodable {
        /// Nil if sessions are kept until the user erases them.
        var days: Int?
        /// Whether sessions were erased; false for a preview.
        var erased: Bool
        var sessions: [RetentionSetting.Verdict]
        var reports: [DeletionReport]
    }

    private(set) var report: Report
    private(set) var problems: [Problem] = []

    /// - Parameter isErasing: Whether to erase; false for a preview.
    init(_ retention: SessionRetention?, on shelf: SessionShelf, erasing isErasing: Bool) throws(Problem) {
        report = Report(days: retention?.days, erased: isErasing, sessions: [], reports: [])
        guard let retention else { return }
        let eraser = SessionEraser(shelf: shelf)
        for (session, verdict) in RetentionSetting(shelf: shelf).verdicts(retention) {
            report.sessions.append(verdict)
            guard isErasing, verdict.keptBecause == nil else { continue }
            do throws(Problem) {
                let (erasure, deletion) = try eraser.erase(session.folder)
                report.reports.append(deletion)
                if let problem = erasure.problem { throw problem }
            } catch {
                problems.append(error)
            }
        }
    }

    var text: [String] {
        guard let days = report.days else { return ["Sessions are kept until you erase them."] }
        let going = report.sessions.filter { $0.keptBecause == nil }
        var lines = ["Sessions are kept for \(days.of("day"))."]
        if report.erased {
            lines += report.reports.map(\.text)
            if going.isEmpty { lines.append("No session is old enough to be erased.") }
        } else {
            lines += going.map { "to be erased: \($0.session)" }
            lines.append(
                going.isEmpty
                    ? "No session is old enough to be erased."
                    : "They are erased after the next exam. To erase now: oracy sessions retention --apply")
        }
        return lines + kept
    }

    /// The sessions that are too old but stay, each with the reason.
    var kept: [String] {
        report.sessions.compactMap { verdict in verdict.keptBecause.map { "kept: \(verdict.session): \($0)" } }
    }

    /// Erases old sessions at the end of an exam, and prints which were erased and which stay.
    static func atEndOfExam() throws(Problem) {
        guard let retention = try RetentionSetting.read() else { return }
        let sweep = try RetentionSweep(retention, on: SessionShelf(), erasing: true)
        let names = sweep.report.reports.map(\.id)
        if !names.isEmpty {
            print("erased   older than \(retention.days.of("day")): \(names.joined(separator: ", "))")
        }
        for line in sweep.kept { complain(line) }
        for problem in sweep.problems { complain(problem.sentence) }
    }
}
