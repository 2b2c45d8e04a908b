import Testing

@testable import oracy

/// The exact output of each format for a few segments.
@Suite struct SegmentFormats {
    private static func file(_ name: String, _ milliseconds: Int, _ segments: (Int, Int, Double)...) -> HeardFile {
        HeardFile(
            name: name, path: "takes/\(name).flac", duration: .milliseconds(milliseconds),
            sounds: segments.map { start, end, level in
                .init(start: .milliseconds(start), end: .milliseconds(end), levelDBFS: level)
            })
    }

    private let answer = file("answer", 4_005, (300, 1_370, -21.04), (2_000, 4_005, -30))
    private let silence = file("silence", 2_500)
    private let nothing = file("nothing", 0)
    private let speech = file("speech", 1_000, (0, 1_000, -120))

    @Test func peopleGetATableWithATotal() {
        let text = VadFormat.list.text([answer, silence, nothing])
        #expect(
            text == """
                answer
                  start s  end s  length s  level dBFS
                    0.300  1.370     1.070       -21.0
                    2.000  4.005     2.005       -30.0
                  speech 3.075 s of 4.005 s (77 %), 2 segments

                silence
                  speech 0.000 s of 2.500 s (0 %), 0 segments

                nothing
                  speech 0.000 s of 0.000 s (0 %), 0 segments

                """)
    }

    @Test func tablesGetARowForEachSegment() {
        #expect(
            VadFormat.csv.text([answer, silence, speech])
                == "file,start_s,end_s\nanswer,0.300,1.370\nanswer,2.000,4.005\nspeech,0.000,1.000\n")
        #expect(VadFormat.csv.text([silence]) == "file,start_s,end_s\n")
    }

    @Test(arguments: [("a,b", "\"a,b\""), ("5\" tape", "\"5\"\" tape\""), ("a\nb", "\"a\nb\""), ("a b", "a b")])
    func namesThatWouldBreakATableAreQuoted(_ name: String, _ field: String) {
        let text = VadFormat.csv.text([Self.file(name, 100, (0, 100, -20))])
        #expect(text == "file,start_s,end_s\n\(field),0.000,0.100\n")
    }

    @Test func programsGetEveryNumberWithItsUnit() {
        #expect(
            VadFormat.json.text([answer, nothing]) == """
                {
                  "files" : [
                    {
                      "durationSeconds" : 4.005,
                      "file" : "answer",
                      "path" : "takes/answer.flac",
                      "segments" : [
                        {
                          "doubtful" : false,
                          "endSeconds" : 1.37,
                          "levelDBFS" : -21,
                          "startSeconds" : 0.3
                        },
                        {
                          "doubtful" : false,
                          "endSeconds" : 4.005,
                          "levelDBFS" : -30,
                          "startSeconds" : 2
                        }
                      ],
                      "soundsNotCounted" : [

                      ],
                      "speechPart" : 0.768,
                      "speechSeconds" : 3.075
                    },
                    {
                      "durationSeconds" : 0,
                      "file" : "nothing",
                      "path" : "takes/nothing.flac",
                      "segments" : [

                      ],
                      "soundsNotCounted" : [

                      ],
                      "speechPart" : 0,
                      "speechSeconds" : 0
                    }
                  ]
                }

                """)
    }

    @Test func audacityGetsALabelTrack() {
        #expect(VadFormat.labels.text([answer]) == "0.300\t1.370\tspeech\n2.000\t4.005\tspeech\n")
        #expect(VadFormat.labels.text([silence]) == "")
    }

    @Test func praatGetsATierWithoutGaps() {
        #expect(
            VadFormat.textGrid.text([answer]) == """
                File type = "ooTextFile"
                Object class = "TextGrid"

                xmin = 0
                xmax = 4.005
                tiers? <exists>
                size = 1
                item []:
                    item [1]:
                        class = "IntervalTier"
                        name = "speech"
                        xmin = 0
                        xmax = 4.005
                        intervals: size = 4
                        intervals [1]:
                            xmin = 0
                            xmax = 0.300
                            text = ""
                        intervals [2]:
                            xmin = 0.300
                            xmax = 1.370
                            text = "speech"
                        intervals [3]:
                            xmin = 1.370
                            xmax = 2.000
                            text = ""
                        intervals [4]:
                            xmin = 2.000
                            xmax = 4.005
                            text = "speech"

                """)
    }

    @Test func aTierCoversItsWholeRecording() throws {
        let adjoining = Self.file("adjoining", 900, (100, 300, -20), (300, 500, -20))
        for (file, texts) in [
            (silence, [""]), (speech, ["speech"]), (nothing, []), (adjoining, ["", "speech", "speech", ""]),
        ] {
            let grid = try Grid(VadFormat.textGrid.text([file]))
            #expect(grid.intervals.map(\.text) == texts, "\(file.name)")
            #expect(grid.isContiguous, "\(file.name)")
        }
    }
}

/// The only tier of a TextGrid, read like Praat reads the long format: numbers and texts in order, without the words in
/// between.
struct Grid {
    struct Interval: Equatable {
        var start: Double
        var end: Double
        var text: String
    }

    var end: Double
    var intervals: [Interval]

    init(_ text: String) throws {
        let values = text.split(separator: "\n").compactMap { line -> String? in
            line.contains("=") ? line.split(separator: "= ", maxSplits: 1).last.map(String.init) : nil
        }
        try #require(values.prefix(2) == ["\"ooTextFile\"", "\"TextGrid\""])
        // The values xmin, xmax, size, class, name, xmin, xmax, size, and three for each interval.
        try #require(values.count >= 10 && values[4] == "1" && values[5] == "\"IntervalTier\"")
        try #require(values[6] == "\"speech\"" && values[2] == values[7] && values[3] == values[8])
        let (end, count) = try (#require(Double(values[3])), #require(Int(values[9])))
        try #require(values.count == 10 + 3 * count)
        self.end = end
        intervals = try (0..<count).map { index in
            let fields = values[(10 + 3 * index)...]
            let (start, end) = try (
                #require(Double(fields[fields.startIndex])), #require(Double(fields[fields.startIndex + 1]))
            )
            return Interval(start: start, end: end, text: fields[fields.startIndex + 2].filter { $0 != "\"" })
        }
    }

    /// Whether the intervals cover the time from 0 to the end without gaps, and none is empty.
    var isContiguous: Bool {
        var reached = 0.0
        for interval in intervals {
            guard interval.start == reached, interval.end > interval.start else { return false }
            reached = interval.end
        }
        return reached == end
    }
}
