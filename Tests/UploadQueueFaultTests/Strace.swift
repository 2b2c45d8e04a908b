import Foundation
import Glibc
import Testing
import VirtualDevices

/// What is made to kill or to fail: a thread's nth call of a kind.
extension Strace {
    /// Whatever changes something outside of the process. `openat` where it creates.
    static let mutating = [
        "write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "rename", "renameat", "renameat2", "unlink",
        "unlinkat", "openat", "mkdir", "mkdirat", "link", "linkat", "fallocate", "sendto", "sendmsg", "flock",
    ]

    /// The nth time that a thread makes a call; strace counts for each thread and each call.
    struct Point: Hashable, Sendable, CustomStringConvertible {
        var call: String
        var number: Int
        var description: String { "\(call) \(number)" }
    }

    /// What to put before a program's name so that one call does not return. (`--seccomp-bpf` would be faster; strace 6.1 injects no
    /// signal with it.)
    static func kill(at point: Point) -> [String] {
        [
            program!, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(point.call)", "-e",
            "inject=\(point.call):signal=SIGKILL:when=\(point.number)",
        ]
    }

    /// … so that it fails, once or from then on, where it touches one of these paths.
    static func fail(_ point: Point, error: String, persistently: Bool, paths: [String]) -> [String] {
        [program!, "-f", "-qq", "-o", "/dev/null"] + paths.flatMap { ["-P", $0] } + [
            "-e", "trace=\(point.call)", "-e",
            "inject=\(point.call):error=\(error):when=\(point.number)\(persistently ? "+" : "")",
        ]
    }

    /// … so that all of its changing calls are written down.
    static func watch(into log: String, paths: [String] = []) -> [String] {
        [program!, "-f", "-qq", "-o", log] + paths.flatMap { ["-P", $0] }
            + ["-e", "trace=" + mutating.joined(separator: ",")]
    }

    /// The points of a run that was watched, and one more for each call, which no run should come to.
    ///
    /// - Parameter all: those too that only read.
    static func points(in log: String, all: Bool = false) throws -> [Point] {
        var counts: [String: Int] = [:]
        var points: Set<Point> = []
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "(" })
            guard words.count >= 2, mutating.contains(String(words[1])) else { continue }
            let call = String(words[1])
            let number = (counts["\(words[0]) \(call)"] ?? 0) + 1
            counts["\(words[0]) \(call)"] = number
            // To open a file for reading changes nothing.
            if all || call != "openat" || line.contains("O_CREAT") { points.insert(Point(call: call, number: number)) }
        }
        for call in Set(points.map(\.call)) {
            let most = points.filter { $0.call == call }.map(\.number).max()!
            points.insert(Point(call: call, number: most + 1))
        }
        return points.sorted { ($0.call, $0.number) < ($1.call, $1.number) }
    }
}
