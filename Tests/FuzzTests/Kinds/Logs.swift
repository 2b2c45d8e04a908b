import ExamCore
import Foundation
import SystemSupport

@testable import ExamKit
@testable import SessionFolders

/// Logs of sessions to resume, from a disk or from the store.
struct Logs: FuzzKind {
    static let name = "logs"
    static let share = 10_000

    private let script: ExamScript
    private let lines: [String]
    private let folder = FuzzPlan.folder + "/logs"

    init() throws {
        guard let script = try ExamScript.assemble(.builtIn("ielts-style"), .builtIn("bridges")).script else {
            throw Wrong("the built-in exam cannot be assembled")
        }
        self.script = script
        let golden = URL(filePath: #filePath).appending(
            path: "../../../../AudioFixtures/scenarios/full-exam/expected.log")
        lines = try String(contentsOf: golden.standardizedFileURL, encoding: .utf8).split(separator: "\n").map(
            String.init)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func attempt(_ chance: inout Chance) async throws {
        var lines = Array(lines.prefix(1 + chance.below(lines.count)))
        for _ in 0...chance.below(3) {
            let place = chance.below(lines.count)
            switch chance.below(5) {
            case 0: lines.insert(chance.one(of: lines), at: place)
            case 1: lines[place] = lines[place].spoiled(&chance)
            case 2: lines.remove(at: place)
            case 3: lines[place] = Self.event(&chance)
            default: lines[place] = (try? JSON(reading: Array(lines[place].utf8)))?.changed(&chance).written ?? ""
            }
            if lines.isEmpty { lines = self.lines }
        }
        let path = "\(folder)/\(chance.next()).log"
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do { _ = try LoggedSession(path, script: script).takesIfLeftNow } catch {
            try demand(error.kind == .malformed, "refused as \(error.kind)")
        }
        _ = SessionClock.read(path)
    }

    private static func event(_ chance: inout Chance) -> String {
        let time = chance.one(of: ["0", "1e6", "-1", "86400", "86400.0005", "9999999", "1e300", "NaN", "83.540"])
        let words = [
            "voiceBegan \(time)", "voiceEnded \(time) distant", "soundLost \(time)", "timePassedUnsure \(time)",
            "promptEnded x", "deviceLost microphoneGone",
        ]
        return "{\"at\":\(time),\"event\":\"\(chance.one(of: words))\",\"phase\":\"waiting\",\"do\":[]}"
    }
}
