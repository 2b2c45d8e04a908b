import ArgumentParser
import Assessment
import FoundationEssentials
import Hearing
import SystemSupport

struct WordsMeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Compare the words that are heard in recordings with those that were said.",
        discussion: """
            LIST is a table (CSV) whose first line names its columns: file, beside the table, and text, the words that \
            were said, with fillers and repetitions. An empty text means that the recording has no speech: each word \
            heard there is invented. The column mistakes, if there is one, has groups of words of the text that a \
            recogniser might correct, with slashes between them.

            Recordings are cut, heard and judged like answers of an exam. Write numbers as words: digits count as wrong.
            """
    )

    @Argument(help: "The table of recordings.")
    var list: String

    @Flag(help: "Print the figures and the words of each recording as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            let recordings = try SaidRecording.all(in: list)
            guard let words = try WordsHere.installed() else {
                throw Problem(.missing, "no recogniser is installed on this machine; run oracy words install")
            }
            var figures = WordFigures()
            for recording in recordings { figures.add(try await WordsTrial(recording.path, words), for: recording) }
            print(json ? JSONText.of(figures) : figures.lines.joined(separator: "\n"), whole: json)
        }
    }
}

/// A recording whose words are known.
struct SaidRecording {
    var path: String
    /// Empty if the recording has no speech.
    var text: String
    /// Groups of words of the text that a recogniser might correct.
    var mistakes: [String]

    /// Reads a table of recordings.
    ///
    /// - Throws: `Problem`: `missing`; `malformed` with the line, or if the table has no recordings.
    static func all(in list: String) throws(Problem) -> [SaidRecording] {
        let table = try CSVRows(PrivateFile.read(list), file: list)
        let (file, text) = (try table.column("file"), try table.column("text"))
        let mistakes = table.names.firstIndex(of: "mistakes")
        guard !table.rows.isEmpty else { throw Problem(.malformed, "\(list): names no recordings") }
        let folder = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
        return table.rows.map { row in
            let groups = mistakes.map { row.fields[$0].split(separator: "/").map(String.init) } ?? []
            return SaidRecording(path: folder + row.fields[file], text: row.fields[text], mistakes: groups)
        }
    }
}

/// The figures of a list of recordings.
struct WordFigures: Encodable {
    struct Recording: Encodable {
        var file: String
        var said: String
        var heard: String
        /// The reason why there are no words.
        var failure: String?
    }

    /// In recordings with words.
    var fidelity = WordFidelity()
    var spokenMinutes = 0.0
    /// The words in recordings without speech.
    var invented = 0
    var silentMinutes = 0.0
    /// The parts of the recogniser's answers that were discarded, by reason.
    var dropped: [AssessorFinding.Dropped: Int] = [:]
    var recordings: [Recording] = []

    mutating func add(_ trial: WordsTrial, for said: SaidRecording) {
        let heard = trial.text ?? ""
        if said.text.bareWords.isEmpty {
            invented += heard.bareWords.count
            silentMinutes += trial.duration / 60
        } else {
            fidelity += WordFidelity(said: said.text, heard: heard, mistakes: said.mistakes)
            spokenMinutes += trial.duration / 60
        }
        dropped.merge(trial.dropped, uniquingKeysWith: +)
        recordings.append(Recording(file: said.path, said: said.text, heard: heard, failure: trial.failure))
    }

    var lines: [String] {
        var lines: [String] = []
        if fidelity.words > 0 {
            let share = Double(fidelity.wrong) / Double(fidelity.words)
            lines.append(
                "words wrong: \((100 * share).figure(1)) % (\(fidelity.wrong) of \(fidelity.words), in \(spokenMinutes.figure(1)) min)"
            )
        }
        let kept = [
            ("fillers", fidelity.fillers), ("repetitions", fidelity.repetitions), ("mistakes", fidelity.mistakes),
        ]
        for (name, share) in kept where share.said > 0 {
            let percent = 100 * Double(share.kept) / Double(share.said)
            lines.append("\(name) kept: \(percent.figure(0)) % (\(share.kept) of \(share.said))")
        }
        if silentMinutes > 0 {
            let rate = Double(invented) / silentMinutes
            lines.append(
                "invented: \(rate.figure(1)) words a minute (\(invented) in \(silentMinutes.figure(1)) min without speech)"
            )
        }
        return lines
    }
}
