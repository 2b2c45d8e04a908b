import ArgumentParser
import Assessment
import SystemSupport

/// The rules that turn marks into results and estimates.
struct RulesArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A .json file of rules that turn marks into a result. Default: the built-in rules.", valueName: "file"))
    var rules: String?

    /// Reads the rules. An unknown field is an error.
    ///
    /// - Throws: `Problem`: `missing`, `malformed`.
    func read() throws(Problem) -> ResultRules {
        guard let file = rules else { return .ielts }
        let read = try JSONFile.decode(
            ResultRules.self, "rules of results", version: ResultRules.layoutVersion, from: PrivateFile.read(file),
            name: file)
        if let mistake = read.mistakes.first { throw Problem(.malformed, "\(file): \(mistake)") }
        return read
    }
}
