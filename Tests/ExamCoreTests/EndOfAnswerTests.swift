import Testing

@testable import ExamCore

/// Tests of the end of an answer, as pictures with tenths of a second: `#` is speech, `~` a doubtful sound, `-` a
/// distant one, `.` silence, and `|` the moment at which the answer is over. Half a second of silence ends it.
@Suite struct EndOfAnswerTests {
    @Test(arguments: [
        Picture("..........", "silence alone is the ladder's business"),
        Picture("..####.....|...", "silence after speech", .plain),
        Picture("..####", "not during speech"),
        Picture("..####....###....##.....|", "shorter silences are pauses", .plain),
        Picture("..##########.....|", "however long the speech", .plain),

        Picture("..####..-..|..", "a distant sound leaves the silence counting", .distant(1)),
        Picture("..####..-.-|.-", "one that ends at the very moment too", .distant(2)),
        Picture("..####...-----|...", "the end waits for a sound in progress", .distant(1)),
        Picture("..####..-.##.....|", "speech after it goes on", .distant(1)),
        Picture("..--......-.......", "before the first word it leaves the answer awaited"),
        Picture("..--..####.....|", "and the first word comes after it", .distant(1)),

        Picture("..~.....|...", "\"Yes.\" is over after one silence", .plain),
        Picture("..~...####.....|", "unless more comes", .plain),
        Picture("..####...~.....|", "a doubtful sound puts the end off", .plain),
        Picture("..####...~...~..|.~...~", "by one silence at most", .putOff),
        Picture("..####...~~..~~~|...~", "whenever the last one comes", .putOff),
        Picture("..####....~..~~~~~|..", "even a sound in progress, for which the end waits", .putOff),
        Picture("..####....~..~~#", "though it may turn out to be speech"),
        Picture("..####.~.~.~.~.~|.~.~", "however many they are", .putOff),
        Picture("..####...~....####...~...~..|.~", "speech starts it again", .putOff),
        Picture("..~...~...~..|..~...~", "doubtful sounds alone have two silences after the first", .putOff),
        Picture("..####...~..-..|..", "a distant sound after it does not", .distant(1)),
        Picture("..####...~.-.~.-|.~", "both kinds together", .init(.half, isPutOff: true, distant: 2)),
    ])
    func theAnswerEndsAtTheMarkInThePicture(_ picture: Picture) {
        let heard = picture.heard()
        #expect(heard.text == picture.text)
        #expect(heard.reason == picture.reason)
    }

    /// If the silence became long enough at the same moment, that is the simpler reason.
    @Test func aLongEnoughSilenceIsNotPutOff() throws {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        ending.hear(.doubtful, from: 7, to: 7.1)  // Past the bound. A minimum kept the answer open.
        #expect(try #require(ending.reason(at: seconds(7.2), silence: .seconds(2))).isPutOff)
        #expect(try !#require(ending.reason(at: seconds(9.1), silence: .seconds(2))).isPutOff)
    }

