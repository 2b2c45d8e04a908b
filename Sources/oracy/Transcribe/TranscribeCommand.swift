import ArgumentParser
import Assessment
import ExamKit
import FoundationEssentials
import Glibc
import SystemSupport

struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Type what you said in an answer.",
        discussion: """
            At a terminal you hear the answer and type, line by line; each line is kept at once, so that nothing is lost. \
            Otherwise the words come from standard input or a file. They are shown in results and reports, as yours, and take \
            the place of what you typed for the answer before.
            """
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String

    @Argument(help: "The answer: part2_q1, as \"oracy results\" lists it.")
    var answer: String

    @Option(help: ArgumentHelp("Read the words from this file.", valueName: "file"))
    var file: String?

    /// Characters: some two hours of quick speech.
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
            let words = desk.text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }.count
            print("\(answer): \(words.of("word")) kept; oracy report \(session) shows them beside the sound")
        }
    }

    private static func words(_ bytes: [UInt8], from name: String) throws(Problem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.malformed, "\(name): is not UTF-8 text")
        }
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        guard !words.isEmpty else { throw Problem(.malformed, "\(name): has no words") }
        guard words.count <= longest else {
            throw Problem(.malformed, "\(name): has \(words.count) characters; an answer has \(longest) at most")
        }
        return words
    }

    private func typing(at desk: TranscribeDesk, _ index: Int) throws(Problem) {
        let listening = AnswerListening(desk.folder)
        defer { listening.close() }
        print(
            """
            Type what you said, mistakes included; each line is kept. An empty line ends it.
              /play     from the beginning; /play 12: from the 12th second
              /back     again from 3 s ago
              /stop
            """)
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
            case "/stop": obey(.stop)
            case let word? where word.hasPrefix("/"):
                print("There is no \(word): /play, /back, /stop, or what you said.")
            case nil: continue
            default: try desk.keep(desk.text.isEmpty ? line : desk.text + " " + line)
            }
        }
        guard !desk.text.isEmpty else {
            throw Problem(.malformed, "\(answer): nothing was typed, and nothing is changed")
        }
    }
}

/// The transcript that is being typed, kept whole after every change.
final class TranscribeDesk {
    let folder: SessionFolder
    private let take: StoredTake
    private(set) var text = ""

    init(_ take: StoredTake, _ folder: SessionFolder) {
        self.take = take
        self.folder = folder
    }

    var seconds: Double { Double(take.duration.duration.milliseconds) / 1000 }

    /// - Throws: `Problem.unwritable`; `malformed` where the transcripts that are there cannot be read.
    func keep(_ text: String) throws(Problem) {
        try folder.keep(
            AnswerTranscript(
                answer: take.record.name, recording: take.sha256, source: .own, writtenAt: WallTime.now.utc, text: text)
        )
        self.text = text
    }
}
