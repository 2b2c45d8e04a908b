import Foundation
import Testing

/// `oracy vad --end-of-answer` for people and programs, on a recording with long pauses.
@Suite struct EndTool {
    private let home: Home
    private let paused = Tool.fixtures + "/answers/home-1-paused.flac"

    init() throws { home = try Home() }

    private func run(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["vad"] + arguments, home: home.path)
    }

    private func document(_ result: Tool.Result) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require((document?["files"] as? [[String: Any]])?.first)
    }

    /// The phrases end at about 1.6, 4.4, 6.6 and 9.9 s, and the recording at 10.4 s. The pauses last about 1.5 s.
    @Test func everyLongPauseEndsAnAnswer() throws {
        let file = try document(run("--json", "--end-of-answer", "--silence", "1", paused))
        let ends = try #require(file["endsOfAnswers"] as? [[String: Any]])
        #expect(ends.count == 3)
        for (end, since) in zip(ends, [1.6, 4.4, 6.6]) {
            let (at, silentSince) = try (
                #require(end["endSeconds"] as? Double), #require(end["sinceSeconds"] as? Double)
            )
            #expect(abs(silentSince - since) < 0.2)
            #expect(0.999...1.021 ~= at - silentSince)
            #expect(end["silenceSeconds"] as? Double == 1)
            #expect(end["reason"] as? String == "silent for 1.000 s")
        }
    }

    @Test func aLongerSilenceEndsFewerAnswers() throws {
        let file = try document(run("--json", "--end-of-answer", "--silence", "3", paused))
        #expect((file["endsOfAnswers"] as? [Any])?.isEmpty == true)
        let without = try document(run("--json", paused))
        #expect(without["endsOfAnswers"] == nil && without["soundsNotCounted"] != nil)
        #expect(without["segments"] as? NSArray == file["segments"] as? NSArray, "the detector is the same")
    }

    /// One minute of talk with many pauses between phrases.
    @Test func ownPausesCountIfTheFormatAllows() throws {
        let talk = Tool.fixtures + "/answers/talk-paused.flac"
        let fixed = try run("--csv", "--end-of-answer", "--silence", "0.5", talk).output
        #expect(fixed.hasPrefix("file,end_s,since_s,silence_s,reason\n"))
        #expect(!fixed.contains("speaker's own pauses"))
        for (shortest, longest) in [(0.3, 4.0), (0.4, 0.51)] {
            let bounds = ["--shortest", "\(shortest)", "--longest", "\(longest)"]
            let arguments = ["vad", "--csv", "--end-of-answer", "--silence", "0.5", talk] + bounds
            let silences = try Tool.run(arguments, home: home.path).output.split(separator: "\n").dropFirst().map {
                try #require(Double($0.split(separator: ",")[3]))
            }
            #expect(silences.contains { $0 != 0.5 })
            #expect(silences.allSatisfy { shortest...longest ~= $0 })
        }
    }

    @Test func theDefaultIsASecondAndAHalf() throws {
        let long = Tool.fixtures + "/answers/talk-paused.flac"
        let result = try run("--csv", "--end-of-answer", long)
        #expect(result.output == (try run("--csv", "--end-of-answer", "--silence", "1.5", long)).output)
        #expect(result.output.contains(",1.500,silent for 1.500 s\n"))
    }

    @Test func thePictureHasAMarkForEachEnd() throws {
        let picture = home.path + "/ends.svg"
        let result = try run("--csv", "--end-of-answer", "--silence", "1", "--plot", picture, paused)
        let drawing = try Drawing(String(contentsOfFile: picture, encoding: .utf8))
        let rows = result.output.split(separator: "\n").count - 1
        #expect(rows > 0)
        #expect(drawing.texts.count { $0 == "end of answer: silent for 1.000 s" } == rows)
    }

    // MARK: - Mistakes

    @Test(arguments: [
        (["--silence", "1"], "--silence needs --end-of-answer; add that, or leave out --silence."),
        (["--shortest", "1", "--longest", "2"], "--shortest needs --end-of-answer"),
        (["--longest", "2"], "--longest needs --end-of-answer"),
        (["--end-of-answer", "--silence", "0.29"], "--silence must be between 0.3 and 30 seconds."),
        (["--end-of-answer", "--silence", "31"], "--silence must be between 0.3 and 30 seconds."),
        (["--end-of-answer", "--silence", "nan"], "--silence must be between 0.3 and 30 seconds."),
        (["--end-of-answer", "--silence", "long"], "--silence"),
        (["--end-of-answer", "--shortest", "1"], "--shortest needs --longest: name both, or neither."),
        (["--end-of-answer", "--longest", "2"], "--longest needs --shortest: name both, or neither."),
        (
            ["--end-of-answer", "--shortest", "1.6", "--longest", "2"],
            "--shortest is longer than the silence to begin with (--silence, 1.5 s)."
        ),
        (
            ["--end-of-answer", "--silence", "2", "--shortest", "1", "--longest", "1.9"],
            "--longest is shorter than the silence to begin with (--silence, 2.0 s)."
        ),
        (
            ["--end-of-answer", "--shortest", "0.1", "--longest", "2"],
            "--shortest must be between 0.3 and 30 seconds."
        ),
    ])
    func optionsThatMakeNoSenseAreRefused(_ options: [String], _ words: String) throws {
        let result = try Tool.run(["vad", paused] + options, home: home.path)
        #expect(result.code == 64)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func theBoundsAreAllowed() throws {
        for options in [
            ["--silence", "0.3"], ["--silence", "30"], ["--shortest", "1.5", "--longest", "1.5"],
        ] {
            let result = try Tool.run(["vad", "--csv", "--end-of-answer", paused] + options, home: home.path)
            #expect(result.code == 0, "\(options): \(result.errors)")
        }
    }
}
