import AudioFiles
import Foundation

/// Measures results: measuring an exam's takes compared with only decoding them, and making its report.
enum Results {
    static func measure() throws {
        _ = replay("\(top)/AudioFixtures/scenarios/full-exam")
        let takes = session + "/takes"
        let seconds = try decode(takes)
        let bytes = try files.contentsOfDirectory(atPath: takes).reduce(0) { sum, name in
            sum + (try files.attributesOfItem(atPath: "\(takes)/\(name)")[.size] as? Int ?? 0)
        }
        var (first, alone, again, report): ([Run], [Run], [Run], [Run]) = ([], [], [], [])
        let page = work + "/report.html"
        for _ in 0..<runs {
            try? files.removeItem(atPath: session + "/assessment.json")
            first.append(run([built + "/oracy", "results", session]))
            alone.append(run([built + "/oracy-bench", "decode", takes]))
            again.append(run([built + "/oracy", "results", session]))
            report.append(run([built + "/oracy", "report", session, "--output", page]))
        }
        let size = Double(try files.attributesOfItem(atPath: page)[.size] as? Int ?? 0)
        section("results of a whole exam: \(decimal(seconds, 0)) s of answers, CPU")
        row(
            "`oracy results`, first time", first.map(\.cpu),
            bar: "5 ms a second of sound: \(decimal(seconds * 5, 0)) ms")
        row("libsndfile decodes the same takes", alone.map(\.cpu))
        let ratios = zip(first, alone).map { $0.cpu / $1.cpu }
        print("  ratio \(Spread(figures: ratios).text("×", places: 2))")
        row("`oracy results` again", again.map(\.cpu))
        row("`oracy report`", report.map(\.cpu), bar: "2000 ms")
        print("  memory \(Spread(figures: report.map(\.memory)).text("MB", places: 1))")
        let bar = 1.4 * Double(bytes) + 300_000
        print(
            "  the report has \(decimal(size / 1e6, 2)) MB   bar: takes × 1.4 + 300 kB = \(decimal(bar / 1e6, 2)) MB\n")
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
