import Foundation
import Glibc
import Testing
import VirtualDevices

/// The calls to kill or to fail: a thread's nth call of a kind.
extension Strace {
    /// The calls that change something outside of the process. `openat` only if it creates a file.
    static let mutating = [
        "write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "rename", "renameat", "renameat2", "unlink",
        "unlinkat", "openat", "mkdir", "mkdirat", "link", "linkat", "fallocate", "sendto", "sendmsg", "flock",
    ]

    /// A thread's nth call of a kind. strace counts for each thread and each call.
    struct Point: Hashable, Sendable, CustomStringConvertible {
        var call: String
        var number: Int
        var description: String { "\(call) \(number)" }
    }

    /// Returns the words before a program's name that kill it in a call. (`--seccomp-bpf` would be faster, but strace
    /// 6.1 can't inject a signal with it.)
    static func kill(at point: Point) -> [String] {
        [
            program!, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(point.call)", "-e",
            "inject=\(point.call):signal=SIGKILL:when=\(point.number)",
        ]
    }

    /// Returns the words that make a call fail, once or from then on, if it touches one of these paths.
    static func fail(_ point: Point, error: String, persistently: Bool, paths: [String]) -> [String] {
        [program!, "-f", "-qq", "-o", "/dev/null"] + paths.flatMap { ["-P", $0] } + [
            "-e", "trace=\(point.call)", "-e",
            "inject=\(point.call):error=\(error):when=\(point.number)\(persistently ? "+" : "")",
        ]
    }

    /// Returns the words that record all changing calls.
    static func watch(into log: String, paths: [String] = []) -> [String] {
        [program!, "-f", "-qq", "-o", log] + paths.flatMap { ["-P", $0] }
            + ["-e", "trace=" + mutating.joined(separator: ",")]
    }

    /// Returns the points of a recorded run, and one more for each call, which no run should reach.
    ///
    /// - Parameter all: Whether to include calls that only read.
    static func points(in log: String, all: Bool = false) throws -> [Point] {
        var counts: [String: Int] = [:]
        var points: Set<Point> = []
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "(" })
            guard words.count >= 2, mutating.contains(String(words[1])) else { continue }
            let call = String(words[1])
            let number = (counts["\(words[0]) \(call)"] ?? 0) + 1
            counts["\(words[0]) \(call)"] = number
            // Opening a file for reading changes nothing.
            if all || call != "openat" || line.contains("O_CREAT") { points.insert(Point(call: call, number: number)) }
        }
        for call in Set(points.map(\.call)) {
            let most = points.filter { $0.call == call }.map(\.number).max()!
            points.insert(Point(call: call, number: most + 1))
        }
        return points.sorted { ($0.call, $0.number) < ($1.call, $1.number) }
    }
}
