import ExamCore
import Testing

@testable import Assessment

/// Tests of machines' marks that contradict the measurements and wait for a person, and of exact sums of marks.
@Suite struct HeldMarkTests {
    private static func result(_ mark: Double, _ limits: MarkLimits, sheets: [MarkSheet] = []) -> ExamResult {
        ExamResult.make(
            sheets: sheets, findings: findings("part1_q1", speech: 30, mark),
            answers: [SpokenAnswer(name: "part1_q1", speech: 30, recording: "part1_q1-hash")], limits: limits)
    }

    @Test func aNineForHesitantSpeechIsHeldWithTheReason() throws {
        let result = Self.result(9, MarkLimits(index: 4, tokens: 400))
        for criterion in Criterion.allCases { #expect(result.mark(criterion) == nil) }
        #expect(
            result.reason(.fluency)?.hasPrefix(
                "scorer: held for a person: 9.0 was given, and the mark is 5.4 bands away from the measured delivery, "
                    + "which is 4.0 of 10") == true)
        let held = try #require(result.criteria[.fluency]?.held?.first)
        #expect(held.source == "scorer" && held.answer == nil && held.mark == 9)
        #expect(result.isHeld && result.overall.mark == nil)
    }

    @Test func marksWithinTheMeasuredDeliveryCount() {
        // 8.0 of 10 is 7.2 bands: 9 is 1.8 away.
        let fluent = Self.result(9, MarkLimits(index: 8, tokens: 400))
        #expect(fluent.overall == .mark(9) && !fluent.isHeld)
        // 6.0 of 10 is 5.4 bands: 8.5 is 3.1 away, which is allowed for grammar but not for fluency.
        let steady = Self.result(8.5, MarkLimits(index: 6, tokens: 400))
        #expect(steady.mark(.fluency) == nil && steady.mark(.grammar) == 8.5)
        #expect(Self.result(9, .unknown).overall == .mark(9), "a mark is not held if nothing was measured")
    }

    @Test func aFewWordsShowNoWideRange() {
        let short = Self.result(8, MarkLimits(index: nil, tokens: 12))
        #expect(short.mark(.grammar) == nil && short.mark(.vocabulary) == nil && short.mark(.fluency) == 8)
        #expect(short.reason(.grammar)?.contains("12 words are too few") == true)
        #expect(Self.result(7.5, MarkLimits(index: nil, tokens: 12)).mark(.grammar) == 7.5)
        #expect(Self.result(8, MarkLimits(index: nil, tokens: 100)).mark(.grammar) == 8)
    }

    /// Marks are held until a person has marked, so a person's own mark counts at once.
    @Test func aPersonsMarkIsNeverHeld() {
        let sheet = sheet("Ada", 9, vocabulary: 9, grammar: 9, pronunciation: 9)
        let result = Self.result(9, MarkLimits(index: 4, tokens: 12), sheets: [sheet])
        #expect(result.overall == .mark(9) && !result.isHeld)
    }

    @Test func marksOfAnAnswerThatInstructsAreHeld() throws {
        var finding = AssessorFinding(answer: "part1_q1", recording: "part1_q1-hash", source: machine(), saidAt: "")
        finding.evidence = findings("part1_q1", speech: 30, 9)
        #expect(finding.countedEvidence == finding.evidence)
        finding.suspectInstructions = true
        let result = ExamResult.make(
            sheets: [], findings: finding.countedEvidence,
            answers: [SpokenAnswer(name: "part1_q1", speech: 30, recording: "part1_q1-hash")])
        #expect(result.mark(.grammar) == nil && result.isHeld)
        #expect(result.reason(.grammar)?.contains("seems to give its marker instructions") == true)
        let held = try #require(result.criteria[.grammar]?.held)
        #expect(held.map(\.answer) == ["part1_q1"] && held.map(\.mark) == [9])
    }

    /// In binary fractions 0.1 + 0.2 is not 0.3, and a six was once 5.999999999999999.
    @Test(arguments: [[0.1, 0.2, 0.7], [1.1, 2.2, 3.3], [12.345, 0.055, 7.6], [0.3, 0.6, 0.9]])
    func equalMarksComeToThatMark(_ speech: [Double]) {
        let answers = speech.enumerated().map {
            SpokenAnswer(name: "part1_q\($0.offset + 1)", speech: $0.element, recording: "")
        }
        for mark in [6.0, 6.5, 7.0] {
            let said = answers.flatMap { findings($0.name, speech: $0.speech, mark) }
            #expect(ExamResult.make(sheets: [], findings: said, answers: answers).mark(.grammar) == mark)
        }
    }

    @Test func sharesOfMachinesComeToTheirMark() {
        var rules = ResultRules.ielts
        rules.shares = [
            .grammar: [
                .init(source: "a", weight: 0.7), .init(source: "b", weight: 0.1), .init(source: "c", weight: 0.2),
            ]
        ]
        let said = ["a", "b", "c"].map { finding(.grammar, "part1_q1", speech: 10, 6, by: machine($0)) }
        #expect(ExamResult.make(sheets: [], findings: said, rules: rules).mark(.grammar) == 6)
    }

    /// A candidate who says their name is not judged by it.
    @Test func introductionsAreNotMeasured() {
        let sound = MeasuredSound(
            timeline: SoundTimeline(duration: 80, span: TimeRange(0, 80), silences: []), speechOverNoise: 40,
            clippedShare: 0)
        let records = ["full-name", "home-1"].enumerated().map {
            AnswerRecord(
                question: $0.element, part: 1, order: $0.offset + 1, end: "finished", duration: Seconds(.seconds(80)),
                speech: Seconds(.seconds(80)))
        }
        let assessment = ExamAssessment.make(
            session: "s", answers: records.map { .init(record: $0, recording: $0.question, sound: sound) })
        #expect(assessment.answers.map(\.record.question) == ["home-1"])
        #expect(assessment.delivery.measures.answers == 1 && assessment.parts[0].delivery.measures.answers == 1)
    }
}
