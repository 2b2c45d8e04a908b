import ArgumentParser
import Backends
import FoundationEssentials
import SessionFolders
import SessionUploads
import StudyFolders
import SystemSupport
import UploadQueue

extension UploadsCommand {
    struct Results: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "results",
            abstract: "Wait for a session's results from the backend, and print them.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String

        @Option(help: "Seconds to wait.")
        var deadline = 300.0

        @Flag(help: "Print the results as JSON.")
        var json = false

        func validate() throws { _ = try Deadline.duration(deadline) }

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let folder = try SessionShelf().find(session)
                guard let id = try SessionDelivery.id(of: folder, at: destination.name) else {
                    throw Problem(
                        .missing,
                        "session \"\(folder.name)\": was never sent to \(destination.place); see oracy uploads add"
                    )
                }
                let waiting = ResultsWait(destination, home: home, deadline: try Deadline.duration(deadline))
                switch try await waiting.outcome(of: id) {
                case .evaluated(let results):
                    print(
                        json ? JSONText.of(results) : ResultsText(results, of: folder, from: destination.place).text,
                        whole: json)
                case .unscored(let results):
                    if json { print(JSONText.of(results), whole: true) }
                    complain("\(folder.name): \(ResultsText.unscored(at: destination.place))")
                case .failed(let message):
                    throw Problem(.unavailable, "\(folder.name): \(message)")
                case .timedOut:
                    complain(
                        "\(folder.name): no results yet; see oracy sessions show \(folder.nameOnShelf)"
                    )
                    throw ExitCode(75)
                }
            }
        }
    }
}

/// Waits for a backend's results in a command: ^C ends the wait, and failures become problems.
struct ResultsWait {
    private let destination: Destination
    private let home: UploadsHome
    private var poll = ResultPoll()

    init(_ destination: Destination, home: UploadsHome, deadline: Duration? = nil) {
        self.destination = destination
        self.home = home
        if let deadline { (poll.deadline, poll.attempts) = (deadline, .max) }
    }

    /// - Throws: `ExitCode` 75 if the user interrupted it; `Problem` `denied`, `unavailable`.
    func outcome(of session: UUID) async throws -> ResultPoll.Outcome {
        let (poll, destination, credentials) = (poll, destination, home.credentials(of: destination))
        let outcome = try await Stoppable.run { () async throws -> Result<ResultPoll.Outcome, DeliveryFailure> in
            let client = UploadsHome.client()
            do throws(DeliveryFailure) {
                return .success(
                    try await poll.outcome { () async throws(DeliveryFailure) in
                        try await destination.status(of: session, client: client, credentials: credentials)
                    })
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let outcome): return outcome
        case .failure(let failure) where failure.kind == .cancelled: throw ExitCode(75)
        case .failure(let failure) where failure.kind == .signInNeeded:
            throw Problem(.denied, "you are not signed in to \(destination.place)")
        case .failure(let failure): throw Problem(.unavailable, "\(destination.place): \(failure.message)")
        }
    }
}
