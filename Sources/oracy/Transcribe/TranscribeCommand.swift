import ArgumentParser
import Assessment
import Assessors
import ExamCore
import FoundationEssentials
import Glibc
import SessionFolders
import StudyFolders
import SystemSupport

struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Type what you said in an answer.",
        discussion: """
            In a terminal, you hear the answer and type line by line. Each line is saved at once. Otherwise the words \
            come from standard input or a file. Results and reports show them as your transcript. It replaces an \
            earlier transcript of the answer. ORACY_GRAMMAR names a grammar checker: harper (oracy words install --grammar), \
            harper:/path/to/python, none, or the address of a LanguageTool server, which the words are sent to.
            """
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String

    @Argument(help: "The answer (oracy results): part2_q1.")
    var answer: String

    @Option(help: ArgumentHelp("Read the words from this file.", valueName: "file"))
    var file: String?

    /// In characters: about two hours of fast speech.
    static let longest = 100_000

    func run() async throws {
        try await failing {
            let folder = try SessionShelf().find(session)
            let takes = try folder.answersToMark()
            guard let index = takes.firstIndex(where: { $0.record.name == answer }) else {
                throw Problem(
                    .malformed, "\(folder.name): there is no answer \(answer); oracy results \(session) lists them")
            }
            let desk = TranscribeDesk(takes[index], folder)
            let checker = try GrammarSetting.checker()
            if let file {
                try desk.keep(Self.words(PrivateFile.read(file), from: file))
            } else if isatty(STDIN_FILENO) == 1 {
                try typing(at: desk, index)
            } else {
                var bytes: [UInt8] = []
                while let line = readLine(strippingNewline: false), bytes.count <= 4 * Self.longest {
                    bytes += line.utf8
                }
                try desk.keep(Self.words(bytes, from: "stdin"))
            }
            let problem = await desk.check(by: checker)
            let profile = try desk.profile()
            print("\(answer): saved \(profile.words.of("word")). To see them with the sound: oracy report \(session)")
            for line in profile.lines.dropFirst() { print("  \(line.name): \(line.value)".cleaned) }
            for mistake in desk.mistakes { print("  \"\(mistake.original)\" → \"\(mistake.correction)\"".cleaned) }
            if let problem { complain("the words were saved, but their grammar was not checked: \(problem.sentence)") }
        }
    }

    private static func words(_ bytes: [UInt8], from name: String) throws(Problem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.malformed, "\(name): is not UTF-8 text; save it as UTF-8 and try again")
        }
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        guard !words.isEmpty else { throw Problem(.malformed, "\(name): has no words") }
        guard words.count <= longest else {
            throw Problem(.malformed, "\(name): has \(words.count) characters, more than \(longest); shorten it")
        }
        return words
    }

    private func typing(at desk: TranscribeDesk, _ index: Int) throws(Problem) {
        let listening = AnswerListening(desk.folder)
        defer { listening.close() }
        print(
            """
            Type what you said, with all mistakes. Each line is saved. An empty line ends.
              /play     play from the beginning; /play 12: from the 12th second
              /back     play again from 3 s before
              /slower   play a quarter slower; /normal: at normal speed
              /stop     stop playing
            """)
        if let pauses = try desk.pauses() { print(pauses) }
        func obey(_ wish: MarkDesk.Playing) { if let problem = listening.obey(wish) { print(problem) } }
        obey(.play(index, from: .zero))
        while let line = readLine(), !line.isEmpty {
            let words = line.split(separator: " ")
            switch words.first {
            case "/play":
                let seconds = words.count > 1 ? Double(words[1]) ?? 0 : 0
                obey(.play(index, from: .seconds(max(0, min(seconds, desk.seconds)))))
            case "/back":
                obey(.play(index, from: max(.zero, (listening.place ?? .seconds(desk.seconds)) - .seconds(3))))
            case "/slower", "/normal":
                listening.speed = words[0] == "/slower" ? AnswerListening.slow : 1
                if let place = listening.place { obey(.play(index, from: place)) }
            case "/stop": obey(.stop)
            case let word? where word.hasPrefix("/"):
                print("\(word) is not a command. Type what you said, or /play, /back, /slower, /normal or /stop.")
            case nil: continue
            default: try desk.keep(desk.text.isEmpty ? line : desk.text + " " + line)
            }
        }
        guard !desk.text.isEmpty else {
            throw Problem(.malformed, "\(answer): nothing was typed, so nothing was changed")
        }
    }
}

/// The transcript that is being typed. It is stored completely after every change.
final class TranscribeDesk {
    let folder: SessionFolder
    private let take: StoredTake
    private(set) var text = ""
    private(set) var mistakes: [Mistake] = []

    init(_ take: StoredTake, _ folder: SessionFolder) {
        self.take = take
        self.folder = folder
    }

    var seconds: Double { Double(take.duration.duration.milliseconds) / 1000 }

    /// - Throws: `Problem.unwritable`; `malformed` if the existing transcripts cannot be read.
    func keep(_ text: String) throws(Problem) {
        try folder.keep(transcript(of: text, []))
        self.text = text
    }

    /// Stores the findings of a grammar checker with the words.
    ///
    /// - Returns: The reason if the checker failed; nil on success, or if no checker is configured.
    func check(by checker: (any LanguageChecking)?) async -> Problem? {
        guard let checker else { return nil }
        do throws(Problem) {
            let check = try await checker.check(text)
            try folder.keep(transcript(of: text, [check]))
            mistakes = check.mistakes
            return nil
        } catch {
            return error
        }
    }

    /// Returns a sentence on the speaker's pauses, for the transcriber; nil if there were no pauses.
    ///
    /// - Throws: The errors of `ExamAssessment.assess`.
    func pauses() throws(Problem) -> String? {
        let answers = try SessionAssessing.assessment(of: folder).answers
        let pauses = answers.first { $0.record.name == take.record.name }?.sound.timeline.pauses ?? []
        if pauses.isEmpty { return nil }
        let places = pauses.map { "\(Duration.seconds($0.start).clock) (\(Duration.seconds($0.length).seconds))" }
        return "You paused at \(places.joined(separator: ", "))."
    }

    /// Returns the statistics on the words.
    ///
    /// - Throws: The errors of `ExamAssessment.assess`.
    func profile() throws(Problem) -> TextProfile {
        let text = ExamText(
            of: try SessionAssessing.assessment(of: folder), [transcript(of: text, [])],
            sentences: try folder.sentences())
        return text[take.record.name] ?? TextProfile(of: [.init(text: self.text, span: nil)], source: .own)
    }

    private func transcript(of text: String, _ checks: [LanguageCheck]) -> AnswerTranscript {
        AnswerTranscript(
            answer: take.record.name, recording: take.sha256, source: .own, writtenAt: WallTime.now.utc, text: text,
            checks: checks)
    }
}
