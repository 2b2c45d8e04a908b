import ArgumentParser
import ExamCore
import ExamKit
import SystemSupport

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a format and a paper. Errors prevent an exam, warnings do not."
    )

    @Argument(help: "A built-in format (\(ExamFormat.builtInNames.joined(separator: ", "))) or a .json file.")
    var format: String

    @Argument(help: "A built-in paper (\(Paper.builtInNames.joined(separator: ", "))) or a .json file.")
    var paper: String

    func run() async throws {
        try await failing {
            let format = try self.format.hasSuffix(".json") ? ExamFormat(file: self.format) : .builtIn(self.format)
            let paper = try self.paper.hasSuffix(".json") ? Paper(file: self.paper) : .builtIn(self.paper)
            let (script, validation) = ExamScript.assemble(format, paper)
            for warning in validation.warnings { print("warning: \(warning)") }
            guard let script else { throw Problem(.malformed, validation.errors.joined(separator: "\n")) }
            let folders = recordingFolders(of: self.paper, self.format)
            if let broken = script.brokenRecordings(in: folders) { throw broken }
            let answers = script.turns.count { $0.answer != nil }
            if let warning = try await UploadsHome().warning() { print("warning: \(warning)") }
            print("\(format.title), with \"\(paper.title)\": \(script.parts.count) parts, up to \(answers) answers")
        }
    }
}
