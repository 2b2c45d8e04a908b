import ArgumentParser

@main
struct Oracy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oracy",
        abstract: "An IELTS-style speaking test: held, recorded, replayed.",
        discussion: """
            Exit codes: 0 all went well; 1 a replay's log is not the expected one; 64 the command was not understood; \
            65 a format, paper, scenario or recording cannot be used; 66 a file is not there; 69 the examiner's voice \
            is not available; 73 a folder cannot be made or is in use, or a session is held; 74 something could not be written.
            """,
        version: "0.1.0",
        subcommands: [ReplayCommand.self, ValidateCommand.self, SessionsCommand.self]
    )
}
