import Assessment
import ExamCore
import Foundation
import Testing

/// Tests with a worked example of each fault in the reference app's results that Oracy must not have.
@Suite struct ResultTests {
    /// Twelve answers of 15 s have the mark 5, and a talk of two minutes has 7. The mean of the answers is (12 × 5 + 7)
    /// ÷ 13 = 5.15. Weighted by speech it is (180 × 5 + 120 × 7) ÷ 300 = 5.8.
    @Test func shortAnswersDoNotDrownTheTalk() throws {
        let short = (1...12).flatMap { findings("part1_q\($0)", speech: 15, 5) }
        let result = ExamResult.make(sheets: [], findings: short + findings("part2_q1", speech: 120, 7))
        for criterion in Criterion.allCases {
            let mark = try #require(result.mark(criterion))
            #expect(abs(mark - 5.8) < 1e-12)
        }
        #expect(result.overall == .mark(5.5))
    }

    /// Two answers have 6.3 and 6.2, and 6.0 and 6.1 in grammar. Rounding three times to the nearest half gives 6.5 and
    /// 6 → 6.25 → 6.5, grammar 6, and their mean 6.375 → 6.5. Rounding once gives (3 × 6.25 + 6.05) ÷ 4 = 6.2 → 6.
    @Test func marksAreRoundedOnceAtTheEnd() throws {
        var all: [CriterionEvidence] = []
        for criterion in Criterion.allCases {
            let (a, b) = criterion == .grammar ? (6.0, 6.1) : (6.3, 6.2)
            all += [
                finding(MarkedTrait(criterion), "part1_q1", speech: 20, a),
                finding(MarkedTrait(criterion), "part1_q2", speech: 20, b),
            ]
        }
        var rules = ResultRules.ielts
        rules.rounding = .nearestHalf
        let result = ExamResult.make(sheets: [], findings: all, rules: rules)
        #expect(abs(try #require(result.mark(.fluency)) - 6.25) < 1e-12, "not rounded")
        #expect(abs(try #require(result.mark(.grammar)) - 6.05) < 1e-12, "not rounded")
        #expect(result.overall == .mark(6))
    }

