import ArgumentParser
import ExamCore
import ExamKit
import Learning
import Papers
import SessionFolders
import Study
import SystemSupport

extension PracticeCommand {
    struct Speak: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "speak",
            abstract: "Practise aloud, recorded and measured as in an exam.",
            discussion: """
                shadowing: speak along with a voice; use headphones. repeat: say sentences after the voice. 4-3-2: \
                tell the same story three times, in 120, 90 and 60 seconds. one-more-sentence: reach a number of \
                seconds of speech in each answer. pause-less: reach a number of syllables between two pauses. The end \
                shows all attempts side by side. The recordings are stored as a session (`oracy sessions`).
                """)

        @Argument(help: "The drill: shadowing, repeat, 4-3-2, one-more-sentence or pause-less.", transform: Self.kind)
        var kind: SpokenDrill

        private static func kind(_ word: String) throws -> SpokenDrill {
            guard let kind = SpokenDrill.chosen.first(where: { $0.rawValue == word }) else {
                throw ValidationError(
                    "\(word) is not a drill. Use one of \(SpokenDrill.chosen.map(\.rawValue).spoken).")
            }
            return kind
        }

        @Option(help: "The lesson with the sentences. Default: the first open one that is not done.")
        var lesson: String?

        @OptionGroup var wishes: PaperArguments

        @Option(help: "How many sentences or questions, 1 to 20. Default: 5 sentences or 3 questions.")
        var count: Int?

        @Option(help: "Seconds of speech, or syllables between pauses. Default: 30, or 6.")
        var target: Double?

        @Flag(help: "I agree to be recorded. Without this you are asked the first time.")
        var consent = false

        @OptionGroup var devices: DeviceArguments
        @OptionGroup var screen: ScreenArguments

        func validate() throws {
            if let count, !(1...20).contains(count) { throw ValidationError("--count must be between 1 and 20.") }
            if let target, !(1...110).contains(target) { throw ValidationError("--target must be between 1 and 110.") }
            if target != nil, kind.usualTarget == 0 { throw ValidationError("\(kind.rawValue) has no target.") }
            if lesson != nil, ![.shadowing, .repeatAfterMe].contains(kind) {
                throw ValidationError("--lesson is for shadowing and repeat.")
            }
        }

        func run() async throws {
            try await failing {
                let target = target ?? kind.usualTarget
                let (questions, item) = try content()
                let folder = try await DrillSitting(
                    kind: kind, target: target, questions: questions, devices: devices, screen: screen
                ).hold(consent: consent, on: SessionShelf(), what: "drill")
                try await SpokenReview(kind: kind, target: target, item: item).tell(folder)
            }
        }

        /// Returns the questions to say, and their name in the practice log.
        private func content() throws(Problem) -> (questions: [Paper.Question], item: String) {
            switch kind {
            case .shadowing, .repeatAfterMe: return try sentences()
            case .fourThreeTwo:
                let card = try drawn().lazy.filter { $0.card != nil }.first
                guard let card else {
                    throw Problem(.missing, "the bank has no card on that topic; `oracy papers list` shows its topics")
                }
                return ([card], card.id)
            case .oneMoreSentence, .pauseLess:
                let questions = Array(try drawn().filter { $0.card == nil }.prefix(count ?? 3))
                guard let first = questions.first else {
                    throw Problem(
                        .missing, "the bank has no question on that topic; `oracy papers list` shows its topics")
                }
                return (questions, first.id)
            case .again: throw Problem(.missing, "to answer a question of an exam again: oracy again")
            }
        }

        private func drawn() throws(Problem) -> [Paper.Question] {
            let desk = PaperDesk()
            let paper = try desk.draw(
                for: .builtIn("ielts-style"), from: desk.bank(), wishes, seed: .random(in: 0...UInt64(UInt32.max))
            ).paper
            return paper.sections.sorted { $0.key > $1.key }.flatMap(\.value).flatMap(\.questions)
        }

        private func sentences() throws(Problem) -> ([Paper.Question], String) {
            let home = try PracticeHome()
            let history = try home.history()
            let lessons = LessonCategory.builtIn.flatMap { category in
                category.lessons.map { (id: $0.packID(in: category), lesson: $0) }
            }.filter { !$0.lesson.items.flatMap(\.sentences).isEmpty }
            let chosen = lessons.first { one in
                guard lesson == nil else { return one.id == lesson }
                guard let pack = home.catalogue.pack(one.id) else { return false }
                return home.catalogue.isOpen(pack, history) && history.progress(of: pack) < 1
            }
            guard let chosen else {
                throw Problem(
                    .missing,
                    lesson.map { "\($0): there is no such lesson with sentences; `oracy practice lessons` lists them" }
                        ?? "you have done every lesson; name one with --lesson")
            }
            // The sentences that were practised least come first.
            let items = chosen.lesson.items.enumerated().sorted { a, b in
                func mastery(_ item: LessonItem) -> Int { history.memories["\(chosen.id)/\(item.id)"]?.mastery ?? 0 }
                return (mastery(a.element), a.offset) < (mastery(b.element), b.offset)
            }
            let sentences = items.compactMap { _, item in
                item.sentences.first.map { Paper.Question(id: item.id, text: $0) }
            }
            return (Array(sentences.prefix(count ?? 5)), chosen.id)
        }
    }
}

extension LessonItem {
    /// The complete sentences in the item that can be said.
    var sentences: [String] {
        switch self {
        case .word(let item): item.examples.map(\.text)
        case .idiom(let item): item.examples.map(\.text)
        case .phrasalVerb(let item): item.examples.map(\.text)
        case .marker(let item): item.examples.map(\.text)
        case .minimalPair(let item): [item.example.text]
        case .stress(let item): [item.example.text]
        case .answer: []
        }
    }
}
