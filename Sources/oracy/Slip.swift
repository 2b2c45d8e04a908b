import ArgumentParser
import Learning

/// A misspelt command: `oracy practise`. Pure.
enum Slip {
    /// Returns the command line that was probably meant. Nil if no command's name is near.
    ///
    /// - Parameter arguments: The words after `oracy`.
    static func meant(by arguments: [String], under root: any ParsableCommand.Type = Oracy.self) -> String? {
        var command = root
        var path = ["oracy"]
        for (place, word) in arguments.enumerated() {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = subcommands.first(where: { $0.configuration.commandName == word }) {
                command = next
                path.append(word)
            } else {
                guard let name = subcommands.compactMap({ $0.configuration.commandName }).nearest(to: word) else {
                    return nil
                }
                return (path + [name] + arguments[(place + 1)...].map(\.quotedForShell)).joined(separator: " ")
            }
        }
        return nil
    }
}
