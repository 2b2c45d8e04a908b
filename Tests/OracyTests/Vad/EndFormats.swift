import Testing

@testable import ExamCore
@testable import oracy

/// The representation of ends of answers, and of sounds that were not clearly speech, in each format.
@Suite struct EndFormats {
    private static func end(_ at: Int, _ since: Int, _ reason: EndOfAnswer.Reason) -> HeardFile.AnswerEnd {
        .init(
            at: .milliseconds(at), silentSince: .milliseconds(since), reason: reason,
            words: reason.words(in: .init(floor: .seconds(1), ceiling: .seconds(4))))
    }

    private static func reason(_ silence: Int, isOwn: Bool = false, isPutOff: Bool = false, distant: Int = 0)
        -> EndOfAnswer.Reason
    {
        .init(silence: .milliseconds(silence), isOwn: isOwn, isPutOff: isPutOff, soundsNotCounted: distant)
    }

    private func file(_ name: String, _ ends: [HeardFile.AnswerEnd]?) -> HeardFile {
        HeardFile(
            name: name, path: "takes/\(name).flac", duration: .seconds(12),
            sounds: [
                .init(start: .milliseconds(300), end: .milliseconds(1_370), levelDBFS: -21),
                .init(start: .milliseconds(2_000), end: .milliseconds(2_500), levelDBFS: -44.4, kind: .distant),
                .init(start: .milliseconds(6_000), end: .milliseconds(6_200), levelDBFS: -30, kind: .doubtful),
            ], ends: ends)
    }

    private var answer: HeardFile {
        file(
            "answer",
            [
                Self.end(2_880, 1_370, Self.reason(1_500, distant: 1)),
                Self.end(8_600, 6_200, Self.reason(2_400, isOwn: true)),
            ])
    }

    private let silence = HeardFile(name: "silence", path: "silence.wav", duration: .seconds(2), sounds: [], ends: [])

    @Test(arguments: [
        (reason(1_500), "silent for 1.500 s"),
        (reason(2_400, isOwn: true), "silent for 2.400 s, twice the speaker's own pauses"),
        (reason(1_000, isOwn: true), "silent for 1.000 s, the shortest allowed, as the speaker's own pauses are short"),
        (reason(4_000, isOwn: true), "silent for 4.000 s, the longest allowed, as the speaker's own pauses are long"),
        (reason(4_000), "silent for 4.000 s"),
        (reason(1_500, distant: 2), "silent for 1.500 s, 2 sounds did not count"),
        (
            reason(2_400, isOwn: true, distant: 1),
            "silent for 2.400 s, twice the speaker's own pauses, 1 sound did not count"
        ),
        (
            reason(1_500, isPutOff: true, distant: 1),
            "silent except for doubtful sounds, which no longer count, 1 sound did not count"
        ),
    ])
    func aReasonIsASentenceOfPlainWords(_ reason: EndOfAnswer.Reason, _ words: String) {
        #expect(Self.end(9_000, 6_000, reason).words == words)
    }

