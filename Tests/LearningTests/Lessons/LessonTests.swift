import Papers
import SystemSupport
import Testing

@testable import Learning

@Suite struct LessonTests {
    private static let file = """
        {"version": 1, "id": "idioms", "title": "Idioms", "lessons": [{"id": "time", "title": "Time", "topic": "time", "items": [
        {"id": "a", "idiom": "in no time", "level": "B1", "meaning": "very quickly", "examples": ["We were there *in no time* at all.", "It was done *in no time* by us."]},
        {"id": "b", "idiom": "once in a while", "level": "B1", "meaning": "not very often", "examples": ["I cook *once in a while* for friends.", "We meet *once in a while* there."]},
        {"id": "c", "idiom": "the other day", "level": "B2", "meaning": "a few days ago", "examples": ["I saw her *the other day* at work.", "He called me *the other day* late."]},
        {"id": "d", "idiom": "for good", "level": "C1", "meaning": "and it will not change again", "examples": ["They left *for good* last year.", "It was closed *for good* then."]}
        ]}]}
        """

    private func read(_ text: String = file) throws(Problem) -> LessonCategory {
        try LessonCategory.read(from: Array(text.utf8), name: "idioms.json")
    }

    @Test func lessonsAreReadAsTheyAreWritten() throws {
        let category = try read()
        #expect(try LessonCategory.read(from: JSONFile.encode(category), name: "x") == category)
        for category in LessonCategory.builtIn {
            #expect(try LessonCategory.read(from: JSONFile.encode(category), name: category.id) == category)
        }
    }

    /// Each kind of mistake in a file of lessons, with its message.
    @Test(arguments: [
        ("\"title\": \"Idioms\"", "\"title\": \" \"", "title: is empty"),
        ("\"title\": \"Time\"", "\"title\": \"\"", "lessons[0].title: is empty"),
        ("\"id\": \"b\"", "\"id\": \"a\"", "lessons[0].items[1].id: \"a\" is already the id of another item"),
        ("\"id\": \"b\"", "\"id\": \"B b\"", "lessons[0].items[1].id: should be small letters"),
        ("very quickly", "", "lessons[0].items[0].meaning: is empty"),
        ("*in no time* at all", "in no time at all", "lessons[0].items[0].examples[0]: should mark its words"),
        ("[\"We were there *in no time* at all.\", \"It was done *in no time* by us.\"]", "[]", "examples: is empty"),
        ("\"level\": \"C1\"", "\"level\": \"D1\"", "level"),
        ("\"level\": \"C1\"", "\"level\": \"C1\", \"colour\": \"red\"", "is not a field"),
        ("\"topic\": \"time\"", "\"topic\": \"\"", "lessons[0].topic: is empty"),
    ]) func mistakesAreNamed(_ old: String, _ new: String, _ words: String) {
        let text = Self.file.replacing(old, with: new)
        let failure = #expect(throws: Problem.self) { try read(text) }
        #expect(failure?.sentence.contains(words) == true, "\(failure?.sentence ?? "")")
    }

    @Test func aDrillNeedsFour() {
        let text = Self.file.split(separator: "\n").filter { !$0.contains("\"id\": \"b\"") }.joined(separator: "\n")
        let failure = #expect(throws: Problem.self) { try read(text) }
        #expect(failure?.sentence == "idioms.json: lessons[0].items: has 3, but a drill needs 4")
    }

    @Test func aLessonMakesItsDrill() throws {
        let category = try read()
        let pack = category.lessons[0].drill(of: category)
        #expect(pack.id == "idioms-time" && pack.title == "Idioms: Time" && pack.questions.count == 8)
        #expect(pack.questions[0].prompt == "Which idiom means \"very quickly\"?" && pack.questions[0].item == "a")
        #expect(pack.questions[1].prompt == "It was done ___ by us. (It begins with i and means: very quickly.)")
        #expect(pack.questions[1].verdict(on: .fillInTheBlank(textAnswer: "In no time")) == .right)
        #expect(
            PracticeCatalogue(packs: [pack]).packs[0].items.map(\.id)
                == ["a", "b", "c", "d"].map { "idioms-time/\($0)" })
    }

    /// Each category has the expected number of items, and every file passes the strict checks.
    @Test func thereIsEnoughOfEverything() throws {
        #expect(LessonCategory.builtIn.count == 6)
        let counts = Dictionary(
            uniqueKeysWithValues: LessonCategory.builtIn.map { ($0.id, $0.lessons.reduce(0) { $0 + $1.items.count }) })
        #expect(counts["vocabulary"] == 240 && counts["idioms"] == 60 && counts["phrasal-verbs"] == 60)
        #expect(counts["discourse-markers"] == 40 && counts["sample-answers"] == 24 && counts["pronunciation"] == 24)
        for lesson in LessonCategory.builtIn.first(where: { $0.id == "vocabulary" })?.lessons ?? [] {
            #expect(lesson.items.count == 20)
        }
    }

    /// The questions of drills keep the rules for people's packs. Similarities that follow from the generation do not
    /// count as duplicates.
    @Test func drillsOfBuiltInLessonsBreakNoRule() throws {
        for category in LessonCategory.builtIn {
            for lesson in category.lessons {
                let pack = lesson.drill(of: category)
                _ = try QuestionPack.read(from: JSONFile.encode(pack), name: pack.id)
                for question in pack.questions {
                    for finding in question.findings { Issue.record("\(pack.id)/\(question.id): \(finding.sentence)") }
                }
            }
        }
    }

    // MARK: - From version to version

    /// Reads a practice log from before ids changed with a program that has new ids.
    @Test func memoriesFollowRenamedQuestions() throws {
        var history = PracticeHistory()
        let older = """
            2026-01-05T12:00:00+00:00 weights fsrs-6.3
            2026-01-05T12:00:00+00:00 data 1
            2026-01-05T12:00:10+00:00 answered 1 new vocabulary-food/savory savory-meaning right 5.3
            2026-01-05T12:12:10+00:00 answered 1 due vocabulary-food/savory savory-meaning right 5.3
            2026-01-05T12:12:20+00:00 answered 1 new vocabulary-food/tasty tasty-meaning right 5.3

            """
        _ = try history.add(log: Array(older.utf8), name: "practice.log")
        let migrations = [
            LessonMigration(to: 2, renamed: [("vocabulary-food/savory", "vocabulary-food/savery")]),
            LessonMigration(
                to: 3,
                renamed: [
                    ("vocabulary-food/savery", "vocabulary-food/savoury"), ("vocabulary-home/a", "vocabulary-home/b"),
                ]),
        ]
        let known = history.memories["vocabulary-food/savory"]
        let events = LessonMigration.events(for: history, all: migrations, version: 3)
        for event in events { history.add(SampleDrills.line(1, event)) }
        #expect(history.memories["vocabulary-food/savoury"] == known && known?.mastery == 2)
        #expect(history.memories.count == 2 && history.dataVersion == 3)
        // Once is enough, and a newer program's log is left alone.
        #expect(LessonMigration.events(for: history, all: migrations, version: 3).isEmpty)
        #expect(LessonMigration.events(for: history, all: [], version: 2).isEmpty)
    }

    @Test func aNewLogIsOfThePresentVersion() {
        #expect(LessonMigration.events(for: .init()) == [.data(version: LessonMigration.dataVersion)])
    }
}
