import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Learning

/// Tests of re-rolls, their history, and previews of new plans.
@Suite struct PlanChangesTests {
    private static let profile = SamplePlans.profile(hours: 1)
    private static let plan = StudyPlan(for: profile, SamplePlans.known, week: SamplePlans.week)

    /// Returns the bytes of each section, as written in the file.
    private func sections(_ plan: StudyPlan) throws -> [String: Data] {
        let object = try JSONSerialization.jsonObject(with: Data(plan.json)) as? [String: Any]
        return try #require(object).mapValues {
            try JSONSerialization.data(withJSONObject: [$0], options: [.sortedKeys])
        }
    }

    @Test(arguments: StudyPlan.Section.allCases) func aRerollChangesOnlyItsSection(_ section: StudyPlan.Section)
        throws
    {
        let next = Self.plan.rerolled(section, for: Self.profile, SamplePlans.known)
        let (old, new) = (try sections(Self.plan), try sections(next))
        #expect(Set(old.filter { new[$0.key] != $0.value }.keys) == [section.rawValue, "version"])
        #expect(next.version == 2 && next.findings(for: Self.profile, SamplePlans.known).isEmpty)
        #expect(Self.plan.rerolled(section, for: Self.profile, SamplePlans.known) == next)
        // The number of lines in the file is also the same.
        let lines = Self.plan.json.split(separator: UInt8(ascii: "\n")).count
        #expect(section == .resources || next.json.split(separator: UInt8(ascii: "\n")).count == lines)
    }

    @Test func anyRerollsOfAnyPlanKeepTheRulesAndWhatIsDone() throws {
        var chance = SplitMix64(seed: 5)
        var changed = 0
        for _ in 0..<500 {
            let (profile, evidence, version) = SamplePlans.random(&chance)
            var plan = StudyPlan(for: profile, evidence, week: SamplePlans.week, version: version)
            for _ in 0..<4 {
                let section = StudyPlan.Section.allCases[chance.below(3)]
                let done = Set(plan.tasks.map(\.task.id).filter { _ in chance.below(3) == 0 })
                let next = plan.rerolled(section, for: profile, evidence, done: done)
                try #require(next.findings(for: profile, evidence).isEmpty, "\(next.findings(for: profile, evidence))")
                for (day, task) in plan.tasks where done.contains(task.id) {
                    try #require(next.dailyTasks[day]?.contains(task) == true)
                    try #require(next.time(of: task, on: day)?.begin == plan.time(of: task, on: day)?.begin)
                }
                try #require(next.version == plan.version + 1)
                var same = next
                same.version = plan.version
                switch section {
                case .resources: same.resources = plan.resources
                case .timeBlocks: same.timeBlocks = plan.timeBlocks
                case .dailyTasks: same.dailyTasks = plan.dailyTasks
                }
                try #require(same == plan)
                changed +=
                    next.links == plan.links && next.timeBlocks == plan.timeBlocks && next.resources == plan.resources
                    ? 0 : 1
                plan = next
            }
        }
        #expect(changed > 1_000, "\(changed)")
    }

    @Test func rerollingReplacesMostTasksThatAreNotDone() {
        let next = Self.plan.rerolled(.dailyTasks, for: Self.profile, SamplePlans.known, done: ["monday-1"])
        #expect(next.dailyTasks[.monday]?[0] == Self.plan.dailyTasks[.monday]?[0])
        let same = zip(next.tasks, Self.plan.tasks).count { $0.task.link == $1.task.link }
        #expect(same * 2 < next.tasks.count, "\(same) of \(next.tasks.count)")
        #expect(next.tasks.map(\.task.id) == Self.plan.tasks.map(\.task.id))
        #expect(next.links.contains("sit:full"))
    }

    @Test func historyGrowsAndUndoingGoesBackAndBackAgain() throws {
        var history = PlanHistory()
        #expect(history.undo() == nil)
        try history.add(Self.plan, as: .made)
        #expect(history.undo() == nil, "the first plan has none before it")
        let rerolled = Self.plan.rerolled(.dailyTasks, for: Self.profile, SamplePlans.known)
        try history.add(rerolled, as: .rerolled, of: .dailyTasks)
        let third = rerolled.rerolled(.timeBlocks, for: Self.profile, SamplePlans.known)
        try history.add(third, as: .rerolled, of: .timeBlocks)
        let first = history.undo()
        let undone = try #require(first)
        #expect(undone.sentence == "Version 3 is undone: version 4 is the same as version 2.")
        #expect(undone.plan.dailyTasks == rerolled.dailyTasks && undone.plan.timeBlocks == rerolled.timeBlocks)
        let second = history.undo()
        let again = try #require(second)
        #expect(
            again.sentence == "Version 2 is undone: version 5 is the same as version 1."
                && again.plan.links == Self.plan.links)
        #expect(history.undo() == nil)
        #expect(history.entries.map(\.plan.version) == [1, 2, 3, 4, 5])
        // New changes continue from there.
        try history.add(
            again.plan.rerolled(.resources, for: Self.profile, SamplePlans.known), as: .rerolled, of: .resources)
        #expect(history.undo()?.to == 1)
        #expect(try PlanHistory.read(from: history.json, name: "plans.json") == history)
    }

    @Test func twoChangesAtOnceAreNotBothKept() throws {
        var history = PlanHistory()
        try history.add(Self.plan, as: .made)
        let second = Self.plan.rerolled(.resources, for: Self.profile, SamplePlans.known)
        try history.add(second, as: .rerolled, of: .resources)
        #expect(throws: Problem.self) { try history.add(second, as: .rerolled, of: .resources) }
        #expect(throws: Problem.self) {
            try history.add(StudyPlan(for: Self.profile, .init(), week: SamplePlans.week.advanced(by: -7)), as: .made)
        }
        let before = history
        try history.add(StudyPlan(for: Self.profile, .init(), week: SamplePlans.week.advanced(by: 7)), as: .made)
        #expect(history.undo() == nil, "another week's plan is not undone into this one")
        #expect(history.plan(of: SamplePlans.week.advanced(by: 3)) == second)
        // A file whose versions do not rise is invalid.
        var text = String(decoding: before.json, as: UTF8.self)
        text.replace("\"version\" : 2", with: "\"version\" : 1")
        #expect(throws: Problem.self) { try PlanHistory.read(from: Array(text.utf8), name: "x") }
    }

    @Test func previewSaysWhatComesGoesMovesAndStays() {
        var new = Self.plan
        let moved = new.dailyTasks[.monday]?.removeFirst()
        let gone = new.dailyTasks[.tuesday]?.removeLast()
        if let moved { new.dailyTasks[.friday]?.append(moved) }
        new.dailyTasks[.friday]?.append(
            PlanTask(id: "x", title: "A lesson", link: .lesson("idioms-time"), minutes: 10, reason: "r"))
        let preview = PlanPreview(from: Self.plan, to: new)
        #expect(preview.moved.map(\.link) == [moved?.link].compactMap(\.self) && preview.moved.first?.from == .monday)
        #expect(
            preview.removed.map(\.link) == [gone?.link].compactMap(\.self) && preview.added.map(\.title) == ["A lesson"]
        )
        #expect(preview.kept.count == Self.plan.tasks.count - 2 && !preview.isEmpty)
        #expect(preview.lines.contains("+ Friday: A lesson"))
        #expect(PlanPreview(from: Self.plan, to: Self.plan).isEmpty)
        #expect(PlanPreview(from: nil, to: Self.plan).added.count == Self.plan.tasks.count)
    }
}
