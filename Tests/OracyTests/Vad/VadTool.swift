import AudioFiles
import Foundation
import Testing

/// `oracy vad` for people and programs, on the candidate's recorded answers.
@Suite struct VadTool {
    private let home: Home
    private let answers = Tool.fixtures + "/answers"

    init() throws { home = try Home() }

    private func run(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["vad"] + arguments, home: home.path)
    }

    private func answer(_ name: String) -> String { "\(answers)/\(name).flac" }

    private func copy(_ name: String, to path: String) throws -> String {
        let url = URL(filePath: "\(home.path)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: answer(name), toPath: url.path)
        return url.path
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != ".oracy-test" }.sorted()
    }

    // MARK: - Findings

    @Test func recordingsAreListedInTheGivenOrder() throws {
        let result = try run(answer("stereo-44100"), answer("home-4"))
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        let lists = result.output.components(separatedBy: "\n\n").map { $0.split(separator: "\n") }
        #expect(lists.map(\.first) == ["stereo-44100", "home-4"])
        for list in lists {
            #expect(list[1] == "  start s  end s  length s  level dBFS")
            #expect(list.last?.hasPrefix("  speech ") == true)
            #expect(list.last?.hasSuffix(" %), \(list.count - 3) segments") == true, "\(list)")
        }
    }

    /// The words in it are known. The detector's own tests check that most of them are detected.
    @Test func anAnswerOfTenSecondsIsSpeechForTheMostPart() throws {
        let file = try #require(try json(run("--json", answer("home-4"))).first)
        #expect(file["durationSeconds"] as? Double == 10.085)
        let speech = try #require(file["speechSeconds"] as? Double)
        #expect(6...10 ~= speech)
        #expect(file["file"] as? String == "home-4")
        #expect(file["path"] as? String == answer("home-4"))
    }

    @Test func theTableSaysWhatTheDocumentSays() throws {
        let table = try run("--csv", answer("home-4"), answer("talk-20"))
        let rows = table.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows.first == "file,start_s,end_s" && rows.last == "")
        var fromJSON: [String] = []
        for file in try json(run("--json", answer("home-4"), answer("talk-20"))) {
            let (name, segments) = try (
                #require(file["file"] as? String), #require(file["segments"] as? [[String: Double]])
            )
            var reached = 0.0
            for segment in segments {
                let (start, end) = try (#require(segment["startSeconds"]), #require(segment["endSeconds"]))
                #expect(start >= reached && end > start, "segments are in order and do not overlap")
                reached = end
                let level = try #require(segment["levelDBFS"])
                #expect(-60 ... -3 ~= level)
                fromJSON.append(String(format: "%@,%.3f,%.3f", name as NSString, start, end))
            }
            #expect(reached <= file["durationSeconds"] as? Double ?? 0)
        }
        #expect(fromJSON.contains { $0.hasPrefix("home-4,") } && fromJSON.contains { $0.hasPrefix("talk-20,") })
        #expect(rows.dropFirst().dropLast().map(String.init) == fromJSON)
    }

    private func json(_ result: Tool.Result) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require(document?["files"] as? [[String: Any]])
    }

    @Test func recordingsOfOneNameAreCalledByTheirPaths() throws {
        let (one, two) = try (copy("yes", to: "a/take.flac"), copy("short", to: "b/take.flac"))
        let result = try run("--csv", one, two)
        let names = Set(result.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } })
        #expect(names == [one[...], two[...]])
        let twice = try run("--csv", one, one)
        #expect(twice.output == (try run("--csv", one)).output, "a recording that is named twice is read once")
    }

    @Test func silenceHasNoSpeech() throws {
        let silent = try GrowingWAV(path: home.path + "/silent.wav")
        for _ in 0..<10 { try silent.append(Array(repeating: 0, count: 1_600)) }
        let result = try run(silent.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.output == """
                silent
                  speech 0.000 s of 1.000 s (0 %), 0 segments

                """)
        let picture = "\(home.path)/silent.svg"
        #expect(try run(silent.path, "--plot", picture).code == 0)
        #expect(try Drawing(text(picture)).texts.contains("silent"))
    }

    // MARK: - Output files

    @Test func labelsAndTextGridsAreAFileForEachRecording() throws {
        let folder = home.path + "/new/tracks"
        let files = [answer("home-4"), answer("yes")]
        #expect(try Tool.run(["vad", "--labels", "--output", folder] + files, home: home.path).output.isEmpty)
        #expect(try Tool.run(["vad", "--text-grid", "--output", folder] + files, home: home.path).code == 0)
        #expect(try names(in: folder) == ["home-4.TextGrid", "home-4.txt", "yes.TextGrid", "yes.txt"])
        #expect(try text(folder + "/yes.txt") == run("--labels", answer("yes")).output)
        let grid = try Grid(text(folder + "/home-4.TextGrid"))
        #expect(grid.isContiguous && grid.end == 10.085)
        let labels = try text(folder + "/home-4.txt").split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(grid.intervals.filter { $0.text == "speech" }.map(\.start) == labels.map { Double($0[0]) })
    }

    @Test func oneRecordingsLabelsGoIntoTheFileOrTheFolderThatIsNamed() throws {
        #expect(try run("--labels", answer("yes"), "--output", home.path + "/words.txt").code == 0)
        #expect(try run("--labels", answer("yes"), "--output", home.path).code == 0)
        #expect(try run("--labels", answer("yes"), "--output", home.path + "/more/").code == 0)
        #expect(try names(in: home.path) == ["more", "words.txt", "yes.txt"])
        #expect(try text(home.path + "/more/yes.txt") == text(home.path + "/words.txt"))
    }

    @Test func tracksOfRecordingsOfOneNameHaveTheirFoldersInTheirNames() throws {
        let files = try [copy("yes", to: "a/take.flac"), copy("short", to: "b/take.flac")]
        let folder = home.path + "/tracks"
        #expect(try Tool.run(["vad", "--labels", "--output", folder] + files, home: home.path).code == 0)
        let names = try names(in: folder)
        #expect(names.count == 2)
        #expect(names[0].hasSuffix("_a_take.flac.txt") && names[1].hasSuffix("_b_take.flac.txt"), "\(names)")
    }

    @Test func aResultTakesThePlaceOfAnOldOneAsAWhole() throws {
        let old = try home.write("old", to: "heard.csv")
        try FileManager.default.createSymbolicLink(atPath: home.path + "/link.csv", withDestinationPath: "heard.csv")
        let result = try run("--csv", answer("yes"), "--output", home.path + "/link.csv")
        #expect(result.code == 0 && result.output.isEmpty, "\(result.errors)")
        #expect(try text(old) == run("--csv", answer("yes")).output)
        #expect(try names(in: home.path) == ["heard.csv", "link.csv"], "the link stays one, and nothing else is left")
    }

    @Test func thePictureComesWithTheList() throws {
        let picture = home.path + "/yes.svg"
        let result = try run(answer("yes"), "--plot", picture)
        #expect(result.code == 0)
        #expect(result.output == (try run(answer("yes"))).output)
        let drawing = try Drawing(text(picture))
        #expect(drawing.texts.contains("yes"))
        let totals = try #require(result.output.split(separator: "\n").last?.trimmingPrefix("  "))
        #expect(drawing.texts.contains(String(totals)))
    }

    // MARK: - Mistakes

    @Test func anUnreadableRecordingDoesNotStopTheOthers() throws {
        let letter = try home.write("Dear examiner", to: "letter.wav")
        let missing = home.path + "/none.wav"
        let result = try run("--csv", letter, answer("yes"), missing, answer("short"))
        #expect(result.code == 66, "the code is that of the last failure")
        #expect(
            result.errors == """
                oracy: \(letter): is not a sound file that can be read (Format not recognised); \
                name a whole WAV, FLAC, Ogg or MP3 file
                oracy: \(missing): no such file or directory

                """)
        #expect(result.output == (try run("--csv", answer("yes"), answer("short"))).output)
        #expect(try run("--csv", missing, letter).code == 65)
    }

    /// The file breaks off in the middle. All that is there is heard, and programs learn what is missing.
    @Test func aRecordingThatBreaksOffIsHeardWithItsLoss() throws {
        let whole = try Data(contentsOf: URL(filePath: answer("home-4")))
        let cut = home.path + "/cut.flac"
        try whole.prefix(whole.count / 2).write(to: URL(filePath: cut))
        let result = try run("--json", cut)
        #expect(result.code == 0)
        #expect(result.errors.hasPrefix("oracy: \(cut): ends ") && result.errors.split(separator: "\n").count == 1)
        struct Report: Decodable {
            struct File: Decodable {
                var durationSeconds: Double
                var missingSeconds: Double?
                var warnings: [String]?
            }
            var files: [File]
        }
        let heard = try #require(JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).files.first)
        let plain = try run("--json", answer("home-4"))
        let all = try #require(JSONDecoder().decode(Report.self, from: Data(plain.output.utf8)).files.first)
        #expect(all.warnings == nil && all.missingSeconds == nil)
        let missing = try #require(heard.missingSeconds)
        #expect(heard.warnings == ["The file ends \(missing) s before its header says."])
        #expect(abs(heard.durationSeconds + missing - all.durationSeconds) < 0.002)
    }

    /// If nothing in a recording can be heard, the previous output stays.
    @Test func aRecordingWithoutSoundWritesNothing() throws {
        let letter = try home.write("Dear examiner", to: "cut.flac")
        let old = try home.write("old", to: "old.csv")
        let result = try run("--csv", letter, "--output", old, "--plot", home.path + "/cut.svg")
        #expect(result.code == 65)
        #expect(try text(old) == "old", "reading failed, so nothing is written")
        #expect(try names(in: home.path) == ["cut.flac", "old.csv"])
    }

    @Test func anEmptyFileIsNotARecording() throws {
        let empty = try home.write("", to: "empty.wav")
        let result = try run(empty)
        #expect(result.code == 65)
        #expect(
            result.errors == "oracy: \(empty): is empty (0 bytes); name a whole WAV, FLAC, Ogg or MP3 file\n")
    }

    @Test func optionsForOneRecordingAreRefusedForTwo() throws {
        let two = [answer("yes"), answer("short")]
        for (options, words) in [
            (["--labels"], "--labels makes a file for each recording. Name only one, or add --output FOLDER."),
            (["--text-grid"], "--text-grid makes a file for each recording"),
            (["--plot", home.path + "/two.svg"], "--plot draws only one recording. Name only one."),
            (["--csv", "--json"], "--json"),
        ] {
            let result = try Tool.run(["vad"] + options + two, home: home.path)
            #expect(result.code == 64, "\(options)")
            #expect(result.errors.contains(words), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
        #expect(try names(in: home.path).isEmpty)
    }

    @Test func theListAndThePictureNeedDifferentFiles() throws {
        let old = try home.write("old", to: "a.svg")
        try FileManager.default.createSymbolicLink(atPath: home.path + "/link.svg", withDestinationPath: "a.svg")
        let new = home.path + "/new.txt"
        for (plot, options) in [
            (old, ["--output", old]), (home.path + "/./a.svg", ["--output", old]),
            (home.path + "/x/../a.svg", ["--output", old]), (old, ["--output", home.path + "//a.svg"]),
            (home.path + "/link.svg", ["--csv", "--output", old]), (new, ["--output", home.path + "/./new.txt"]),
            (home.path + "/yes.txt", ["--labels", "--output", home.path]),
        ] {
            let result = try Tool.run(["vad", answer("yes"), "--plot", plot] + options, home: home.path)
            #expect(result.code == 64, "\(plot) \(options)")
            #expect(result.errors.contains("--plot and --output name the same file: \(plot)"), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
        #expect(try text(old) == "old")
        #expect(try names(in: home.path) == ["a.svg", "link.svg"])
    }

    @Test func aRecordingIsNeverWrittenOver() throws {
        let take = try copy("yes", to: "take.flac")
        let before = try Data(contentsOf: URL(filePath: take))
        for arguments in [["--plot", take, answer("short")], ["--csv", "--output", take, answer("short")]] {
            let result = try Tool.run(["vad"] + arguments, home: home.path)
            #expect(result.code == 73)
            #expect(
                result.errors
                    == "oracy: \(take): is a recording and will not be overwritten; name another file\n")
            #expect(result.output.isEmpty)
        }
        #expect(try Data(contentsOf: URL(filePath: take)) == before)
    }

    @Test func twoRecordingsThatWouldShareATrackAreNamed() throws {
        let files = try [copy("yes", to: "a/b_x.flac"), copy("yes", to: "a_b/x.flac"), copy("yes", to: "a/b/x.flac")]
        let folder = home.path + "/tracks"
        let result = try Tool.run(["vad", "--labels", "--output", folder] + files, home: home.path)
        #expect(result.code == 73)
        #expect(result.errors.contains("would be written for two recordings"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func unwritableFilesAreNamed() throws {
        for (place, words) in [
            ("/dev/full", "no space left on device"), (home.path + "/none/heard.csv", "no such file or directory"),
        ] {
            let result = try run("--csv", "--output", place, answer("yes"))
            #expect(result.code == 74)
            #expect(result.errors == "oracy: \(place): \(words)\n")
        }
        let folder = try run("--csv", "--output", home.path, answer("yes"))
        #expect(folder.code == 73)
        #expect(folder.errors == "oracy: \(home.path): is a folder; name a file\n")
    }
}
