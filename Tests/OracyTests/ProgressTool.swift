import Assessment
import Foundation
import Glibc
import Testing

@testable import oracy

/// `oracy progress`: measures over several exams.
@Suite struct ProgressTool {
    private let home: MeasuredHome

    init() throws { home = try MeasuredHome() }

    private func sitThree() throws {
        try home.session("2026-11-01T10:00:00Z", speaking: 0.6, word: .hesitant)
        try home.session("2026-11-02T10:00:00Z", speaking: 0.7, gates: [.noisy])
        try home.session("2026-11-03T10:00:00Z", speaking: 0.85, word: .fluent)
    }

    @Test func eachMeasureIsALineAndEachExamARow() throws {
        try sitThree()
        let result = try home.oracy("progress")
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "ielts-style: 3 exams, 2026-11-01 to 2026-11-03")
        // The tool's locale is C here, so that it uses only ASCII.
        #expect(lines.contains("time speaking   _=#  85 % (60 to 85)"), "\(result.output)")
        #expect(lines.contains("longest pause   +++  3.2 s"))
        #expect(lines.contains { $0.contains("hesitant") && $0.contains("60 %") && $0.contains("3.2 s") })
        #expect(lines.contains { $0.hasPrefix("2026-11-02 ") && $0.contains("  -  ") })
        #expect(result.output.contains("- 2026-11-02: Not judged: the room is too loud"))
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func aProgramGetsFiguresOrNone() throws {
        try sitThree()
        let json = try #require(try home.json("progress") as? [String: Any])
        let exams = try #require(json["exams"] as? [[String: Any]])
        #expect(exams.map { $0["startedAt"] as? String } == (1...3).map { "2026-11-0\($0)T10:00:00Z" })
        let second = try #require(exams[1]["delivery"] as? [String: Any])
        #expect(second["word"] == nil && second["gates"] as? [String] == ["noisy"])
    }

    @Test func thePictureIsForItsOwnerAlone() throws {
        try sitThree()
        let file = home.home.path + "/progress.svg"
        #expect(try home.oracy("progress", "--svg", file).code == 0)
        let drawing = try Drawing(String(contentsOfFile: file, encoding: .utf8))
        #expect(drawing.texts.contains("Progress: ielts-style"))
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func missingExamsAreReported() throws {
        let result = try home.oracy("progress")
        #expect(result.code == 66 && result.errors.hasPrefix("oracy: there is no measured exam in "))
        try sitThree()
        #expect(try home.oracy("progress", "--format", "toefl-2026").output == "There are no measured exams yet.\n")
    }

    @Test func equalValuesStandInTheMiddleAndGapsStayGaps() {
        #expect(Glyphs.unicode.heights([2, nil, 2]) == "▅ ▅")
        #expect(Glyphs.unicode.heights([0, 1, 0.5]) == "▁█▅")
        #expect(Glyphs.ascii.heights([nil]) == "")
    }
}
