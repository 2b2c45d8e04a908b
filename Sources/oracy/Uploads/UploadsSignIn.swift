import ArgumentParser

extension UploadsCommand {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "The same as `oracy account sign-in`.")

        func run() async throws {
            try await failing { try await AccountCommand.SignIn.signIn() }
        }
    }
}
