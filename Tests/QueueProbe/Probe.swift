import Foundation
import Glibc
import SystemSupport
import UploadQueue

/// The queue in another process that can be killed at any call: `queue-probe COMMAND HOME …`. It reports to standard
/// output.
@main struct Probe {
    /// The codes of sysexits.h, as in the tool.
    static let badUsage: Int32 = 64
    static let damaged: Int32 = 65
    static let occupied: Int32 = 73
    static let unwritable: Int32 = 74

    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        let options = Set(words.filter { $0.hasPrefix("--") })
        words.removeAll { $0.hasPrefix("--") }
        guard words.count >= 2 else { exit(badUsage) }
        let home = ProbeHome(path: words[1], recordings: words.count > 3 ? words[3] : nil)
        do throws(Problem) {
            switch (words[0], words.count) {
            case ("enqueue", 3...4): try enqueue(home, count: Int(words[2]) ?? 1, goes: options.contains("--goes"))
            case ("drain", 3): try await drain(home, port: UInt16(words[2]) ?? 0, options)
            case ("list", 2): try list(try DeliveryQueue(folder: home.queue))
            case ("recover", 2): try recover(home)
            case ("forget", 3): try forget(home, session: Int(words[2]) ?? 1)
            case ("admit", 2): try DeliveryQueue(folder: home.queue).admitSession()
            default: exit(badUsage)
            }
        } catch {
            say(error.sentence, to: 2)
            exit(code(of: error))
        }
    }

    /// Prints with a single write, so that nothing stays in the memory of a killed process.
    private static func say(_ words: String, to stream: Int32 = 1) {
        let line = words + "\n"
        _ = write(stream, line, line.utf8.count)
    }

    private static func code(of problem: Problem) -> Int32 {
        switch problem.kind {
        case .malformed, .missing, .differs: damaged
        case .occupied, .unavailable, .denied: occupied
        case .unwritable: unwritable
        }
    }

    /// Prints `ACK id path sha256` for each upload that the queue has accepted.
    private static func enqueue(_ home: ProbeHome, count: Int, goes: Bool) throws(Problem) {
        let queue = try DeliveryQueue(folder: home.queue)
        try ProbeSession.enqueue((1...max(count, 1)).map { ProbeSession($0, goes: goes) }, in: home, to: queue) {
            say("ACK \($0.uuidString) \($1?.path ?? "-") \($1?.sha256 ?? "-")")
        }
    }

    /// - Parameter options: `--patient` for the product's delays instead of none; `--tell` to print `DUE id attempts
    ///   ms` after every change.
    private static func drain(_ home: ProbeHome, port: UInt16, _ options: Set<String>) async throws(Problem) {
        let queue = try DeliveryQueue(folder: home.queue)
        let tells = options.contains("--tell")
        let end = try await queue.send(
            through: LedgerUploader(port: port), until: .atRest, deadline: .seconds(120),
            limits: options.contains("--patient") ? DeliveryLimits() : .hasty
        ) { _ in
            guard tells, let entries = try? queue.entries() else { return }
            for entry in entries where entry.state == .waiting {
                if let due = entry.due { say("DUE \(entry.id) \(entry.attempts) \(due / .milliseconds(1))") }
            }
        }
        say("END delivered \(end.delivered) open \(end.open) parked \(end.parked)")
    }

    private static func recover(_ home: ProbeHome) throws(Problem) {
        let queue = try DeliveryQueue(folder: home.queue)
        if let recovery = queue.recovery {
            say("RECOVERED \(recovery.recovered) \(recovery.keptAside)")
        } else {
            say("WHOLE")
        }
        try list(queue)
    }

    private static func list(_ queue: DeliveryQueue) throws(Problem) {
        for entry in try queue.entries() {
            let due = entry.due.map { "\($0.components.seconds)" } ?? "-"
            say("\(entry.id) \(entry.state.rawValue) \(entry.attempts) \(due) \(entry.failure?.kind.rawValue ?? "-")")
        }
    }

    private static func forget(_ home: ProbeHome, session: Int) throws(Problem) {
        let queue = try DeliveryQueue(folder: home.queue)
        say("FORGOTTEN \(try queue.forget(session: ProbeSession(session, goes: false).id))")
    }
}

extension DeliveryLimits {
    /// The limits without delays, which only matter to people.
    static var hasty: DeliveryLimits {
        var limits = DeliveryLimits()
        limits.firstDelays = Array(repeating: .zero, count: limits.firstDelays.count)
        limits.delayBase = .milliseconds(1)
        limits.longestDelay = .milliseconds(10)
        limits.probeBase = .milliseconds(1)
        limits.longestProbe = .milliseconds(10)
        return limits
    }
}
