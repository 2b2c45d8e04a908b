import ExamCore
import Testing

@testable import Assessment

/// An estimate is a range with its basis, never a point, and never narrower than its evidence.
@Suite struct EstimateTests {
    private let answers = [SpokenAnswer(name: "part1_q1", speech: 60, recording: "part1_q1-hash")]
    private let silence = ExamAssessment.made([])

    private func estimates(
        sheets: [MarkSheet] = [], _ findings: [CriterionEvidence] = [], of assessment: ExamAssessment? = nil,
        words: Int? = nil, rules: ResultRules = .ielts
    ) -> [AspectEstimate] {
        AspectEstimate.all(
            of: assessment ?? silence,
            EstimateBasis(sheets: sheets, findings: findings, answers: answers, words: words, limits: .unknown),
            rules: rules)
    }

    @Test func nothingKnownNothingEstimated() {
        #expect(estimates() == [])
    }

    @Test func aMachineThatWasNeverComparedGetsTwoBands() throws {
        let all = estimates(findings("part1_q1", speech: 60, 6), words: 120)
        #expect(all.map(\.aspect) == [.overall, .fluency, .vocabulary, .grammar, .pronunciation])
        for estimate in all {
            #expect(estimate.counted.high - estimate.counted.low >= 2, "\(estimate.aspect)")
            #expect(estimate.counted.origin == .machines && !estimate.counted.isCompared)
        }
        #expect(all[1].words == "about 5 to 7" && all[1].counted.basis == "60 s of speech, by scorer")
        #expect(all[3].counted.basis == "60 s of speech, 120 words, by scorer", "grammar rests on words")
        #expect(all[1].counted.width.contains("never compared with people's"))
    }

    @Test func peoplesMarksStandAboveMachines() throws {
        let all = estimates(sheets: [sheet("Ada", 7)], findings("part1_q1", speech: 60, 5))
        let fluency = try #require(all.first { $0.aspect == .fluency })
        #expect(fluency.counted.origin == .people && fluency.words == "about 6.5 to 7.5")
        #expect(fluency.beside?.origin == .machines && fluency.beside?.inWords == "about 4 to 6")
        let two = estimates(sheets: [sheet("Ada", 6), sheet("Bo", 8, at: 1)])
        #expect(two.first?.words == "about 6 to 8", "it holds both marks")
    }

    /// Most aspects rest on the same facts, which are stated once.
    @Test func eachSentenceIsSaidOnce() throws {
        let all = estimates(sheets: [sheet("Ada", 7)], findings("part1_q1", speech: 60, 5), words: 120)
        let said = all.flatMap(\.sentences)
        #expect(Set(said).count == said.count && !said.isEmpty)
        #expect(said.contains { $0.hasPrefix("Machines: about 4 to 6") }, "both are shown")
        for estimate in all {
            #expect(said.contains(estimate.counted.width) && said.contains(estimate.narrower), "\(estimate.aspect)")
        }
    }

