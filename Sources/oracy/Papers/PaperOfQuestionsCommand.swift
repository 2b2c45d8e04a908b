import ArgumentParser
import ExamCore
import ExamKit
import Papers
import SystemSupport

struct PaperOfQuestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paper",
        abstract: "Make a paper from a list of questions (CSV).",
        discussion: """
            Columns: question. Optional columns: follow_up, easier (the same question in easier words), lead (said \
            first), item (rows with the same item belong together) and section (a format's section; default: topics). \
            Without items, every five questions form a frame.
            """)

    @Argument(help: "A table with one question a row.")
    var file: String

    @Option(help: "The paper's title. Default: the file's name.")
    var title: String?

    @Option(help: "The .json file to write. Default: standard output.")
    var output: String?

    func run() async throws {
        try await failing {
            let name = String(file.split(separator: "/").last?.prefix { $0 != "." } ?? "questions")
            let paper = try imported(of: file, otherwise: "no paper was made") { bytes throws(ImportMistakes) in
                try QuestionTable.paper(bytes, id: QuestionTable.label(name), title: title ?? name)
            }
            try keep(String(decoding: JSONFile.encode(paper), as: UTF8.self), in: output)
            let frames = paper.sections.values.joined()
            let count = frames.map(\.questions.count).reduce(0, +)
            let news = "\(count.of("question")) in \(frames.count.of("frame")); \(try formats(for: paper))"
            if output == nil { complain(news) } else { print(news) }
        }
    }

    /// Returns a sentence with the formats that the paper fits, and the command to take it.
    private func formats(for paper: Paper) throws(Problem) -> String {
        var names: [String] = []
        for name in ExamFormat.builtInNames where ExamScript.assemble(try .builtIn(name), paper).script != nil {
            names.append(name)
        }
        guard let name = names.first(where: { $0 == "questions" }) ?? names.first else {
            return "no built-in format has only \(paper.sections.keys.sorted().spoken): "
                + "leave out the section, or write your own format"
        }
        return "take it with \(names.spoken): oracy run --format \(name) --paper \(output ?? "FILE")"
    }
}
