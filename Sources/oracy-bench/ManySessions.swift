import FoundationEssentials
import Glibc

/// Measures `oracy sessions` for a user with 500 exams: copies of one with 30 answers.
enum ManySessions {
    private static let count = 500

    static func measure() throws {
        _ = replay("\(top)/AudioFixtures/scenarios/full-exam")
        let data = work + "/data"
        let shelf = data + "/oracy/sessions"
        try files.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        for number in 1...count {
            try files.copyItem(atPath: session, toPath: "\(shelf)/2026-11-21-\(1_000 + number)-ielts-style")
        }
        setenv("XDG_DATA_HOME", data, 1)
        defer { unsetenv("XDG_DATA_HOME") }
        var (table, json): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            for (arguments, isTable) in [(["sessions"], true), (["sessions", "--json"], false)] {
                let began = clockNow()
                _ = run([built + "/oracy"] + arguments)
                let took = clockNow() - began
                if isTable { table.append(took) } else { json.append(took) }
            }
        }
        section("`oracy sessions`, \(count) exams of 30 answers")
        row("table", table, bar: "300 ms")
        row("--json", json)
    }
}
