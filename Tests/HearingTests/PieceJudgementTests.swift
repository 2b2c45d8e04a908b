import Assessment
import Hearing
import HearingWorker
import Testing

/// Tests of the words of a piece that are believed, and of their times.
@Suite struct PieceJudgementTests {
    private static let timeline = SoundTimeline(
        duration: 30, span: TimeRange(1, 29), silences: [TimeRange(12, 22)])
    private static let piece = TimeRange(1, 11)

    private static func heard(
        _ plain: String, _ verbatim: String? = nil, noSpeech: Double = 0.01,
        ends: [HearingReply.Pass.End] = [.said, .said]
    ) -> HearingReply.Heard {
        let passes = zip([plain] + (verbatim.map { [$0] } ?? []), ends).map { text, end in
            HearingReply.Pass(text: text, tokens: 4, logProbability: -0.1, end: end)
        }
        return HearingReply.Heard(
            id: 1, noSpeech: noSpeech, passes: passes, processorSeconds: 1, residentMegabytes: 100)
    }

    private static func judge(_ heard: HearingReply.Heard, _ piece: TimeRange = piece) -> PieceJudgement {
        PieceJudgement(heard, of: piece, in: timeline)
    }

    @Test func hesitationsAreKeptIfBothPassesAgree() {
        let judgement = Self.judge(Self.heard("I think it is good.", "Um, I, I think it is good."))
        #expect(judgement.text == "Um, I, I think it is good." && judgement.isVerbatim && judgement.doubt == nil)
    }

    @Test func aPassWithHesitationsThatSaysSomethingElseIsDropped() {
        let judgement = Self.judge(Self.heard("I think it is good.", "I mean, we went there yesterday, um."))
        #expect(judgement.text == "I think it is good." && !judgement.isVerbatim)
    }

    /// A pass that broke off, or repeats itself, says nothing about the other one.
    @Test(arguments: [HearingReply.Pass.End.full, .loop]) func anIncompletePassWithHesitationsIsDropped(
        _ end: HearingReply.Pass.End
    ) {
        let judgement = Self.judge(Self.heard("I think so.", "Um, I think so.", ends: [.said, end]))
        #expect(judgement.text == "I think so." && judgement.doubt == nil)
    }

    @Test func aVerbatimPassThatRepeatsItselfLosesOnlyItself() {
        let judgement = Self.judge(Self.heard("I think so.", "I, I, I think so."))
        #expect(judgement.text == "I think so." && !judgement.isVerbatim && judgement.doubt == nil)
    }

    @Test(
        arguments: [
            (heard("thank you", noSpeech: 0.9), piece, .noSpeech),
            (heard("thank you for watching"), TimeRange(13, 21), .silence),
            (heard("I was, I was, I was"), piece, .repetition),
            (heard("so", ends: [.loop]), piece, .repetition),
            (heard((0..<60).map { "w\($0)" }.joined(separator: " ")), piece, .tooFast),
            (heard(""), piece, nil),
        ] as [(HearingReply.Heard, TimeRange, HeardSegment.Doubt?)])
    func wordsThatNobodySaidAreDiscarded(
        _ heard: HearingReply.Heard, _ piece: TimeRange, _ doubt: HeardSegment.Doubt?
    ) {
        let judgement = Self.judge(heard, piece)
        #expect(judgement.text == "" && judgement.words.isEmpty && judgement.doubt == doubt)
    }

    // MARK: - Times

    private static func words(_ aligned: [HearingReply.Aligned.Word?]?) -> [HeardWord] {
        let judgement = judge(heard("We met Xiaoming there"))
        let reply = PieceReply(
            heard: heard("We met Xiaoming there"),
            aligned: aligned.map { .init(id: 2, words: $0, distance: 0.3, processorSeconds: 1) })
        return reply.timedWords(of: judgement, in: piece, timeline)
    }

    @Test func withoutPhonesTimesAreRough() {
        let words = Self.words(nil)
        #expect(words.map(\.text) == ["We", "met", "Xiaoming", "there"])
        #expect(words.allSatisfy { $0.isRough == true && $0.doubt == nil })
        #expect(words.first?.start == 1 && abs((words.last?.end ?? 0) - 11) < 1e-9)
    }

    @Test func alignedWordsHaveTimesAndDoubt() {
        let words = Self.words([.init(start: 0.5, end: 0.7), .init(start: 0.7, end: 1), nil, .init(start: 2, end: 2.4)])
        #expect(words.map(\.start) == [1.5, 1.7, 2, 3] && words.map(\.end) == [1.7, 2, 3, 3.4])
        #expect(words.map(\.isRough) == [nil, nil, true, nil])
        #expect(words.allSatisfy { $0.doubt == 0.3 })
    }

    /// A reply for another list of words, or without placed words, gives rough times.
    @Test(arguments: [[nil], [nil, nil, nil, nil]] as [[HearingReply.Aligned.Word?]])
    func uselessAlignmentsAreNotUsed(_ aligned: [HearingReply.Aligned.Word?]) {
        #expect(Self.words(aligned).allSatisfy { $0.isRough == true && $0.doubt == nil })
    }

    @Test func timesOutsideThePieceAreInvalid() {
        let words = Self.words([
            .init(start: -1, end: 0.7), .init(start: 0.7, end: 0.6), .init(start: 9, end: 12),
            .init(start: 2, end: 2.4),
        ])
        #expect(words.map(\.isRough) == [true, true, true, nil])
    }
}
