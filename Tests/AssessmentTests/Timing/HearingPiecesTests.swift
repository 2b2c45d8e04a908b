import ExamCore
import Testing

@testable import Assessment

/// Tests of the pieces that a recogniser gets.
@Suite struct HearingPiecesTests {
    @Test func silenceAroundSpeechIsCutOff() {
        let timeline = SoundTimeline(duration: 10, span: TimeRange(2, 7))
        #expect(timeline.hearingPieces() == [TimeRange(1.75, 7.25)])
    }

    @Test func aPauseAtACutIsCutOffOnBothSides() {
        // The cut is in the middle of the pause, at 11 s.
        let timeline = SoundTimeline(duration: 20, span: TimeRange(0, 20), silences: [TimeRange(9, 13)])
        #expect(timeline.hearingPieces() == [TimeRange(0, 9.25), TimeRange(12.75, 20)])
    }

    @Test func pausesInsideAPieceStay() {
        let timeline = SoundTimeline(duration: 10, span: TimeRange(1, 9), silences: [TimeRange(3, 6)])
        #expect(timeline.hearingPieces() == [TimeRange(0.75, 9.25)])
    }

    @Test func aRecordingWithoutSpeechHasNoPieces() {
        #expect(SoundTimeline(duration: 40).hearingPieces().isEmpty)
    }

    @Test func aLongSilenceHasNoPiece() {
        let timeline = SoundTimeline(duration: 60, span: TimeRange(0, 60), silences: [TimeRange(5, 55)])
        let pieces = timeline.hearingPieces()
        #expect(pieces.first == TimeRange(0, 5.25))
        #expect(pieces.dropFirst().first?.start == 54.75 && pieces.last?.end == 60)
    }

    /// Any speech is in exactly one piece, and pieces are short, in order and apart.
    @Test(arguments: 0..<300) func allSpeechIsHeardOnce(_ seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        func seconds(_ most: UInt64) -> Double { Double(dice.next() % (most * 1000)) / 1000 }
        let duration = 10 + seconds(120)
        let span = TimeRange(seconds(4), duration - seconds(4))
        var (silences, at): ([TimeRange], Double) = ([], span.start)
        while true {
            let start = at + 0.1 + seconds(20)
            let end = start + 0.2 + seconds(9)
            guard end < span.end - 0.1 else { break }
            silences.append(TimeRange(start, end))
            at = end
        }
        let peaks = (0..<Int(duration / SoundTimeline.peakStep)).map { _ in Double(dice.next() % 100) / 100 }
        let pieces = SoundTimeline(duration: duration, span: span, silences: silences, peaks: peaks).hearingPieces()
        #expect(pieces.allSatisfy { 0 < $0.length && $0.length <= 14 + 1e-9 && 0 <= $0.start && $0.end <= duration })
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.end <= $1.start })
        // Look at the middle of each hundredth of a second of speech.
        for moment in stride(from: span.start + 0.005, to: span.end, by: 0.01) {
            let isSpeech = !silences.contains { $0.start <= moment && moment <= $0.end }
            if isSpeech { #expect(pieces.count { $0.start <= moment && moment < $0.end } == 1, "\(moment) s") }
        }
    }
}
