import Assessment
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
        let home = try Home()
        let file = home.path + "/fitted.json"
        let result = try Tool.run(
            ["calibrate", Self.marked, "--json", "--fit", file], tool: try #require(Tool.release), home: home.path)
        try #require(result.code == 0, "\(result.errors)")
        let figures = try JSONDecoder().decode(Figures.self, from: Data(result.output.utf8))
        print(
            "calibrate: syllables \(figures.syllables.pearson.value), fluency \(figures.fluencyHeldOut.spearman.value)")
        #expect(figures.syllables.pearson.value >= 0.78)
        #expect(abs(figures.syllableBias) <= 0.03)
        // Sentence by sentence, by calibrations that did not know the speaker.
        #expect(figures.fluencyHeldOut.spearman.value >= 0.76)
        #expect(figures.fluencyOfSpeakers.spearman.value >= 0.76)
        let moved = Dictionary(uniqueKeysWithValues: figures.shifts.map { ($0.of, abs($0.marks)) })
        #expect(moved.count == 4)
        for (name, marks) in moved { #expect(marks <= (name == "five joined" ? 0.3 : 0.15), "\(name)") }
        try Self.expectBuiltIn(
            JSONDecoder().decode(DeliveryCalibration.self, from: Data(contentsOf: URL(filePath: file))))
    }

    /// The built-in calibration is the one that the command finds. Processors round differently in the last digit.
    private static func expectBuiltIn(_ fitted: DeliveryCalibration) throws {
        let builtIn = DeliveryCalibration.builtIn
        try #require(fitted.features.map(\.name) == builtIn.features.map(\.name))
        #expect(fitted.sentences == builtIn.sentences && fitted.speakers == builtIn.speakers)
        #expect(abs(fitted.intercept - builtIn.intercept) <= 0.001)
        for (found, known) in zip(fitted.features, builtIn.features) {
            #expect(abs(found.weight - known.weight) <= 0.002, "\(known.name)")
            #expect(abs(found.mean - known.mean) <= 0.002, "\(known.name)")
            #expect(abs(found.deviation - known.deviation) <= 0.002, "\(known.name)")
        }
    }

    private struct Figures: Decodable {
        var syllables: Agreement
        var syllableBias: Double
        var fluencyHeldOut: Agreement
        var fluencyOfSpeakers: Agreement
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