    @Test func peopleGetASecondTable() {
        #expect(
            VadFormat.list.text([answer, silence]) == """
                answer
                  start s  end s  length s  level dBFS
                    0.300  1.370     1.070       -21.0
                    2.000  2.500     0.500       -44.4  far quieter than the speaker: did not count
                    6.000  6.200     0.200       -30.0  doubtful: short and hardly voiced
                  speech 1.270 s of 12.000 s (11 %), 2 segments; 1 sound did not count
                  answer over s  silent since s  silence s  reason
                          2.880           1.370      1.500  silent for 1.500 s, 1 sound did not count
                          8.600           6.200      2.400  silent for 2.400 s, twice the speaker's own pauses

                silence
                  speech 0.000 s of 2.000 s (0 %), 0 segments
                  no end of answer

                """)
    }

    @Test func tablesGetARowForEachEndInsteadOfEachSegment() {
        #expect(
            VadFormat.csv.text([answer, silence]) == """
                file,end_s,since_s,silence_s,reason
                answer,2.880,1.370,1.500,"silent for 1.500 s, 1 sound did not count"
                answer,8.600,6.200,2.400,"silent for 2.400 s, twice the speaker's own pauses"

                """)
        #expect(VadFormat.csv.text([silence]) == "file,end_s,since_s,silence_s,reason\n")
        #expect(
            VadFormat.csv.text([file("answer", nil)])
                == "file,start_s,end_s\nanswer,0.300,1.370\nanswer,6.000,6.200\n",
            "sounds that don't count are not listed as segments")
    }

    @Test func programsGetTheEndsAndAlwaysWhatDidNotCount() {
        let others = """
            "soundsNotCounted" : [
                    {
                      "endSeconds" : 2.5,
                      "levelDBFS" : -44.4,
                      "reason" : "far quieter than the speaker",
                      "startSeconds" : 2
                    }
                  ],
            """
        let ends = """
            "endsOfAnswers" : [
                    {
                      "adapted" : false,
                      "endSeconds" : 2.88,
                      "putOff" : false,
                      "reason" : "silent for 1.500 s, 1 sound did not count",
                      "silenceSeconds" : 1.5,
                      "sinceSeconds" : 1.37,
                      "soundsNotCounted" : 1
                    },
                    {
                      "adapted" : true,
                      "endSeconds" : 8.6,
                      "putOff" : false,
                      "reason" : "silent for 2.400 s, twice the speaker's own pauses",
                      "silenceSeconds" : 2.4,
                      "sinceSeconds" : 6.2,
                      "soundsNotCounted" : 0
                    }
                  ],
            """
        let asked = VadFormat.json.text([answer])
        #expect(asked.contains(others) && asked.contains(ends), "\(asked)")
        #expect(asked.contains("\"doubtful\" : true"))
        let unasked = VadFormat.json.text([file("answer", nil)])
        #expect(unasked.contains(others) && !unasked.contains("endsOfAnswers"), "\(unasked)")
        #expect(VadFormat.json.text([silence]).contains("\"endsOfAnswers\" : [\n"))
    }

    @Test func audacityGetsPointsAmongTheLabels() {
        #expect(
            VadFormat.labels.text([answer]) == """
                0.300\t1.370\tspeech
                2.880\t2.880\tend of answer: silent for 1.500 s, 1 sound did not count
                6.000\t6.200\tspeech
                8.600\t8.600\tend of answer: silent for 2.400 s, twice the speaker's own pauses

                """)
    }

    @Test func praatGetsATierOfPoints() {
        let text = VadFormat.textGrid.text([answer])
        #expect(text.contains("\nsize = 2\nitem []:\n    item [1]:\n        class = \"IntervalTier\"\n"))
        #expect(
            text.hasSuffix(
                """
                            text = ""
                    item [2]:
                        class = "TextTier"
                        name = "end of answer"
                        xmin = 0
                        xmax = 12.000
                        points: size = 2
                        points [1]:
                            number = 2.880
                            mark = "silent for 1.500 s, 1 sound did not count"
                        points [2]:
                            number = 8.600
                            mark = "silent for 2.400 s, twice the speaker's own pauses"

                """), "\(text)")
        #expect(VadFormat.textGrid.text([silence]).hasSuffix("        points: size = 0\n"))
    }

    @Test func thePictureMarksTheEndsAndHatchesWhatDidNotCount() throws {
        let asked = try Drawing(HearingPlot(answer, HearingTrace()).svg)
        let lines = asked.elements.filter { $0.attributes["stroke"] == Ink.mark }
        #expect(lines.map { $0.attributes["d"]?.split(separator: " ").first } == ["M378", "M950"])
        #expect(asked.texts.contains("end of answer: silent for 2.400 s, twice the speaker's own pauses"))
        #expect(asked.texts.contains("far quieter than the speaker"))
        let unasked = try Drawing(HearingPlot(file("answer", nil), HearingTrace()).svg)
        #expect(!unasked.elements.contains { $0.attributes["stroke"] == Ink.mark })
        let hatched = unasked.elements.filter { $0.name == "path" && $0.attributes["fill"] == "url(#hatching)" }
        #expect(hatched.count == 1 && hatched[0].attributes["d"]?.hasPrefix("M290 ") == true)
    }

    @Test func aDoubtfulSoundIsPaler() throws {
        let drawing = try Drawing(HearingPlot(answer, HearingTrace()).svg)
        let pale = try #require(drawing.elements.first { $0.name == "path" && $0.attributes["fill"] == Ink.doubtful })
        #expect(pale.attributes["d"]?.hasPrefix("M690 ") == true)
        #expect(drawing.texts.contains("doubtful"))
    }
}
