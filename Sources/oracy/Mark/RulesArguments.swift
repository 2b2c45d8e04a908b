import ArgumentParser
import Assessment
import Glibc
import Study
import SystemSupport

/// The rules that turn marks into results and estimates.
struct RulesArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A .json file of rules that turn marks into a result. Default: the file rules.json in Oracy's data folder if \
            there is one, otherwise the built-in rules.
            """, valueName: "file"))
    var rules: String?

    /// Reads the rules.
    ///
    /// - Throws: `Problem`: `missing`, `malformed`.
    func read() throws(Problem) -> ResultRules {
        guard let file = rules else { return try Self.own() }
        return try .read(from: PrivateFile.read(file), name: file)
    }

    /// The rules of commands without the option: the user's own file if there is one, otherwise the built-in rules.
    ///
    /// - Throws: `Problem.malformed`.
    static func own() throws(Problem) -> ResultRules {
        let file = UserFolders.data + "/rules.json"
        guard access(file, F_OK) == 0 else { return .ielts }
        return try .read(from: PrivateFile.read(file), name: file)
    }
}
