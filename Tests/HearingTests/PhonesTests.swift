import Assessment
import Testing

@testable import Hearing
@testable import HearingWorker

/// Tests that find words, repetitions and speech measures by phones, and tests of the pronouncing dictionary.
@Suite struct PhonesTests {
    /// Makes frames in which the given phones follow one another: each is the most probable one for `count` frames.
    private static func frames(_ phones: [(phone: Int, count: Int)], noise: UInt64 = 0) -> PhoneFrames {
        var state = noise
        let logs = phones.flatMap { phone, count in
            (0..<(count * 191)).map { index -> Float in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let noise = noise == 0 ? 0 : Float(state >> 40) / Float(1 << 24)
                return (index % 191 == phone ? -0.2 : -6) - noise
            }
        }
        return PhoneFrames(logs: logs, width: 191)
    }

    private static let blank = PhoneFrames.blank

    /// Two words of two phones each, with silence before, between and after them. Each phone lasts 5 frames.
    @Test(arguments: 0..<20) func wordsAreFoundAtTheirPlaces(_ noise: UInt64) {
        let frames = Self.frames(
            [
                (Self.blank, 10), (8, 5), (12, 5), (PhoneFrames.boundary, 2), (Self.blank, 8), (39, 5), (Self.blank, 1),
                (34, 5), (Self.blank, 9),
            ], noise: noise)
        let words = PhoneAlignment(of: [[8, 12], [39, 34]], in: frames).words
        #expect(words.count == 2)
        for (word, place) in zip(words, [TimeRange(0.2, 0.4), TimeRange(0.6, 0.82)]) {
            #expect(abs((word?.start ?? 9) - place.start) <= 0.021 && abs((word?.end ?? 9) - place.end) <= 0.021)
        }
    }

    @Test func aWordWithoutPhonesHasNoPlace() {
        let frames = Self.frames([(Self.blank, 10), (8, 5), (Self.blank, 5), (39, 5), (Self.blank, 9)])
        let words = PhoneAlignment(of: [[8], [], [39]], in: frames).words
        #expect(words.map { $0 == nil } == [false, true, false])
    }

    @Test func moreWordsThanThereIsRoomForHaveNoPlaces() {
        let frames = Self.frames([(8, 10)])
        let words = PhoneAlignment(of: [[8, 12, 8], [12, 8, 12]], in: frames).words
        #expect(words == [nil, nil])
        #expect(PhoneAlignment(of: [[], []], in: frames).words == [nil, nil])
        #expect(PhoneAlignment(of: [], in: frames).words.isEmpty)
    }

    // MARK: - Repetitions

    /// "is" and "big" as phones.
    private static let (is_, big) = ([101, 57], [10, 101, 18])

    /// Frames in which words are said one after the other, with 40 ms between them.
    private static func said(_ words: [Int]..., noise: UInt64) -> PhoneFrames {
        let gap: [(phone: Int, count: Int)] = [(PhoneFrames.boundary, 1), (blank, 2)]
        return frames([(blank, 5)] + words.flatMap { $0.map { ($0, 4) } + gap }, noise: noise)
    }

    private static func repetitions(_ words: [[Int]], _ frames: PhoneFrames) -> [SaidAgain] {
        PhoneRepetitions(of: words, at: PhoneAlignment(of: words, in: frames).words, in: frames).groups
    }

    @Test(arguments: 0..<20) func aWordThatIsSaidTwiceIsFound(_ noise: UInt64) {
        let twice = Self.said(Self.big, Self.is_, Self.is_, Self.big, noise: noise)
        #expect(Self.repetitions([Self.big, Self.is_, Self.big], twice) == [SaidAgain(first: 1, count: 1)])
        #expect(Self.repetitions([Self.big, Self.is_, Self.is_, Self.big], twice).isEmpty, "it is written already")
        let once = Self.said(Self.big, Self.is_, Self.big, noise: noise)
        #expect(Self.repetitions([Self.big, Self.is_, Self.big], once).isEmpty)
    }

