import ArgumentParser
import Learning
import Study
import StudyFolders
import SystemSupport

extension PracticeCommand {
    struct Lessons: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lessons",
            abstract: "List the built-in lessons, with your progress.")

        @OptionGroup var filter: LessonFilterArguments

        @Option(help: "Only lessons on this topic.")
        var topic: String?

        func run() async throws {
            try await failing {
                let wanted = try self.filter.filter()
                let now = try await Practising.own.state()
                let lines = LessonText.list(now.content.catalogue, now.history, wanted, topic: topic)
                guard !lines.isEmpty else { throw Problem(.missing, "there is no such lesson") }
                for line in lines { print(line) }
            }
        }
    }

    struct LessonPage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lesson", abstract: "Read a lesson. To practise it: oracy practice --pack ID")

        @Argument(help: "A lesson's id (`oracy practice lessons`).")
        var id: String

        @OptionGroup var filter: LessonFilterArguments

        @Flag(help: "Open the lesson before its turn.")
        var open = false

        @Flag(help: "Hear each word or phrase in the examiner's voice.")
        var say = false

        func run() async throws {
            try await failing {
                let practising = Practising.own
                guard let (category, lesson) = try await practising.state().content.lessons[id] else {
                    throw Problem(.missing, "\(id): there is no such lesson; `oracy practice lessons` lists them")
                }
                let items = lesson.items.filter(try self.filter.filter().keeps)
                guard !items.isEmpty else { throw Problem(.missing, "\(id): the lesson has no such items") }
                let voice = DrillVoice()
                defer { voice.close() }
                print("\(category.title): \(lesson.title)\n")
                for item in items {
                    for line in LessonText.lines(item) { print(line) }
                    print("")
                    if say { await voice.say(item.title) { complain("note: \($0)") } }
                }
                let (id, open) = (id, open)
                try await practising.take(at: .now) { step in
                    step.read(lesson: id)
                    if open { step.open(lesson: id) }
                }
            }
        }
    }
}

/// The options that choose items of lessons.
struct LessonFilterArguments: ParsableArguments {
    @Option(help: "Only items of this level: A2, B1, B2 or C1.")
    var level: String?

    @Option(help: "Only words on this sub-topic, such as cooking.")
    var subtopic: String?

    /// - Throws: `Problem.malformed` if the level is unknown.
    func filter() throws(Problem) -> LessonFilter {
        let level = try level.map { (name) throws(Problem) in
            guard let level = LessonItem.Level(rawValue: name.uppercased()) else {
                throw Problem(.malformed, "--level \(name): there is no such level. Use A2, B1, B2 or C1")
            }
            return level
        }
        return LessonFilter(level: level, subtopic: subtopic)
    }
}

/// Lessons as text for people. Pure.
enum LessonText {
    /// The lessons with items that a filter keeps, as a table with the learner's progress, and a line for each category.
    static func list(
        _ catalogue: PracticeCatalogue, _ history: PracticeHistory, _ filter: LessonFilter, topic: String?
    ) -> [String] {
        var (rows, categories) = ([[String]](), [String]())
        for category in LessonCategory.builtIn {
            var all: [LessonProgress] = []
            for lesson in category.lessons {
                guard let pack = catalogue.pack(lesson.packID(in: category)) else { continue }
                let progress = LessonProgress(of: pack, history)
                all.append(progress)
                let count = lesson.items.count(where: filter.keeps)
                guard count > 0, topic == nil || lesson.topic.lowercased() == topic?.lowercased() else { continue }
                let state =
                    catalogue.isOpen(pack, history) ? "\(Int(progress.share * 100)) % known" : "not open yet"
                rows.append([
                    pack.id, "\(count)", state, progress.lastStudied?.text ?? "-", "\(category.title): \(lesson.title)",
                ])
            }
            guard rows.contains(where: { $0[4].hasPrefix(category.title + ": ") }) else { continue }
            categories.append(line(category.title, all))
        }
        guard !rows.isEmpty else { return [] }
        return ([["LESSON", "ITEMS", "STATE", "LAST", "TITLE"]] + rows).columns(right: 1...1, shrinking: 4) + [""]
            + categories
    }

    /// `Vocabulary: 34 % known, 2 of 12 lessons complete, 51 answers, the last on 2026-11-24.`
    private static func line(_ title: String, _ lessons: [LessonProgress]) -> String {
        let all = LessonProgress(all: lessons)
        let complete = lessons.count(where: \.isComplete)
        let last = all.lastStudied.map { ", \(all.answers.of("answer")), the last on \($0.text)" } ?? ""
        return "\(title): \(Int(all.share * 100)) % known, \(complete) of \(lessons.count) lessons complete\(last)."
    }

    static func lines(_ item: LessonItem) -> [String] {
        switch item {
        case .word(let word):
            ["\(word.word)  \(word.ipa)  \(word.partOfSpeech.rawValue), \(word.level.rawValue), \(word.subtopic)"]
                + texts([word.definition] + word.examples.map(\.text))
        case .idiom(let idiom):
            ["\(idiom.idiom)  \(idiom.level.rawValue)"] + texts([idiom.meaning] + idiom.examples.map(\.text))
        case .phrasalVerb(let verb):
            ["\(verb.phrasalVerb)  \(verb.level.rawValue)"] + texts([verb.definition] + verb.examples.map(\.text))
        case .marker(let marker):
            ["\(marker.marker)  \(marker.level.rawValue)"] + texts([marker.use] + marker.examples.map(\.text))
        case .answer(let answer):
            answer.question.wrapped(to: terminalColumns - 4) + (answer.points ?? []).map { "  - \($0)" }
                + texts([answer.answer, "Or: \(answer.alternative)", "(\(answer.note))"])
        case .minimalPair(let pair):
            ["\(pair.word) \(pair.ipa)  and  \(pair.other.word) \(pair.other.ipa)"]
                + texts([pair.mistake, pair.example.text])
        case .stress(let stress):
            ["\(stress.stressing(stress.stressed))  \(stress.ipa)"] + texts([stress.mistake, stress.example.text])
        }
    }

    private static func texts(_ texts: [String]) -> [String] {
        texts.flatMap { text in text.wrapped(to: terminalColumns - 8).map { "    " + $0 } }
    }
}
