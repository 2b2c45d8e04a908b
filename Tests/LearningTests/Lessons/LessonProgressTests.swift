import ExamCore
import SystemSupport
import Testing

@testable import Learning

/// The progress in lessons, and the items that a filter keeps.
@Suite struct LessonProgressTests {
    private func history(_ lines: String...) throws -> PracticeHistory {
        var history = PracticeHistory()
        let head = ["2026-11-23T12:00:00+00:00 weights fsrs-6.3", "2026-11-23T12:00:00+00:00 data 1"]
        _ = try history.add(log: Array(((head + lines).joined(separator: "\n") + "\n").utf8), name: "practice.log")
        return history
    }

    @Test func answersOfALessonAreCountedAndDated() throws {
        let catalogue = PracticeCatalogue(packs: [], lessons: LessonCategory.builtIn)
        let pack = try #require(catalogue.pack("vocabulary-food"))
        let (one, other) = (pack.items[0], pack.items[1])
        let (first, second) = (one.questions[0].id, other.questions[0].id)
        let known = try history(
            "2026-11-23T12:00:00+00:00 began 1 new \(one.id) \(first) new \(other.id) \(second)",
            "2026-11-23T12:00:10+00:00 answered 1 new \(one.id) \(first) right 5.3",
            "2026-11-25T12:00:20+00:00 answered 1 new \(other.id) \(second) wrong 7.0")
        let progress = LessonProgress(of: pack, known)
        #expect(progress.items == pack.items.count && progress.learned == 1 && progress.answers == 2)
        #expect(progress.lastStudied?.text == "2026-11-25" && !progress.isComplete)
        let nothing = LessonProgress(of: try #require(catalogue.pack("vocabulary-home")), known)
        #expect(nothing.answers == 0 && nothing.lastStudied == nil && nothing.share == 0)
        let both = LessonProgress(all: [nothing, progress])
        #expect(both.items == nothing.items + progress.items && both.learned == 1 && both.answers == 2)
        #expect(both.lastStudied == progress.lastStudied)
    }

    @Test func aFilterKeepsItemsOfItsLevelAndSubtopic() throws {
        let items = LessonCategory.builtIn.flatMap(\.lessons).flatMap(\.items)
        let hard = items.filter(LessonFilter(level: .c1).keeps)
        #expect(!hard.isEmpty && hard.count < items.count && hard.allSatisfy { $0.level == .c1 })
        let school = items.filter(LessonFilter(subtopic: "University").keeps)
        #expect(!school.isEmpty)
        for item in school {
            guard case .word(let word) = item else {
                Issue.record("\(item.id) has no sub-topic")
                continue
            }
            #expect(word.subtopic == "university")
        }
        #expect(items.filter(LessonFilter().keeps).count == items.count)
    }
}
