import Assessment
import ExamCore
import ExamKit
import Foundation
import SessionFolders
import Testing

/// `oracy transcribe`, and its effect on a report.
@Suite struct TranscribeTool {
    private let home: MeasuredHome
    private let folder: SessionFolder

    init() throws {
        home = try MeasuredHome()
        folder = try home.session("2026-11-20T18:05:00Z")
    }

    private func tool(_ arguments: String..., input: PseudoTerminal? = nil) throws -> Tool.Result {
        try Tool.run(arguments, home: home.home.path, input: input)
    }

    @Test func typedTranscriptsStandInTheReport() throws {
        try home.home.write("I goes  to\nthe bridge <b>", to: "words.txt")
        let kept = try tool("transcribe", "last", "part2_q1", "--file", home.home.path + "/words.txt")
        #expect(kept.code == 0, "\(kept.errors)")
        #expect(kept.output.hasPrefix("part2_q1: saved 6 words"))
        #expect(kept.output.contains("words a minute: ") && kept.output.contains("words by level: A1 83 %"))
        let transcript = try #require(try folder.readTranscripts().first)
        #expect(transcript.text == "I goes to the bridge <b>")
        #expect(transcript.source == .own)
        #expect(try transcript.recording == folder.readManifest()?.takes.first?.sha256)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.transcripts)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        let report = try tool("report", "last")
        #expect(report.code == 0, "\(report.errors)")
        let page = try String(contentsOfFile: folder.path + "/report.html", encoding: .utf8)
        #expect(page.contains("bridge &lt;b&gt;") && !page.contains("bridge <b>"))
        #expect(page.contains("data:audio/"))
        #expect(page.contains("class=\"examiner\""), "the examiner's own sound, as a picture")
        #expect(
            try FileManager.default.attributesOfItem(atPath: folder.path + "/report.html")[.posixPermissions] as? Int
                == 0o600)

        // A second transcript replaces the first.
        try home.home.write("another", to: "words.txt")
        _ = try tool("transcribe", "last", "part2_q1", "--file", home.home.path + "/words.txt")
        #expect(try folder.readTranscripts().map(\.text) == ["another"])
    }

    @Test func atATerminalEachLineIsKept() throws {
        let typed = "I live\n/stop\n/nonsense\nin a town\n\n"
        let result = try tool("transcribe", "last", "part2_q1", input: PseudoTerminal(typing: typed))
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("/nonsense is not a command."))
        #expect(result.output.contains("You paused at 0:14 (3.2 s)."))
        #expect(try folder.readTranscripts().map(\.text) == ["I live in a town"])
    }

    /// A sentence that the candidate had to repeat is scored by its format's table, as practice.
    @Test func repeatedSentencesAreScoredByTheFormatsTable() throws {
        let (script, checked) = try ExamScript.assemble(.builtIn("toefl-2026"), .builtIn("echoes"))
        #expect(checked.errors.isEmpty)
        let sentences = try #require(script?.sentences)
        #expect(sentences.count == 7, "the interview is in words of one's own")
        let replayed = try tool(
            "replay", Tool.fixtures + "/scenarios/toefl-style", "--no-encode", "--output", home.home.path + "/toefl")
        #expect(replayed.code == 0, "\(replayed.errors)")
        for (said, points, missing) in [
            ("The library opens at nine.", "5 of 5", "none left out; nothing added"),
            ("well the library opens at nine", "4 of 5", "none left out; 1 word added"),
            ("the library opens", "3 of 5", "left out: \"at\", \"nine\"; nothing added"),
            ("something else", "0 of 5", "\"nine\"; 2 words added"),
        ] {
            try home.home.write(said, to: "words.txt")
            let kept = try tool(
                "transcribe", home.home.path + "/toefl", "part1_q1", "--file", home.home.path + "/words.txt")
            #expect(kept.output.contains("said again (practice): \(points) points"), "\(kept)")
            let report = try Tool.run(["report", home.home.path + "/toefl"], home: home.home.path)
            #expect(report.code == 0, "\(report.errors)")
            let page = try String(contentsOfFile: home.home.path + "/toefl/report.html", encoding: .utf8)
            #expect(page.replacing("&quot;", with: "\"").contains(missing))
        }
        // Given words say nothing about the candidate's own words.
        let json = try #require(
            JSONSerialization.jsonObject(
                with: Data(try tool("results", home.home.path + "/toefl", "--json").output.utf8)) as? [String: Any])
        let text = try #require(json["text"] as? [String: Any])
        #expect(text["exam"] == nil && (text["answers"] as? [Any])?.count == 1)
    }

    @Test(arguments: [
        (
            ["part9_q9"],
            "oracy: 2026-11-20-1805-ielts-style: there is no answer part9_q9; oracy results last lists them\n"
        ),
        (["part2_q1", "--file", "/dev/null"], "oracy: /dev/null: has no words\n"),
    ])
    func aMistakeGetsOneSentence(_ arguments: [String], _ sentence: String) throws {
        let result = try Tool.run(["transcribe", "last"] + arguments, home: home.home.path)
        #expect(result.code == 65)
        #expect(result.errors == sentence)
        #expect(try folder.readTranscripts().isEmpty)
    }

    /// Files for other programs: one per answer, and two tables.
    @Test func exportsAreWritten() throws {
        let place = home.home.path + "/out"
        let result = try tool("report", "last", "--vtt", place, "--text-grid", place, "--csv", place)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place).sorted() == [
                "answers.csv", "part2_q1.TextGrid", "part2_q1.vtt", "pauses.csv",
            ])
        #expect(try String(contentsOfFile: place + "/part2_q1.vtt", encoding: .utf8).hasPrefix("WEBVTT\n"))
        #expect(try String(contentsOfFile: place + "/part2_q1.TextGrid", encoding: .utf8).contains("IntervalTier"))
    }
}