    @Test func aComparedMachineGetsItsOwnError() throws {
        var rules = ResultRules.ielts
        rules.errors = [.init(trait: .fluency, source: "scorer", exams: 20, lead: 0.5, margin: 0.5)]
        let fluency = try #require(
            estimates([finding(.fluency, "part1_q1", speech: 60, 6.5)], rules: rules).first { $0.aspect == .fluency })
        #expect(fluency.counted.isCompared && fluency.words == "about 5.5 to 6.5", "the lead is taken off")
        // Nineteen exams are too few.
        rules.errors?[0].exams = 19
        let few = try #require(estimates([finding(.fluency, "part1_q1", speech: 60, 6.5)], rules: rules).first)
        #expect(!few.counted.isCompared && few.words == "about 5.5 to 7.5")
    }

    /// A service for pronunciation and a model for the rest give all that they can.
    @Test func twoMachinesTogetherGiveAllFourCriteria() {
        let service = machine("azure")
        let all = estimates([
            finding(.pronunciation, "part1_q1", speech: 60, 80, by: service, scale: "hundred"),
            finding(.fluency, "part1_q1", speech: 60, 80, by: service, scale: "hundred"),
            finding(.fluency, "part1_q1", speech: 60, 5.5), finding(.grammar, "part1_q1", speech: 60, 6),
            finding(.vocabulary, "part1_q1", speech: 60, 6),
        ])
        #expect(all.map(\.aspect) == [.overall, .fluency, .vocabulary, .grammar, .pronunciation])
        #expect(all[1].counted.sources.sorted() == ["azure", "scorer"], "neither is lost")
        #expect(all[1].words == "about 5 to 7", "the mean of 6.5 and 5.5, one band either way")
    }

    @Test func runsThatDifferMakeTheRangeWider() throws {
        var one = finding(.fluency, "part1_q1", speech: 60, 6)
        one.runs = [4, 6, 8].enumerated().map { MarkRun(seed: $0, mark: $1) }
        let wide = try #require(estimates([one]).first)
        #expect(wide.counted.low == 3 && wide.counted.high == 9)
        #expect(wide.counted.width.contains("Its runs differ"))
    }

    @Test func withoutBandsTheSoundIsEstimatedOnTheListenersScale() throws {
        let exam = ExamAssessment.made([.made(speech: 60)])
        let fluency = try #require(estimates(of: exam).first { $0.aspect == .fluency })
        #expect(fluency.scale == .listeners && fluency.title == "fluency, 0 to 10")
        #expect(fluency.counted.low == 6 && fluency.counted.high == 8, "index 7")
        #expect(fluency.meaning?.hasPrefix("Listeners call that ") == true)
        #expect(!estimates(of: exam).contains { $0.scale == .band })
        #expect(estimates(of: .made([.made(speech: 60)], gates: [.noisy])) == [], "a noisy exam says nothing")
    }

    /// Thousands of random exams: ranges stay on their scales, are never points, and contain the marks that they rest
    /// on.
    @Test func rangesAreNeverPointsAndHoldTheirMarks() throws {
        var dice = SplitMix64(seed: 50)
        for _ in 0..<2_000 {
            let marks = Criterion.allCases.map { _ in Double(Int.random(in: 0...18, using: &dice)) / 2 }
            let sheets = (0..<Int.random(in: 0...3, using: &dice)).map { number in
                sheet("m\(number)", Double(Int.random(in: 0...18, using: &dice)) / 2, at: number)
            }
            let machines = zip(Criterion.allCases, marks).map {
                finding(MarkedTrait($0), "part1_q1", speech: 60, $1)
            }
            for estimate in estimates(sheets: sheets, machines) {
                for range in [estimate.counted, estimate.beside].compactMap(\.self) {
                    #expect(0 <= range.low && range.low < range.high && range.high <= estimate.scale.top)
                    #expect(range.low * 2 == (range.low * 2).rounded() && range.high * 2 == (range.high * 2).rounded())
                }
            }
            let fluency = try #require(estimates(sheets: sheets, machines).first { $0.aspect == .fluency })
            for mark in sheets.compactMap({ $0.bands[.fluency] }) {
                #expect(fluency.counted.low <= mark && mark <= fluency.counted.high)
            }
            if sheets.isEmpty { #expect(fluency.counted.low <= marks[0] && marks[0] <= fluency.counted.high) }
        }
    }
}

/// The comparison of machines with people.
@Suite struct SourceAgreementTests {
    private func pairs(_ leads: [Double]) -> [SourceAgreement.Pair] {
        leads.map { .init(trait: .fluency, source: "scorer", people: 6, machine: 6 + $0) }
    }

    @Test func theMarginHoldsFourFifthsOfTheErrors() throws {
        // Twenty errors around a lead of half a band: the ⌈0.8 × 21⌉ = 17th smallest distance.
        let distances = (1...10).map { Double($0) / 10 }
        let leads: [Double] = distances.map { 0.5 - $0 } + distances.map { 0.5 + $0 }
        let one = try #require(SourceAgreement.all(of: pairs(leads)).first)
        let error = try #require(one.error)
        #expect(one.exams == 20 && error.lead == 0.5 && error.margin == 0.9)
        #expect(try #require(one.held) >= 0.75)
        let rules = ResultRules.ielts.refitted(to: [one], id: "own/1")
        #expect(rules.errors == [error] && rules.mistakes == [] && rules.id == "own/1")
    }

    @Test func fewExamsGiveNoError() {
        let one = SourceAgreement.all(of: pairs(Array(repeating: 0.5, count: 19))).first
        #expect(one?.exams == 19 && one?.error == nil && one?.held == nil)
    }
}