    @Test func aGroupOfWordsIsFoundAsOne() {
        let frames = Self.said([39, 34], Self.big, Self.is_, Self.big, Self.is_, [39, 34], noise: 3)
        #expect(
            Self.repetitions([[39, 34], Self.big, Self.is_, [39, 34]], frames) == [SaidAgain(first: 1, count: 2)])
    }

    /// A phone that seems to be said twice may be a single long one.
    @Test func aSinglePhoneIsNotRepeated() {
        let frames = Self.said([8], [8], Self.big, noise: 1)
        #expect(Self.repetitions([[8], Self.big], frames).isEmpty)
    }

    @Test func wordsAreSaidAgainOnlyIfThereAreSuchWords() {
        let words = ["a", "b", "c"]
        #expect([SaidAgain]().applied(to: words) == words)
        #expect(
            [SaidAgain(first: 0, count: 1), .init(first: 1, count: 2)].applied(to: words) == [
                "a", "a", "b", "c", "b", "c",
            ])
        for bad in [SaidAgain(first: -1, count: 1), .init(first: 2, count: 2), .init(first: 0, count: 0)] {
            #expect([bad].applied(to: words) == nil)
        }
        #expect([SaidAgain(first: 1, count: 2), .init(first: 2, count: 1)].applied(to: words) == nil, "they overlap")
    }

    @Test func thePhonesOfASoundAreComparedWithThoseOfWords() {
        let frames = Self.frames([(Self.blank, 3), (8, 4), (Self.blank, 1), (8, 2), (12, 2), (PhoneFrames.boundary, 2)])
        #expect(frames.phones == [8, 8, 12])
        #expect(frames.distance(to: [8, 8, 12]) == 0)
        #expect(frames.distance(to: [8, 12]) == 0.5)
        #expect(frames.distance(to: [8, 8, 39]) == 1.0 / 3)
        // ə and ʌ are alike.
        #expect(Self.frames([(89, 3)]).distance(to: [125]) == 0)
    }

    @Test func theHeardShareOfEachWordIsFound() {
        let comparison = PhoneComparison(heard: [8, 12, 39], words: [[8, 12], [], [34, 34], [39]])
        #expect(comparison.shares == [1, nil, 0, 1])
        #expect(comparison.distance == 2.0 / 5)
        let silence = PhoneComparison(heard: [], words: [[8], [12]])
        #expect(silence.shares == [0, 0] && silence.distance == 1)
        #expect(PhoneComparison(heard: [8], words: []).shares.isEmpty)
        // ə and ʌ are alike.
        #expect(PhoneComparison(heard: [89], words: [[125]]).shares == [1])
    }

    /// Rate and clarity need phones but no words. Two pieces can be combined, and the gap between them counts.
    @Test func phonesHaveARateAndClarity() throws {
        let frames = Self.frames([(Self.blank, 10), (8, 5), (12, 5), (Self.blank, 15), (39, 5)])
        #expect(frames.spots.map(\.frame) == [10, 15, 35])
        let heard = try #require(frames.heard)
        #expect(heard.count == 3 && abs(heard.first - 0.2) < 1e-9 && abs(heard.last - 0.7) < 1e-9)
        #expect(abs(heard.clarity + 0.6) < 1e-6)
        #expect(Self.frames([(Self.blank, 10), (PhoneFrames.boundary, 3)]).heard == nil)
        let whole = heard.followed(by: heard.moved(by: 2))
        #expect(whole.count == 6 && abs(whole.last - 2.7) < 1e-9)
        #expect(abs(whole.clarity - 2 * heard.clarity) < 1e-9)
        #expect(heard.features.isEmpty, "three phones say nothing")
        let long = try #require(HeardPhones((0..<20).map { (start: 0.1 * Double($0), clarity: -0.5) }))
        #expect(long.features == ["phoneRate": 2.3026, "phoneClarity": -0.5])
    }

    // MARK: - Pronunciations

    private static let dictionary = Pronunciations(
        text: Array(
            """
            ;;; a comment
            but B AH1 T
            a AH0
            a(2) EY1
            don't D OW1 N T
            fifty F IH1 F T IY2
            forty F AO1 R T IY0
            two T UW1 # a number
            london L AH1 N D AH0 N
            broken XX Y
            """.utf8))

    @Test(arguments: [
        ("But", [10, 125, 41]), ("but,", [10, 125, 41]), ("a", [89]), ("“don’t”", [12, 34, 32, 41]),
        ("London's", [30, 125, 32, 12, 89, 32, 57]), ("50", [17, 101, 17, 41, 20]),
        ("42", [17, 83, 113, 41, 20, 41, 48]), ("fifty-two", [17, 101, 17, 41, 20, 41, 48]), ("two.", [41, 48]),
        ("Xiaoming", []), ("broken", []), ("—", []), ("", []), ("but-Xiao", []),
    ]) func wordsHavePhones(_ word: String, _ phones: [Int]) {
        #expect(Self.dictionary.phones(of: word) == phones)
    }

    @Test(arguments: [
        ("0", "zero"), ("7", "seven"), ("12", "twelve"), ("20", "twenty"), ("42", "forty two"),
        ("305", "three hundred and five"), ("1994", "nineteen ninety four"), ("1900", "nineteen hundred"),
        ("1905", "nineteen oh five"), ("2000", "two thousand"), ("2005", "two thousand five"),
        ("2024", "twenty twenty four"), ("007", "zero zero seven"), ("12345", "one two three four five"),
    ]) func numbersAreReadAloud(_ digits: String, _ words: String) {
        #expect(SpokenNumber.words(digits).joined(separator: " ") == words)
    }
}
