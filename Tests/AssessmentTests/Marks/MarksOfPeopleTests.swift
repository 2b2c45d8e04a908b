import Assessment
import Testing

/// Tests of the priority of marks, and of combining several into one.
@Suite struct MarksOfPeopleTests {
    @Test func aPersonBeatsAMachine() {
        let result = ExamResult.make(
            sheets: [sheet("Ada", 5)], findings: findings("part2_q1", speech: 60, 8))
        #expect(result.mark(.fluency) == 5)
        #expect(result.criteria[.fluency]?.basis == "Ada, a person")
        #expect(result.criteria[.fluency]?.beside.map(\.source.kind) == [.machine])
        // The machine marked what the person left out.
        #expect(result.mark(.grammar) == 8)
        #expect(result.criteria[.grammar]?.basis == "scorer, a machine")
    }

    @Test func theRankOfSourcesIsData() {
        var rules = ResultRules.ielts
        rules.sources = [.machine, .human]
        let all = findings("part2_q1", speech: 60, 8)
        #expect(ExamResult.make(sheets: [sheet("Ada", 5)], findings: all, rules: rules).mark(.fluency) == 8)
        rules.sources = [.human]
        #expect(ExamResult.make(sheets: [], findings: all, rules: rules).reason(.fluency) == "it was not marked")
    }

    @Test(arguments: [(6.0, 6.5, 6.25), (6, 6, 6), (6.5, 6, 6.25)])
    func twoWhoAgreeAreAveraged(_ ada: Double, _ bo: Double, _ mark: Double) {
        let result = ExamResult.make(sheets: [sheet("Ada", ada), sheet("Bo", bo)])
        #expect(result.mark(.fluency) == mark)
        #expect(result.criteria[.fluency]?.evidence.map(\.source.id) == ["Ada", "Bo"])
    }

