import Assessment
import Reports
import Testing

/// Tests that criteria without marks are listed with the reason.
@Suite struct UnjudgedTests {
    /// Returns a transcript. If `isVerbatim` is nil, the candidate typed the words.
    private static func transcript(isVerbatim: Bool?) -> AnswerTranscript {
        var transcript = AnswerTranscript(
            answer: "part1_q1", recording: "hash", source: isVerbatim == nil ? .own : .recogniser, writtenAt: "",
            text: "I live here")
        transcript.isVerbatim = isVerbatim
        return transcript
    }

    /// Most recognisers remove fillers, so "no fillers" would be a false compliment.
    @Test(
        arguments: [
            ([false], true), ([nil, false], true), ([true], false), ([false, true], false), ([nil], false), ([], false),
        ] as [([Bool?], Bool)]) func fillersAreNotAssessedUnlessTheTranscriptHasThem(_ all: [Bool?], _ isSaid: Bool)
    {
        let list = ReportContent.unjudged(nil, transcripts: all.map(Self.transcript))
        #expect(list.contains { $0.what == "fillers" } == isSaid)
    }
}
