import Foundation
import TestSupport
import Testing

/// `oracy calibrate` on sentences with people's marks: the quality of the measures.
@Suite struct CalibrateTool {
    private static let marked =
        ProcessInfo.processInfo.environment["ORACY_FLUENCY_DATA"]
        ?? URL(filePath: Tool.fixtures).deletingLastPathComponent().appending(path: "../shared/data/fluency")
        .standardized.path

    private static var obstacle: String? {
        if !FileManager.default.fileExists(atPath: marked + "/marks.csv") {
            return "no labelled sentences are beside the project; name their folder in ORACY_FLUENCY_DATA"
        }
        return Tool.release == nil ? "make check runs it" : nil
    }

    @Test(.needs(obstacle)) func measuresGoWithWhatPeopleMarked() throws {
        let result = try Tool.run(
            ["calibrate", Self.marked, "--json"], tool: try #require(Tool.release), home: Home().path)
        try #require(result.code == 0, "\(result.errors)")
        let figures = try JSONDecoder().decode(Figures.self, from: Data(result.output.utf8))
        print(
            "calibrate: syllables \(figures.syllables.pearson.value), fluency \(figures.fluencyHeldOut.spearman.value)")
        #expect(figures.syllables.pearson.value >= 0.78)
        #expect(abs(figures.syllableBias) <= 0.05)
        #expect(figures.fluencyHeldOut.spearman.value >= 0.74)
        let moved = Dictionary(uniqueKeysWithValues: figures.shifts.map { ($0.of, abs($0.marks)) })
        #expect(moved.count == 4)
        for (name, marks) in moved { #expect(marks <= (name == "five joined" ? 0.3 : 0.15), "\(name)") }
    }

    private struct Figures: Decodable {
        var syllables: Agreement
        var syllableBias: Double
        var fluencyHeldOut: Agreement
        var shifts: [Shift]
    }

    private struct Agreement: Decodable {
        struct Figure: Decodable { var value: Double }
        var pearson, spearman: Figure
    }

    private struct Shift: Decodable {
        var of: String
        var marks: Double
    }

    /// A folder that isn't valid is reported with the file and the line.
    @Test func aMistakeGetsOneSentence() throws {
        let home = try Home()
        try home.write("file,fluency\nnowhere.flac,7\n", to: "marked/marks.csv")
        let result = try Tool.run(["calibrate", home.path + "/marked"], home: home.path)
        #expect(result.code == 66 || result.code == 65)
        #expect(result.errors.hasPrefix("oracy: ") && result.errors.contains("nowhere.flac"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }
}
