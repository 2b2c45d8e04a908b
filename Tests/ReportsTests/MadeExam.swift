import Assessment
import ExamCore

@testable import Reports

/// A small exam for reports: one part, two answers, one of them with a transcript and marks.
enum MadeExam {
    static let sound = MeasuredSound(
        timeline: SoundTimeline(
            duration: 14, span: TimeRange(0.5, 13.5), silences: [TimeRange(4, 5.2), TimeRange(9, 9.4)],
            syllables: stride(from: 0.6, to: 13.4, by: 0.3).map { ($0 * 1000).rounded() / 1000 }.filter {
                !(4...5.2).contains($0) && !(9...9.4).contains($0)
            }, peaks: (0..<280).map { Double($0 % 10) / 10 }),
        speechOverNoise: 40, clippedShare: 0,
        features: ["spectralTempo": -0.6, "peakRate": 1.3, "voiceGaps": 0.12, "pitchBend": -2.2])

    static func record(_ order: Int) -> AnswerRecord {
        AnswerRecord(
            question: "q\(order)", part: 1, order: order, end: "finished", duration: Seconds(.seconds(14)),
            speech: Seconds(.seconds(11)))
    }

    static func content(
        question: String = "Where do you live?", text: String = "I lives in a small town.", comment: String = "clear",
        recording: ReportedSound? = nil
    ) -> ReportContent {
        let assessment = ExamAssessment.make(
            session: "2026-11-23-a1",
            answers: [1, 2].map { .init(record: record($0), recording: "ab\($0)", sound: sound) })
        let transcript = AnswerTranscript(
            answer: "part1_q1", recording: "ab1", source: .own, writtenAt: "2026-11-23T10:00:00Z", text: text,
            checks: [
                LanguageCheck(
                    source: "harper 0.2.0",
                    mistakes: [Mistake(original: "lives", correction: "live", type: "grammar", start: 2, end: 7)])
            ])
        let sheet = MarkSheet(
            marker: "Ada", markedAt: "2026-11-23T11:00:00Z", rubric: "ielts-style/1", bands: [.fluency: 6.5],
            comments: [MarkComment(answer: "part1_q1", at: 4.5, text: comment)])
        let words = ExamText(of: assessment, [transcript])
        let answers = assessment.answers.enumerated().map { index, answer in
            ReportedAnswer(
                record: answer.record, number: answer.record.order, question: question, sound: answer.sound,
                delivery: answer.delivery, recording: recording, transcripts: index == 0 ? [transcript] : [],
                text: words[answer.record.name])
        }
        return ReportContent(
            session: "2026-11-23-a1", title: "IELTS-style: Bridges", startedAt: "2026-11-23T09:00:00Z",
            outcome: "completed", answers: answers, delivery: assessment.delivery, parts: assessment.parts,
            text: words.exam,
            sheets: [sheet], result: ExamResult.make(sheets: [sheet]),
            steps: [
                NextStep(
                    rule: "longPauses", advice: "Think before you speak.", evidence: "1 pause is longer than a second.",
                    figure: StepFigure("longestPause", 2.5, "s", 2, error: 0.04),
                    answer: "part1_q1", at: 4, action: .sit(part: 1))
            ],
            command: { $0 == .sit(part: 1) ? "oracy run --part 1" : "" },
            notAssessed: [.init(what: "grammar", why: "It was not marked.")])
    }
}
