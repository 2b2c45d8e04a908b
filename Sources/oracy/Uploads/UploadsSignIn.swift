import ArgumentParser

extension UploadsCommand {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sign in, as `oracy account sign-in` does.")

        func run() async throws {
            try await failing { try await AccountCommand.SignIn.signIn() }
        }
    }
}
