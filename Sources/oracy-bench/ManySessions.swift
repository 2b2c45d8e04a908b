import FoundationEssentials
import Glibc

/// Measures the start of the tool, and its lists for a user with many exams: copies of one with 30 answers.
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
                let cpu = run([built + "/oracy"] + arguments).cpu
                if isTable { table.append(cpu) } else { json.append(cpu) }
            }
        }
        section("`oracy sessions`, \(count) exams of 30 answers, CPU")
        row("table", table, bar: "300 ms")
        row("--json", json, bar: "300 ms")
    }

    /// Measures help, and the home screen of a user with a hundred measured exams, a day apart.
    static func measureStart() throws {
        _ = replay("\(top)/AudioFixtures/scenarios/full-exam")
        _ = run([built + "/oracy", "results", session])
        let data = work + "/home-data"
        let shelf = data + "/oracy/sessions"
        try files.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        for number in 0..<100 {
            let day = "2026-0\(1 + number / 28)-\(10 + number % 28 / 2)"
            let began = "\(day)T\(10 + number % 2):00:00Z"
            let folder = "\(shelf)/\(day)-\(10 + number % 2)00-ielts-style"
            try files.copyItem(atPath: session, toPath: folder)
            let record = """
                {"version": 1, "startedAt": "\(began)", "consent": {"words": "yes", "givenAt": "\(began)"}, "folders": [],
                 "voice": []}
                """
            try record.write(toFile: folder + "/session.json", atomically: true, encoding: .utf8)
        }
        setenv("XDG_DATA_HOME", data, 1)
        defer { unsetenv("XDG_DATA_HOME") }
        let first = run([built + "/oracy"])
        var (help, home): ([Run], [Run]) = ([], [])
        for _ in 0..<runs {
            help.append(run([built + "/oracy", "--help"]))
            home.append(run([built + "/oracy"]))
        }
        section("start of the tool, CPU")
        row("`oracy --help`", help.map(\.cpu), bar: "25 ms")
        print("  memory \(Spread(figures: help.map(\.memory)).text("MB", places: 1))   bar: 20 MB")
        row("`oracy` with a hundred exams", home.map(\.cpu), bar: "100 ms")
        print("  memory \(Spread(figures: home.map(\.memory)).text("MB", places: 1))")
        // Its figures of the exams are made once, and again by each new version.
        row("  the first time after an update", [first.cpu])
    }
}