    @Test func aBandApartAThirdDecides() {
        let two = [sheet("Ada", 6, at: 1), sheet("Bo", 7, at: 2)]
        let apart = ExamResult.make(sheets: two, findings: findings("part2_q1", speech: 60, 8))
        #expect(apart.reason(.fluency) == "Ada and Bo are 1.0 bands apart: a third marker decides")
        #expect(apart.overall.mark == nil)
        let three = two + [sheet("Cy", 7.5, at: 3)]
        #expect(ExamResult.make(sheets: three).mark(.fluency) == 7, "the mark is the median of three")
        var rules = ResultRules.ielts
        rules.moderation = .third
        #expect(
            ExamResult.make(sheets: three.reversed(), rules: rules).mark(.fluency) == 7.5,
            "the third mark is the latest, in any order")
        rules.differenceForThird = 2
        let mean: Double = 20.5 / 3  // The mean of 6, 7 and 7.5.
        #expect(ExamResult.make(sheets: three, rules: rules).mark(.fluency) == mean)
    }

    @Test func fourWhoDifferHaveTheMeanOfTheMiddleTwo() {
        let four = zip(["Ada", "Bo", "Cy", "Di"], [4.0, 6, 6.5, 8]).map { sheet($0, $1) }
        #expect(ExamResult.make(sheets: four).mark(.fluency) == 6.25)
    }

    // MARK: - Machines

    /// Fluency consists of 60 % of one service and 40 % of another, each on its own scale.
    @Test func machinesAreJoinedByShares() throws {
        var rules = ResultRules.ielts
        rules.shares[.fluency] = [.init(source: "azure", weight: 60), .init(source: "model", weight: 40)]
        rules.mappings[1] = MarkMapping(
            id: "hundred/1", scale: "hundred", points: [.init(0, 0), .init(60, 5), .init(100, 9)])
        #expect(rules.mistakes.isEmpty)
        let azure = finding(.fluency, "part2_q1", speech: 60, 80, by: machine("azure"), scale: "hundred")
        let model = finding(.fluency, "part2_q1", speech: 60, 6, by: machine("model"))
        let result = ExamResult.make(sheets: [], findings: [azure, model], rules: rules)
        let mark = try #require(result.mark(.fluency))
        #expect(abs(mark - 6.6) < 1e-12)  // 0.6 × 7 + 0.4 × 6
        #expect(result.criteria[.fluency]?.basis == "60 % azure and 40 % model, machines")
        #expect(result.mappings == ["bands/1", "hundred/1"])
        let alone = ExamResult.make(sheets: [], findings: [azure], rules: rules)
        #expect(alone.mark(.fluency) == 7)
        #expect(alone.criteria[.fluency]?.basis == "azure, a machine, without model")
        rules.mappings.removeLast()
        let unmapped = ExamResult.make(sheets: [], findings: [azure], rules: rules)
        #expect(
            unmapped.criteria[.fluency]?.unmarked.first?.reason
                == "rules ielts-style/2 have no mapping from hundred to bands")
        #expect(unmapped.mark(.fluency) == nil)
    }

    @Test func twoMachinesWithoutAShareCountAlike() {
        let all = [("a", 6.0), ("b", 7.0)].map { finding(.grammar, "part2_q1", speech: 60, $1, by: machine($0)) }
        let result = ExamResult.make(sheets: [], findings: all)
        #expect(result.mark(.grammar) == 6.5)
        #expect(result.criteria[.grammar]?.basis == "50 % a and 50 % b, machines")
    }

    @Test func theLaterVersionCounts() {
        let all = [
            finding(.grammar, "part2_q1", speech: 60, 4, by: machine("a", "1")),
            finding(.grammar, "part2_q1", speech: 60, 6, by: machine("a", "2")),
        ]
        let result = ExamResult.make(sheets: [], findings: all)
        #expect(result.mark(.grammar) == 6)
        #expect(result.criteria[.grammar]?.beside.map(\.source.version) == ["1"])
    }

    // MARK: - Mappings

    @Test func aMappingIsPiecewiseAndEndsAtItsEnds() {
        var mapping = MarkMapping(id: "m/1", scale: "hundred", points: [.init(20, 2), .init(60, 5), .init(100, 9)])
        #expect([20, 40, 60, 80, 100].map { mapping.band(of: $0) } == [2, 3.5, 5, 7, 9])
        #expect([19.9, 100.1, -.infinity, .infinity, .nan].allSatisfy { mapping.band(of: $0) == nil })
        mapping.course = .steps
        #expect([20, 59.9, 60, 99, 100].map { mapping.band(of: $0) } == [2, 2, 5, 5, 9])
        #expect([0, 6.5, 9].map { MarkMapping.bands.band(of: $0) } == [0, 6.5, 9])
        #expect(MarkMapping.bands.band(of: 9.5) == nil)
    }

    @Test func impossibleRulesAreRefused() {
        #expect(ResultRules.ielts.mistakes.isEmpty)
        var rules = ResultRules.ielts
        rules.weights[.grammar] = nil
        rules.mappings = [MarkMapping(id: "m/1", scale: "hundred", points: [.init(60, 5), .init(20, 9)])]
        rules.leastShareOfSpeech = 2
        #expect(rules.mistakes.count == 3)
    }

    // MARK: - Sheets

    @Test(arguments: [7.3, 9.5, -0.5, .nan, .infinity])
    func aMarkThatIsNotAHalfBandIsRefused(_ mark: Double) {
        let mistake = sheet("Ada", mark).mistake(lengths: [:])
        #expect(mistake == "fluency: \(mark) is not a half band; marks are 0, 0.5, 1 … 9")
        #expect(ExamResult.make(sheets: [sheet("Ada", mark)]).overall.mark == nil)
    }

    @Test func aCommentStandsInAnAnswer() {
        func mistake(_ answer: String, _ at: Double, _ text: String = "slow") -> String? {
            MarkComment(answer: answer, at: at, text: text).mistake(lengths: ["part2_q1": 80.52])
        }
        #expect(mistake("part2_q1", 80.5) == nil && mistake("part2_q1", 0) == nil)
        #expect(mistake("part9_q1", 0) == "comment: there is no answer part9_q1")
        #expect(mistake("part2_q1", 99) == "comment: part2_q1 is 80.5 s long, so there is nothing at 99.0 s")
        #expect(mistake("part2_q1", -1) != nil && mistake("part2_q1", .nan) != nil)
        #expect(mistake("part2_q1", 1, "") != nil)
        #expect(sheet("", 6).mistake(lengths: [:]) == "marker's name: use 1 to 60 characters")
    }

    // MARK: - Rubric

    @Test func everyBandOfEveryCriterionHasItsSentence() {
        for criterion in Criterion.allCases {
            #expect(Rubric.ieltsStyle.descriptors[criterion]?.keys.sorted() == Array(0...9))
            #expect(Rubric.ieltsStyle.sentences(for: criterion, band: 6).count == 1)
            let between = Rubric.ieltsStyle.sentences(for: criterion, band: 6.5)
            #expect(between == [6, 7].compactMap { Rubric.ieltsStyle.descriptors[criterion]?[$0] })
            #expect(Rubric.ieltsStyle.sentences(for: criterion, band: 6.3).isEmpty)
        }
    }

    // MARK: - Agreement

    private static let ada = [
        5.0, 4.5, 6.5, 5.0, 7.0, 4.5, 5.0, 7.5, 7.5, 5.5, 6.5, 6.5, 7.0, 8.0, 7.5, 4.5, 5.5, 5.5, 4.5, 6.0, 6.0, 6.0,
        4.5, 6.0,
    ]
    private static let bo = [
        5.0, 5.0, 6.5, 4.0, 7.0, 3.5, 5.0, 7.5, 7.5, 5.0, 7.0, 6.5, 6.0, 8.5, 7.5, 4.0, 4.5, 4.5, 4.0, 6.5, 6.0, 5.5,
        3.5, 6.5,
    ]
    private static let exams = zip(ada, bo).map { [sheet("Bo", $1, at: 1), sheet("Ada", $0, at: 2)] }

    /// The expected value comes from scikit-learn 1.9.1 (PyPI): `cohen_kappa_score(a, b, weights="quadratic",
    /// labels=range(19))` of the doubled marks, computed by hand on 2026-11-23.
    @Test func kappaIsScikitLearns() throws {
        let agreement = MarkerAgreement.make(of: Self.exams, on: .fluency)
        #expect(abs(try #require(agreement.kappa) - 0.892_156_862_745_098) < 1e-12)
        #expect(abs(try #require(agreement.meanDifference) - 0.4375) < 1e-12)
        #expect(abs(try #require(agreement.meanLead) - 0.229_166_666_666_666_66) < 1e-12)
        #expect(agreement.exams == 24)
    }

    @Test func fewExamsTellNoAgreement() {
        let few = MarkerAgreement.make(of: Array(Self.exams.prefix(19)) + [[sheet("Ada", 6)], []], on: .fluency)
        #expect(few.exams == 19 && few.kappa == nil && few.meanDifference == nil)
        #expect(MarkerAgreement.make(of: Array(Self.exams.prefix(20)), on: .fluency).kappa != nil)
        #expect(MarkerAgreement.make(of: Self.exams, on: .grammar).exams == 0)
        let same = Array(repeating: [sheet("Ada", 6), sheet("Bo", 6)], count: 20)
        #expect(
            MarkerAgreement.make(of: same, on: .fluency).kappa == nil,
            "if all marks are equal, agreement by chance can't be computed")
    }

    /// A third marker who decided later does not count as a second opinion.
    @Test func theFirstTwoCount() {
        let exams = Self.exams.map { $0 + [sheet("Aa", 1, at: 3)] }
        #expect(
            MarkerAgreement.make(of: exams, on: .fluency) == MarkerAgreement.make(of: Self.exams, on: .fluency))
    }
}