    @Test func aFailedAnswerIsNamedAndDoesNotVanish() throws {
        let answers = ["part1_q1", "part1_q2", "part2_q1"].map { SpokenAnswer(name: $0, speech: 30, recording: $0) }
        let all = findings("part1_q1", speech: 30, 6) + findings("part1_q2", speech: 30, nil)
        let result = ExamResult.make(sheets: [], findings: all, answers: answers)
        let fluency = try #require(result.criteria[.fluency])
        #expect(fluency.unmarked.map(\.name) == ["part1_q2", "part2_q1"])
        #expect(fluency.unmarked.map(\.reason) == ["the service refused it", "scorer did not mark it"])
        #expect(abs(try #require(fluency.shareOfSpeech) - 1.0 / 3) < 1e-12)
        // A third of the speech is too little for an exam.
        #expect(
            fluency.outcome == .missing(because: "scorer: only 33 % of the speech was marked; 50 % are needed"))
        let more = ExamResult.make(sheets: [], findings: all + findings("part2_q1", speech: 30, 7), answers: answers)
        #expect(more.mark(.fluency) == 6.5)
        #expect(more.criteria[.fluency]?.unmarked.map(\.name) == ["part1_q2"])
    }

    /// The reference app used the service's "completeness" for grammar and vocabulary when its language model failed.
    @Test func noCriterionIsFilledFromAnother() {
        let all = [
            finding(.fluency, "part2_q1", speech: 90, 7), finding(.pronunciation, "part2_q1", speech: 90, 8),
            finding(.grammar, "part2_q1", speech: 90, nil), finding(.topicRelevance, "part2_q1", speech: 90, 9),
        ]
        let result = ExamResult.make(sheets: [], findings: all)
        #expect(result.mark(.fluency) == 7 && result.mark(.pronunciation) == 8)
        #expect(result.reason(.grammar) == "scorer: no answer with speech was marked")
        #expect(result.criteria[.grammar]?.unmarked.first?.reason == "the service refused it")
        #expect(result.reason(.vocabulary) == "it was not marked")
        #expect(result.overall == .missing(because: "no mark for vocabulary, grammar"))
    }

    @Test func theOverallMarkExcludesTheTopic() {
        let four = sheet("Ada", 6, vocabulary: 6, grammar: 6, pronunciation: 6)
        var off = four
        off.topicRelevance = 1
        #expect(ExamResult.make(sheets: [four]).overall == .mark(6))
        #expect(ExamResult.make(sheets: [off]).overall == .mark(6))
        #expect(ExamResult.make(sheets: [off]).topicRelevance.outcome == .mark(1))
        #expect(ExamResult.make(sheets: [sheet("Ada", nil, topic: 9)]).overall.mark == nil)
    }

    // MARK: - Rounding

    @Test(arguments: [
        (6.0, 6.0, 6.0), (6.24, 6, 6), (6.25, 6, 6.5), (6.49, 6, 6.5), (6.5, 6.5, 6.5), (6.74, 6.5, 6.5),
        (6.75, 6.5, 7),
        (6.875, 6.5, 7), (6.99, 6.5, 7), (0, 0, 0), (0.24, 0, 0), (0.25, 0, 0.5), (9, 9, 9), (8.76, 8.5, 9),
        // Errors that weighting leaves in whole marks.
        (6.999_999_999_999_999, 7, 7), (6.249_999_999_999_999, 6, 6.5),
    ])
    func roundingIsATable(_ mark: Double, down: Double, nearest: Double) {
        #expect(ResultRules.Rounding.downHalf.round(mark) == down)
        #expect(ResultRules.Rounding.nearestHalf.round(mark) == nearest)
    }

    /// The binary error of 0.1 + 0.2 + 0.7 must not cost half a band.
    @Test func weighingEqualMarksGivesThatMark() {
        for mark in stride(from: 0.5, through: 9, by: 0.5) {
            let all = [0.1, 0.2, 0.7, 13.3, 1e-3].enumerated().flatMap { findings("a\($0)", speech: $1, mark) }
            #expect(ExamResult.make(sheets: [], findings: all).overall == .mark(mark))
        }
    }

    @Test func theRuleOfRoundingIsData() {
        let marks = sheet("Ada", 7, vocabulary: 7, grammar: 7, pronunciation: 6)
        var rules = ResultRules.ielts
        #expect(ExamResult.make(sheets: [marks], rules: rules).overall == .mark(6.5))
        (rules.rounding, rules.id) = (.nearestHalf, "mine/1")
        let result = ExamResult.make(sheets: [marks], rules: rules)
        #expect(result.overall == .mark(7))
        #expect(result.rules == "mine/1" && result.mappings == ["bands/1"] && result.label == "unofficial")
        rules.weights[.pronunciation] = 3
        #expect(ExamResult.make(sheets: [marks], rules: rules).overall == .mark(6.5))
    }

    // MARK: - No number without evidence

    /// 2000 exams with random gaps: every mark is based on evidence with marks, every overall mark on four marks, and
    /// every gap has its reason.
    @Test func noNumberStandsWithoutEvidence() throws {
        var chance = SplitMix64(seed: 20)
        var (wholes, holes) = (0, 0)
        for _ in 0..<2000 {
            let answers = (1...Int.random(in: 1...6, using: &chance)).map {
                SpokenAnswer(name: "a\($0)", speech: Double.random(in: 0...60, using: &chance), recording: "r\($0)")
            }
            let density = [0.3, 0.9, 1].randomElement(using: &chance)!
            func happens() -> Bool { Double.random(in: 0..<1, using: &chance) < density }
            func mark() -> Double? { happens() ? Double(Int.random(in: 0...18, using: &chance)) / 2 : nil }
            let machines = answers.flatMap { answer in
                MarkedTrait.allCases.filter { _ in happens() }.map {
                    finding($0, answer.name, speech: answer.speech, mark())
                }
            }
            let sheets = ["Ada", "Bo", "Cy"].filter { _ in happens() && happens() && density < 1 }.map {
                sheet($0, mark(), vocabulary: mark(), grammar: mark(), pronunciation: mark(), topic: mark())
            }
            let result = ExamResult.make(sheets: sheets, findings: machines, answers: answers)
            for trait in Array(result.criteria.values) + [result.topicRelevance] {
                let marks = trait.evidence.compactMap(\.outcome.mark)
                if let mark = trait.outcome.mark {
                    let (low, high) = (try #require(marks.min()), try #require(marks.max()))
                    #expect(
                        mark >= low - 1e-9 && mark <= high + 1e-9, "the mark lies between the lowest and the highest")
                } else {
                    holes += 1
                    #expect(trait.outcome.reason?.isEmpty == false)
                }
            }
            let isWhole = Criterion.allCases.allSatisfy { result.mark($0) != nil }
            #expect((result.overall.mark != nil) == isWhole)
            if let overall = result.overall.mark { #expect(HalfBand.isOne(overall)) }
            wholes += isWhole ? 1 : 0
        }
        #expect(wholes > 200 && holes > 200, "\(wholes) with an overall mark, \(holes) holes")
    }

    @Test func withoutEvidenceThereIsNoMark() {
        let result = ExamResult.make(sheets: [])
        #expect(result.overall.mark == nil && result.mappings.isEmpty)
        #expect(Criterion.allCases.allSatisfy { result.reason($0) == "it was not marked" })
    }

    /// Delivery is measured, but it is not a band.
    @Test func theDeliveryProfileGivesNoMark() {
        let delivery = MarkSource(kind: .delivery, id: "delivery", version: "delivery/1")
        let evidence = CriterionEvidence(
            trait: .fluency, scope: .exam, source: delivery, recordings: ["x"], scale: "ten", outcome: .mark(8.7))
        let result = ExamResult.make(sheets: [], findings: [evidence])
        #expect(result.reason(.fluency) == "it was not marked")
        #expect(result.criteria[.fluency]?.beside == [evidence])
    }

    @Test func aResultIsWrittenAndRead() throws {
        let result = ExamResult.make(
            sheets: [sheet("Ada", 6)],
            findings: findings("part2_q1", speech: 30, 7) + findings("part1_q1", speech: 3, nil))
        let json = try JSONEncoder().encode(result)
        #expect(try JSONDecoder().decode(ExamResult.self, from: json) == result)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains("\"overall\":{\"mark\":"), "\(text)")
        let rules = try JSONEncoder().encode(ResultRules.ielts)
        #expect(try JSONDecoder().decode(ResultRules.self, from: rules) == .ielts)
    }
}
