import ArgumentParser
import Assessment
import ExamCore
import ExamKit
import Learning
import PulseRoom
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct AgainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "again",
        abstract: "Answer a question of an exam again, and better.",
        discussion: """
            Plays your answer and shows its words with their corrections, one thing to do better and model answers. \
            Then the examiner asks the question again, and the end shows both answers side by side. The recording is \
            stored as a session of its own, which is not an exam. Sentences with a mistake come back in your drills.
            """)

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String = "last"

    @Argument(help: "The answer, such as part1_q5. Default: the one that the first next step names.")
    var answer: String?

    @Flag(help: "Only print the answer's words, the advice and the model answers: play and record nothing.")
    var read = false

    @Flag(help: "I agree to be recorded. Without this you are asked the first time.")
    var consent = false

    @OptionGroup var devices: DeviceArguments
    @OptionGroup var screen: ScreenArguments

    func run() async throws {
        try await failing {
            let shelf = SessionShelf()
            let told = try await ToldDossier(try shelf.find(session), on: shelf, by: RulesArguments.own())
            guard let loop = QuestionLoop(told.dossier, answer: answer) else {
                let names = told.dossier.evidence.answers.counted.assessed.map(\.record.name)
                throw Problem(
                    .missing,
                    answer.map { "\($0): is not an answer of \(told.name); use one of \(names.spoken)" }
                        ?? "\(told.name): has no answer to give again")
            }
            for line in LoopText.lines(loop) { print(line.cleaned) }
            guard !read else { return }
            guard let asked = loop.asked else {
                throw Problem(.missing, "\(told.name): its paper is unknown, so the question cannot be asked again")
            }
            let path = try recording(of: loop.record, in: told.session.folder)
            try await play(path, loop.models)
            try await ask(asked, after: loop.telling.map { ($0, path) }, on: shelf)
            let practising = Practising(on: FolderShelf(shelf, with: told.session.folder))
            let new = try await practising.keep(Retelling(loop, of: told.dossier.evidence.entry.id), at: .now)
            print("The question comes back in a few days: oracy practice day")
            if new > 0 {
                print("\(new.of("sentence")) of your first answer will come back in your drills: oracy practice")
            }
        }
    }

    private func recording(of record: AnswerRecord, in folder: SessionFolder) throws(Problem) -> String {
        guard let take = try folder.readManifest()?.takes.first(where: { $0.record.name == record.name }) else {
            throw Problem(.missing, "\(folder.name): has no recording of \(record.name)")
        }
        return "\(folder.path)/\(take.file)"
    }

    /// Plays the learner's answer, then the better model answer. If nothing can be played, says so and continues.
    private func play(_ path: String, _ models: LoopModels) async throws {
        let voice = DrillVoice()
        defer { voice.close() }
        print("Your answer …")
        await voice.play(path) { complain("note: \($0)") }
        guard let model = models.answers.last else { return }
        print("The model answer …")
        await voice.say(model.text) { complain("note: \($0)") }
    }

    private func ask(
        _ question: Paper.Question, after before: (Telling, String)?, on shelf: SessionShelf
    ) async throws {
        let kind = SpokenDrill.again
        let folder = try await DrillSitting(
            kind: kind, target: 0, questions: [question], devices: devices, screen: screen, hears: true
        ).hold(consent: consent, on: shelf, what: "answer")
        for line in LoopText.lines(
            saidNow: try ExamDossier(FolderShelf().evidence(of: folder), after: [], by: RulesArguments.own()))
        {
            print(line.cleaned)
        }
        try await SpokenReview(kind: kind, target: 0, item: question.id, before: before).tell(folder)
    }
}

/// A question's loop as text for a terminal. Pure.
enum LoopText {
    static func lines(_ loop: QuestionLoop) -> [String] {
        var lines = ["\(loop.title): \(loop.question ?? loop.record.question)"].flatMap { wrapped($0) }
        lines.append("")
        if let words = loop.words {
            lines += ["You said"] + wrapped(text(words), indent: 2)
            lines += words.mistakes.flatMap {
                DrillText.hanging("  - ", "\"\($0.original)\" → \"\($0.correction)\"")
            }
        } else {
            lines += ["There is no transcript of this answer. To have answers written down: oracy words install"]
        }
        lines += [""] + DrillText.hanging("Do better: ", loop.aim.sentence)
        if case .step(let step) = loop.aim { lines += DrillText.hanging("           ", step.evidence) }
        if let other = loop.models.otherQuestion {
            lines +=
                ["", "There is no model answer to this question. The nearest one asks:"] + wrapped(other, indent: 2)
        } else if loop.models.answers.isEmpty {
            lines += ["", "There is no model answer to this question, nor to a similar one."]
        }
        for model in loop.models.answers {
            lines += ["", "Model answer, level \(model.level.rawValue)"] + wrapped(model.text, indent: 2)
            lines += DrillText.hanging("  ", "(\(model.note))")
        }
        return lines + [""]
    }

    /// Returns the words of the new answer, if there is a transcript.
    static func lines(saidNow dossier: ExamDossier) -> [String] {
        guard let said = dossier.transcripts.last else { return [] }
        return ["", "You said now"] + wrapped(text(CorrectedWords(said)), indent: 2)
    }

    /// Mistakes stand in brackets.
    private static func text(_ words: CorrectedWords) -> String {
        words.pieces.map { piece in
            switch piece {
            case .said(let text): text
            case .mended(let mistake): "[\(mistake.original)]"
            }
        }.joined()
    }

    private static func wrapped(_ text: String, indent: Int = 0) -> [String] {
        DrillText.hanging(String(repeating: " ", count: indent), text)
    }
}
