import ArgumentParser

struct WordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "words",
        abstract: "Write down what you say, with a recogniser on this machine.",
        subcommands: [
            WordsStatusCommand.self, WordsInstallCommand.self, WordsTryCommand.self, WordsMeasureCommand.self,
            WordsRemoveCommand.self,
        ],
        defaultSubcommand: WordsStatusCommand.self
    )
}
