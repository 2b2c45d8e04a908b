import AudioFiles
import Foundation

/// Measures results and the report of an exam, compared with libsndfile only decoding its takes.
enum Results {
    static func measure() throws {
        _ = replay("\(top)/AudioFixtures/scenarios/full-exam")
        let takes = session + "/takes"
        let seconds = try decode(takes)
        let recordings = try files.contentsOfDirectory(atPath: takes).map { "\(takes)/\($0)" }
        let bytes = try recordings.reduce(0) { $0 + (try files.attributesOfItem(atPath: $1)[.size] as? Int ?? 0) }
        var (first, alone, own, again, report): ([Run], [Run], [Run], [Run], [Run]) = ([], [], [], [], [])
        let page = work + "/report.html"
        for _ in 0..<runs {
            try? files.removeItem(atPath: session + "/assessment.json")
            first.append(run([built + "/oracy", "results", session]))
            alone.append(run([built + "/codec-reference", "decode"] + recordings))
            own.append(run([built + "/oracy-bench", "decode", takes]))
            again.append(run([built + "/oracy", "results", session]))
            report.append(run([built + "/oracy", "report", session, "--output", page]))
        }
        let size = Double(try files.attributesOfItem(atPath: page)[.size] as? Int ?? 0)
        section("results of a whole exam: \(decimal(seconds, 0)) s of answers, CPU")
        row(
            "`oracy results`, first time", first.map(\.cpu),
            bar: "5 ms a second of sound: \(decimal(seconds * 5, 0)) ms")
        row("libsndfile decodes the same takes", alone.map(\.cpu))
        ratio("`oracy results` beside it", first, alone)
        row("Oracy decodes them", own.map(\.cpu))
        row("`oracy results` again", again.map(\.cpu))
        row("`oracy report`", report.map(\.cpu), bar: "1000 ms")
        ratio("`oracy report` beside libsndfile", report, alone)
        print("  memory \(Spread(figures: report.map(\.memory)).text("MB", places: 1))")
        let bar = 1.4 * Double(bytes) + 300_000
        print(
            "  the report has \(decimal(size / 1e6, 2)) MB   bar: takes × 1.4 + 300 kB = \(decimal(bar / 1e6, 2)) MB\n")
    }

    private static func ratio(_ name: String, _ ours: [Run], _ others: [Run]) {
        let ratios = zip(ours, others).map { $0.cpu / $1.cpu }
        print("  \(name) \(Spread(figures: ratios).text("×", places: 2))   bar: 1.20 ×")
    }

    /// `oracy-bench decode FOLDER`: reads all recordings of a folder and does nothing with them.
    ///
    /// - Returns: Their length in seconds.
    @discardableResult static func decode(_ folder: String) throws -> Double {
        var seconds = 0.0
        for name in try files.contentsOfDirectory(atPath: folder) {
            let reader = try BlockReader(path: "\(folder)/\(name)")
            while try reader.next() != nil {}
            seconds += Double(reader.sampleCount) / Double(AudioFormat.sampleRate)
        }
        return seconds
    }
}
