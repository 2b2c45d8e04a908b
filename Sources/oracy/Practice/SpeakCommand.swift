import ArgumentParser
import ExamCore
import ExamKit
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
            if lesson != nil, !kind.hasModel {
                throw ValidationError("--lesson is for shadowing and repeat.")
            }
        }

        func run() async throws {
            try await failing {
                let target = target ?? kind.usualTarget
                let content = try await content()
                let folder = try await DrillSitting(
                    kind: kind, target: target, questions: content.questions, devices: devices, screen: screen,
                    hears: kind.hasModel
                ).hold(consent: consent, on: SessionShelf(), what: "drill")
                try await SpokenReview(kind: kind, target: target, item: content.item).tell(folder)
            }
        }

        private func content() async throws -> DrillQuestions {
            switch kind {
            case .shadowing, .repeatAfterMe: return try await sentences()
            case .fourThreeTwo, .oneMoreSentence, .pauseLess:
                guard let drawn = DrillQuestions(kind, from: try paper(), count: count) else {
                    let what = kind == .fourThreeTwo ? "card" : "question"
                    throw Problem(
                        .missing, "the bank has no \(what) on that topic; `oracy papers list` shows its topics")
                }
                return drawn
            case .again: throw Problem(.missing, "to answer a question of an exam again: oracy again")
            }
        }

        private func paper() throws(Problem) -> Paper {
            let desk = PaperDesk()
            return try desk.draw(
                for: .builtIn(SpokenDrill.paperFormat), from: desk.bank(), wishes,
                seed: .random(in: 0...UInt64(UInt32.max))
            ).paper
        }

        private func sentences() async throws -> DrillQuestions {
            let now = try await Practising.own.state()
            let found = DrillQuestions(
                sentencesOf: lesson, count: count, in: now.content.catalogue, after: now.history)
            guard let found else {
                throw Problem(
                    .missing,
                    lesson.map { "\($0): there is no such lesson with sentences; `oracy practice lessons` lists them" }
                        ?? "you have done every lesson; name one with --lesson")
            }
            return found
        }
    }
}
