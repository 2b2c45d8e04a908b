import Assessment
import Foundation
import SessionFolders
import Testing

/// `oracy results`: findings come with their basis, and missing ones with the reason.
@Suite struct ResultsTool {
    private let home: MeasuredHome

    init() throws { home = try MeasuredHome() }

    @Test func theWordComesWithItsEvidenceAndNoBand() throws {
        try home.session("2026-11-20T18:05:00Z")
        let result = try home.oracy("results")
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        let text = result.output
        #expect(text.contains("delivery Steady: 2.9 syllables a second, 80 % of the time speaking"), "\(text)")
        #expect(text.contains("part of one of the four criteria, and not a band."))
        #expect(text.contains("  part2_q1  steady    80 s      80 %          3.2 s  2.9/s"))
        #expect(text.contains("longest pause: 3.2 s\n    Listeners notice"))
        #expect(text.contains("pronunciation: it was not marked\n    oracy mark 2026-11-20-1805-ielts-style\n"))
        #expect(text.contains("overall: needs a mark for all four criteria"))
        #expect(text.contains("\nnext     1. Answer this question again. If a word is missing"))
        #expect(text.contains("The longest pause is 3.2 s, in part 2, question 1 at 0:14"))
        #expect(text.contains("oracy transcribe 2026-11-20-1805-ielts-style part2_q1"))
        for line in text.split(separator: "\n") where !line.contains("oracy ") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    /// Every answer has a window of fixed length, and only the hiss of the room is in it.
    @Test func silenceInFixedWindowsIsNoSpeech() throws {
        let scenario = """
            {"version": 1, "about": "Nobody speaks.", "format": "toefl-2026", "paper": "echoes", "room": {"tone": -67},
             "turns": {}, "otherwise": {"answer": []}}
            """
        try home.home.write(scenario, to: "silent/scenario.json")
        let folder = home.home.path + "/session"
        // Its log is not compared with an expected one.
        let held = try Tool.run(["replay", home.home.path + "/silent", "--output", folder], home: home.home.path)
        #expect(held.output.contains("11 answers with 0:00 of speech"), "\(held)")
        let text = try Tool.run(["results", folder], home: home.home.path).output
        #expect(text.contains("delivery No speech was found.\n"), "\(text)")
        let answers = text.split(separator: "\n").filter { $0.hasPrefix("  part") }
        #expect(answers.count == 11 && answers.allSatisfy { $0.contains("too short       -         -") }, "\(answers)")
        #expect(!text.contains("noisy") && !text.contains("quieter"))
        #expect(text.contains("next     1. Answer each question, even with a guess"))
        #expect(!text.contains("         2. "), "one piece of advice")
    }

    @Test func behindAGateThereIsAReasonAndNoWord() throws {
        try home.session("2026-11-20T18:05:00Z", gates: [.noisy])
        let text = try home.oracy("results").output
        let why = "delivery Not judged: the room is too loud; speech is less than 20 dB louder."
        #expect(text.replacing("\n         ", with: " ").contains(why))
        #expect(text.contains("exam        noisy"))
        #expect(!text.contains("Steady"))
        let json = try #require(try home.json("results") as? [String: Any])
        let delivery = try #require(json["delivery"] as? [String: Any])
        #expect(delivery["word"] == nil && delivery["index"] == nil)
        #expect(delivery["gates"] as? [String] == ["noisy"])
        #expect((delivery["measures"] as? [String: Double])?["speechRate"] == 2.9)
    }

    @Test func marksCarryTheirMarkers() throws {
        let folder = try home.session("2026-11-20T18:05:00Z")
        try folder.keep(
            MarkSheet(
                marker: "Ada", markedAt: "2026-11-21T10:00:00Z", rubric: "ielts-style/1",
                bands: [.fluency: 6.5, .vocabulary: 6, .grammar: 6]))
        let text = try home.oracy("results").output
        #expect(text.contains("marks    from Ada, rules "))
        #expect(text.contains("fluency and coherence           6.5  Ada, a person"))
        #expect(text.contains("overall: needs a mark for all four criteria"))
        #expect(text.contains("estimate (unofficial)"))
        #expect(!text.contains("overall  ") && text.contains("about 6 to 7"), "no overall without pronunciation")
        let marks = try #require((try home.json("results") as? [String: Any])?["marks"] as? [String: Any])
        #expect(marks["label"] as? String == "unofficial")
    }

    @Test func wordsAreLabelledByWhoWroteThem() throws {
        let folder = try home.session("2026-11-20T18:05:00Z")
        let check = LanguageCheck(
            source: "checker 1",
            mistakes: [.init(original: "he go", correction: "he goes"), .init(original: "\u{1B}[2Ja", correction: "b")])
        try folder.keep(
            AnswerTranscript(
                answer: "part2_q1", recording: "aa", source: .own, writtenAt: "2026-11-21T10:00:00Z",
                text: "I think he go home", checks: [check]))
        let text = try home.oracy("results").output
        #expect(
            text.contains(
                "part2_q1  5 words, typed by the candidate\n  checker 1: 2 mistakes\n    \"he go\" → \"he goes\""))
        #expect(!text.contains("\u{1B}"))
        #expect(!text.contains("oracy transcribe"))
    }

