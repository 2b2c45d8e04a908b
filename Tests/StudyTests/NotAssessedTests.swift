import Assessment
import Study
import Testing

/// Aspects of an exam that nothing judged.
@Suite struct NotAssessedTests {
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
        let entry = ExamEntry(id: "exam", format: nil, paper: nil, startedAt: nil, ending: nil)
        var evidence = ExamEvidence(
            entry: entry, name: "exam", frozen: nil, answers: [], assessment: .make(session: "exam", answers: []))
        evidence.typed = all.map(Self.transcript)
        let dossier = ExamDossier(evidence, after: [], by: .ielts)
        #expect(dossier.notAssessed.contains(.fillers) == isSaid)
        #expect(dossier.notAssessed.contains(.words) == all.isEmpty)
    }
}
