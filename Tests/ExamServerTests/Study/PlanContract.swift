import Assessment
import ExamCore
import Foundation
import Learning
import StoreTrials
import Study
import StudyFolders
import SystemSupport
import TestSupport
import Testing

@testable import ExamServer

/// A folder and a database give a learner the same plans after the same steps. The steps and their order are random.
@Suite(.bothStores) struct PlanContract {
    /// Something that a learner does with a plan, in either of two programs.
    private enum Deed: Sendable {
        case use(LearnerProfile)
        case accept(anew: Bool, isStale: Bool)
        case reroll(StudyPlan.Section)
        case undo
        case practise(pack: String, count: Int)

        init(_ random: inout SplitMix64) {
            switch Int.random(in: 0..<14, using: &random) {
            case 0: self = .use(Self.profile(&random))
            case 1...3:
                self = .accept(
                    anew: Bool.random(using: &random), isStale: Int.random(in: 0..<6, using: &random) == 0)
            case 4...6: self = .reroll(StudyPlan.Section.allCases.randomElement(using: &random)!)
            case 7...8: self = .undo
            default:
                let packs = PracticeContent.builtIn.catalogue.packs
                self = .practise(
                    pack: packs[Int.random(in: 0..<packs.count, using: &random)].id,
                    count: Int.random(in: 1...8, using: &random))
            }
        }

        static func profile(_ random: inout SplitMix64) -> LearnerProfile {
            LearnerProfile(
                name: "Ana", stage: "second year", targetRole: "IELTS 7",
                timeBudgetHoursPerDay: Double(Int.random(in: 1...4, using: &random)) / 2,
                availableDays: Weekday.allCases.filter { $0 == .monday || Int.random(in: 0..<4, using: &random) > 0 },
                goalBand: Bool.random(using: &random) ? 7 : nil)
        }
    }

    /// A program of the learner on one shelf.
    private struct Program {
        let practising: Practising
        let planning: Planning

        init(on shelf: some LearnerShelf) {
            practising = Practising(on: shelf)
            planning = Planning(on: shelf, practising, by: .ielts)
        }

        /// Performs a deed, and returns what the learner then sees.
        func does(_ deed: Deed, at moment: StudyMoment) async throws -> String {
            let said: String
            do {
                said = try await self.says(deed, at: moment)
            } catch let refusal as PlanRefusal {
                said = "refused: \(refusal)"
            }
            let facts = try await planning.facts(at: moment)
            guard let book = try await planning.book() else { return said + "\nno profile" }
            let day = PlanDay(book, facts.knowledge)
            let ticks = (day.ticks?.states ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let steps = try await planning.steps(after: facts).map(\.advice)
            let streak = Streak(facts.historyWithExams, today: moment.day)
            return ([said, String(decoding: book.json, as: UTF8.self), "\(streak) \(day.score ?? -1)"] + ticks + steps)
                .joined(separator: "\n")
        }

        private func says(_ deed: Deed, at moment: StudyMoment) async throws -> String {
            switch deed {
            case .use(let profile):
                _ = try await planning.use(profile, at: moment)
                return "used"
            case .accept(let anew, let isStale):
                let facts = try await planning.facts(at: moment)
                guard let plan = try await planning.neededBook().proposal(anew: anew, facts.knowledge)?.plan else {
                    return "nothing to accept"
                }
                _ = try await planning.accept(version: plan.version + (isStale ? 7 : 0), anew: anew, facts)
                return "accepted"
            case .reroll(let section):
                _ = try await planning.reroll(section, planning.facts(at: moment))
                return "rerolled"
            case .undo: return try await planning.undo(planning.facts(at: moment)).undone.sentence
            case .practise(let pack, let count):
                var drill = try await practising.take(at: moment) {
                    $0.begin(PracticeWish(packs: [pack], count: count, extra: true))
                }
                while let asked = drill, let question = asked.question {
                    drill = try await practising.take(at: moment) { step in
                        try step.answer(asked.number, question.id, seconds: 4) { $0.solution }.drill
                    }
                }
                return "practised"
            }
        }
    }

    @Test func theSameDeedsGiveTheSamePlan() async throws {
        let seeds = Thoroughness.count(2, check: 80)
        var (deeds, plans, refused, practised, exams) = (0, 0, 0, 0, 0)
        for seed in 0..<seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let shelves = try await FilledShelves()
            let (folder, rows) = (shelves.folder, shelves.rows)
            let inFolder = [Program(on: folder), Program(on: folder)]
            let inRows = [Program(on: rows), Program(on: rows)]
            // A Tuesday morning.
            let start = WallTime(utc: "2026-11-10T09:00:00Z")!.secondsSince1970
            var day = 9
            for number in 0..<24 {
                if Int.random(in: 0..<4, using: &random) == 0 { day += 1 }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    try await shelves.put(try SampleExam(day: day, &random), &random)
                    exams += 1
                }
                let moment = StudyMoment(seconds: start + (day - 9) * 86_400 + number * 60, offset: 0)
                // Some deeds come before there is a profile.
                let deed = number == 3 ? Deed.use(Deed.profile(&random)) : Deed(&random)
                let program = Int.random(in: 0..<2, using: &random)
                let one = try await inFolder[program].does(deed, at: moment)
                let other = try await inRows[program].does(deed, at: moment)
                #expect(one == other, "seed \(seed), deed \(number): \(deed)")
                deeds += 1
                refused += one.hasPrefix("refused") ? 1 : 0
                practised += one.hasPrefix("practised") ? 1 : 0
            }
            let (kept, stored) = (try await folder.planBook(), try await rows.planBook())
            #expect(kept?.text == stored?.text)
            plans += kept?.book.history.entries.count ?? 0
            await shelves.close()
        }
        #expect(plans > 0 && refused > 0 && exams > 0)
        print(
            "plans agree: \(seeds) orders, \(deeds) deeds, \(plans) plans, \(refused) deeds refused, "
                + "\(practised) drills, \(exams) exams")
    }

    /// A document that another program has changed is not replaced.
    @Test func onlyTheDocumentThatWasReadIsReplaced() async throws {
        let shelves = try await FilledShelves()
        let shelvesOfOne: [any LearnerShelf] = [shelves.folder, shelves.rows]
        for shelf in shelvesOfOne {
            var random = SplitMix64(seed: 1)
            let first = PlanBook(Deed.profile(&random))
            var second = first
            second.profile.name = "Ben"
            #expect(try await shelf.planBook() == nil)
            #expect(try await shelf.put(first, for: nil))
            #expect(try await !shelf.put(second, for: nil))
            let known = try #require(try await shelf.planBook())
            #expect(known.book == first)
            #expect(try await shelf.put(second, for: known))
            #expect(try await !shelf.put(first, for: known))
            #expect(try await shelf.planBook()?.book == second)
        }
        await shelves.close()
    }
}
