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

        @Option(help: "Only lessons of this level: A2, B1, B2 or C1.")
        var level: String?

        @Option(help: "Only lessons on this topic.")
        var topic: String?

        func run() async throws {
            try await failing {
                let now = try await Practising.own.state()
                let (catalogue, history) = (now.content.catalogue, now.history)
                var rows: [[String]] = []
                for category in LessonCategory.builtIn {
                    for lesson in category.lessons {
                        guard let pack = catalogue.pack(lesson.packID(in: category)) else { continue }
                        if let topic, lesson.topic.lowercased() != topic.lowercased() { continue }
                        if let level, !lesson.items.contains(where: { $0.level.rawValue == level.uppercased() }) {
                            continue
                        }
                        let state =
                            !catalogue.isOpen(pack, history)
                            ? "not open yet" : "\(Int(history.progress(of: pack) * 100)) % done"
                        rows.append([pack.id, "\(lesson.items.count)", state, "\(category.title): \(lesson.title)"])
                    }
                }
                guard !rows.isEmpty else { throw Problem(.missing, "there is no such lesson") }
                for line in ([["LESSON", "ITEMS", "STATE", "TITLE"]] + rows).columns(right: 1...1) {
                    print(line)
                }
            }
        }
    }

    struct LessonPage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lesson", abstract: "Read a lesson. To practise it: oracy practice --pack ID")

        @Argument(help: "A lesson's id (`oracy practice lessons`).")
        var id: String

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
                let voice = DrillVoice()
                defer { voice.close() }
                print("\(category.title): \(lesson.title)\n")
                for item in lesson.items {
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

/// The content of a lesson as text for people. Pure.
enum LessonText {
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