    @Test func aTakeThatWasErasedByHandIsNamed() throws {
        let folder = try home.session("2026-11-20T18:05:00Z")
        try FileManager.default.removeItem(atPath: folder.takes + "/part2_q1.opus")
        #expect(try home.oracy("results").output.contains("part 2, question 1: its recording was erased by hand"))
        let json = try #require(try home.json("results") as? [String: Any])
        #expect(json["withoutRecording"] as? [String] == ["part2_q1"])
    }

    @Test func threeEarlierExamsAreCompared() throws {
        for (day, speaking) in [(1, 0.6), (2, 0.7), (3, 0.85)] {
            try home.session("2026-11-0\(day)T10:00:00Z", speaking: speaking)
        }
        try home.session("2026-11-20T18:05:00Z")
        #expect(
            try home.oracy("results").output.contains(
                "compared with your 3 earlier exams of this format\n  time speaking: above 67 %"))
        // The exam before has only two earlier ones, which is too few.
        #expect(try !home.oracy("results", "2026-11-03").output.contains("compared with your"))
    }

    @Test func theReportComparesWithTheSameExamsAndGivesTheSameSteps() throws {
        for (day, speaking) in [(1, 0.95), (2, 0.96)] {
            try home.session("2026-11-0\(day)T10:00:00Z", speaking: speaking)
        }
        // This exam says too little, so it must not be the third one.
        try home.session("2026-11-03T10:00:00Z", speaking: 0.97, gates: [.noisy])
        try home.session("2026-11-20T18:05:00Z")
        let json = try #require(try home.json("results") as? [String: Any])
        let steps = try #require(json["next"] as? [[String: Any]])
        let file = home.home.path + "/report.html"
        #expect(try home.oracy("report", "last", "--output", file).code == 0)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        var rest = page[...]
        for step in steps {
            let advice = try #require(step["advice"] as? String).replacing("'", with: "&#39;")
            let place = try #require(rest.range(of: advice), "\(advice)")
            rest = rest[place.upperBound...]
        }
        #expect(steps.count == 2 && page.components(separatedBy: "Practise: <code>").count == 3)
        #expect(!page.contains("2026-11-03T10:00:00Z") && page.contains("2026-11-02T10:00:00Z"))
    }

    /// Ogg/Opus costs no conversion. Safari before 18.4 needs MP3.
    @Test(arguments: [([String](), "data:audio/ogg;base64,"), (["--mp3"], "data:audio/mpeg;base64,")])
    func theReportHasTheRecordingsAsTheyAreOrAsMP3(_ options: [String], _ sound: String) throws {
        try home.session("2026-11-20T18:05:00Z")
        let file = home.home.path + "/report.html"
        let result = try Tool.run(["report", "last", "--output", file] + options, home: home.home.path)
        #expect(result.code == 0, "\(result.errors)")
        let page = try String(contentsOfFile: file, encoding: .utf8)
        let sounds = page.components(separatedBy: "<audio preload=\"none\" src=\"").dropFirst().map {
            String($0.prefix(sound.count))
        }
        #expect(!sounds.isEmpty && sounds.allSatisfy { $0 == sound }, "\(Set(sounds))")
    }

    /// A session outside of the shelf has no name there, so commands need its path.
    @Test func commandsOfNextStepsFindTheSession() throws {
        let folder = try home.session("2026-11-20T18:05:00Z")
        let path = home.home.path + "/an exam"
        try FileManager.default.moveItem(atPath: folder.path, toPath: path)
        let json = try #require(try home.json("results", path) as? [String: Any])
        let links = try #require(json["next"] as? [[String: Any]]).compactMap { $0["link"] as? String }
        #expect(links.contains("oracy transcribe '\(path)' part2_q1"))
        #expect(links.contains { $0.hasPrefix("oracy run --retry ") && $0.hasSuffix(" --from '\(path)'") })
        #expect(try home.oracy("report", path, "--output", "\(path).html").code == 0)
        let page = try String(contentsOfFile: "\(path).html", encoding: .utf8)
        #expect(page.contains("<code>oracy transcribe &#39;\(path)&#39; part2_q1</code>"))
    }

    @Test func anUnfinishedExamHasNoResults() throws {
        let folder = try home.session("2026-11-20T18:05:00Z", isPart: true)
        try FileManager.default.removeItem(atPath: folder.manifest)
        let result = try home.oracy("results")
        #expect(result.code == 66)
        #expect(
            result.errors.hasSuffix("the exam is not over; to continue: oracy resume 2026-11-20-1805-ielts-style\n"))
        #expect(try home.oracy("results", "1999").code == 66)
    }

    @Test func anAssessmentThatCannotBeReadIsNamed() throws {
        let folder = try home.session("2026-11-20T18:05:00Z")
        try Data("{ \"version\": 1 }".utf8).write(to: URL(filePath: folder.assessment))
        let result = try home.oracy("results")
        #expect(result.code == 65 && result.errors.hasPrefix("oracy: \(folder.assessment): "), "\(result.errors)")
    }
}