    @Test func theReasonSaysWhatItWasTold() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        #expect(ending.reason(at: seconds(4.39), silence: .milliseconds(2_400), isOwn: true) == nil)
        let reason = ending.reason(at: seconds(4.4), silence: .milliseconds(2_400), isOwn: true)
        #expect(reason == .init(.milliseconds(2_400), isOwn: true))
    }

    // MARK: - Pauses

    /// A pause has the length that the silence had reached when the candidate continued, since the silence at an
    /// answer's end must be longer.
    @Test(arguments: [
        ("####..###...##", [2, 3], "between speech and speech"),
        ("...####", [], "thinking before the first word is not a pause"),
        ("####.......", [], "nor is a silence that no word has ended"),
        ("####..-.##", [4], "a distant sound lies within it"),
        ("####..-.", [], "and does not end it"),
        ("####..~...##", [3], "after a doubtful sound the silence began anew"),
        ("####..~", [], "a doubtful sound does not end a pause"),
        ("~..####", [2], "a doubtful sound may have been the first word"),
        ("--..####", [], "a distant one was not"),
    ])
    func onlySpeechEndsAPause(_ text: String, _ tenths: [Int], _ why: Comment) {
        #expect(Picture(text, "").heard().pauses == tenths.map { .milliseconds($0 * 100) }, why)
    }

    // MARK: - The examiner speaks

    @Test func aPauseThatTheExaminerBrokeIsNotLearned() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        ending.resume(.pausing(since: seconds(5)), at: seconds(5))
        ending.began(at: seconds(6))
        #expect(ending.ended(at: seconds(7), as: .speech) == nil)
        ending.began(at: seconds(8))
        #expect(ending.ended(at: seconds(9), as: .speech) == .seconds(1))
    }

    @Test func afterTheExaminerTheDoubtIsForgotten() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        ending.hear(.doubtful, from: 3.5, to: 3.6)
        ending.resume(.pausing(since: seconds(5)), at: seconds(5))
        #expect(ending.reason(at: seconds(6.9), silence: .seconds(2)) == nil, "6 s would be two silences after speech")
        #expect(ending.reason(at: seconds(7), silence: .seconds(2)) == .init(.seconds(2)))
        ending.hear(.doubtful, from: 6.5, to: 6.6)
        ending.hear(.doubtful, from: 8.5, to: 8.6)
        ending.hear(.doubtful, from: 10.3, to: 10.4)
        #expect(ending.reason(at: seconds(10.5), silence: .seconds(2)) == nil)
        #expect(ending.reason(at: seconds(10.6), silence: .seconds(2)) == .init(.seconds(2), isPutOff: true))
    }

    @Test func askedAgainTheAnswerIsAwaited() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        ending.resume(.silent(since: seconds(5)), at: seconds(5))
        #expect(ending.reason(at: seconds(60), silence: .seconds(2)) == nil)
        #expect(ending.speech == .seconds(1), "later sounds don't remove speech")
        ending.hear(.distant, from: 6, to: 7)
        #expect(ending.voice == .silent(since: seconds(5)))
        #expect(ending.reason(at: seconds(60), silence: .seconds(2)) == nil)
    }

    @Test func soundsNotCountedAreCountedInTheWholeAnswer() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.distant, from: 1, to: 2)
        ending.resume(.silent(since: seconds(5)), at: seconds(5))
        ending.hear(.speech, from: 6, to: 7)
        ending.hear(.distant, from: 8, to: 8.5)
        #expect(ending.reason(at: seconds(9), silence: .seconds(2)) == .init(.seconds(2), distant: 2))
    }

    // MARK: - A detector that reports too much or too little

    @Test func anEndWithoutABeginningIsIgnored() {
        for sound in [EndOfAnswer.Sound.speech, .doubtful, .distant] {
            var ending = EndOfAnswer(at: seconds(1))
            #expect(ending.ended(at: seconds(2), as: sound) == nil)
            #expect(ending == EndOfAnswer(at: seconds(1)))
            ending.hear(.speech, from: 2, to: 3)
            let before = ending
            #expect(ending.ended(at: seconds(4), as: sound) == nil)
            #expect(ending == before)
        }
    }

    @Test func aRepeatedBeginningCountsOnce() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 2)
        ending.began(at: seconds(3))
        ending.began(at: seconds(3.5))
        var distant = ending
        distant.ended(at: seconds(4), as: .distant)
        #expect(distant.voice == .pausing(since: seconds(2)))
        #expect(ending.ended(at: seconds(4), as: .speech) == .seconds(1))
        #expect(ending.speech == .seconds(2))
    }

    @Test func datesBeforeTheSilenceCountFromItsBeginning() {
        var ending = EndOfAnswer(at: seconds(5))
        ending.began(at: seconds(4))
        #expect(ending.voice == .speaking(since: seconds(5)))
        ending.ended(at: seconds(4.5), as: .speech)
        #expect(ending.voice == .pausing(since: seconds(5)))
        #expect(ending.speech == .zero)
    }

    @Test func noMomentCountsAsSpeechTwice() {
        var ending = EndOfAnswer(at: .zero)
        ending.hear(.speech, from: 1, to: 3)
        ending.began(at: seconds(2.5))
        #expect(ending.ended(at: seconds(4), as: .speech) == .zero)
        #expect(ending.speech == .seconds(3))
        ending.hear(.distant, from: 5, to: 6)
        #expect(ending.speech == .seconds(3))
        ending.hear(.doubtful, from: 6.5, to: 7)
        #expect(ending.speech == .milliseconds(3_500), "a short word may be one")
    }
}

/// An answer in tenths of a second, and the reason why it must end.
struct Picture: Sendable, CustomTestStringConvertible {
    var text: String
    var why: String
    var reason: EndOfAnswer.Reason?

    init(_ text: String, _ why: String, _ reason: EndOfAnswer.Reason? = nil) {
        self.text = text
        self.why = why
        self.reason = reason
    }

    var testDescription: String { "\(text) \(why)" }

    /// Returns the picture with the end where `EndOfAnswer` sees it. It stops listening there.
    func heard() -> (text: String, reason: EndOfAnswer.Reason?, pauses: [Duration]) {
        let tenths = text.filter { $0 != "|" }.map { $0 }
        var ending = EndOfAnswer(at: .zero)
        var pauses: [Duration] = []
        for tenth in 0...tenths.count {
            let now = seconds(Double(tenth) / 10)
            let before: Character = tenth > 0 ? tenths[tenth - 1] : "."
            let after: Character = tenth < tenths.count ? tenths[tenth] : before
            if before != after {
                // `~#`: the detector knows the kind of a sound only when it is over.
                if let sound = Self.sounds[before], Self.sounds[after] == nil {
                    if let pause = ending.ended(at: now, as: sound) { pauses.append(pause) }
                } else if Self.sounds[before] == nil {
                    ending.began(at: now)
                }
            } else if tenth == tenths.count, let sound = Self.sounds[before] {
                if let pause = ending.ended(at: now, as: sound) { pauses.append(pause) }
            }
            if let reason = ending.reason(at: now, silence: .half) {
                return (String(tenths[..<tenth]) + "|" + String(tenths[tenth...]), reason, pauses)
            }
        }
        return (String(tenths), nil, pauses)
    }

    private static let sounds: [Character: EndOfAnswer.Sound] = ["#": .speech, "~": .doubtful, "-": .distant]
}

extension EndOfAnswer {
    mutating func hear(_ sound: Sound, from first: Double, to last: Double) {
        began(at: seconds(first))
        ended(at: seconds(last), as: sound)
    }
}

extension EndOfAnswer.Reason {
    init(_ silence: Duration, isOwn: Bool = false, isPutOff: Bool = false, distant: Int = 0) {
        self.init(silence: silence, isOwn: isOwn, isPutOff: isPutOff, soundsNotCounted: distant)
    }

    static let plain = Self(.half)
    static let putOff = Self(.half, isPutOff: true)
    static func distant(_ count: Int) -> Self { Self(.half, distant: count) }
}

extension Duration {
    fileprivate static let half = Duration.milliseconds(500)
}
