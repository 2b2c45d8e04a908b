import ArgumentParser
import ExamStore
import Foundation
import SystemSupport

/// The command `oracy-server jobs`.
struct Jobs: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists work that was given up, and has it done after all or ends it.",
        discussion: """
            Evaluations and webhooks are tried again for eleven hours and more. What fails to the end is kept here, a line each: its \
            id, what it was, the session, how often it was tried, when the last time was, and why it failed. --replay tries it again, with \
            all its tries. --drop ends it: an evaluation makes results of what there is and names what is missing; an event is not told. \
            The server may run.

            Exit codes: 0 done; 64 invalid option; 65 unusable database; 66 no such job, or no database; 69 database not reachable.
            """)

    @Option(help: "Have a job done after all: its id, or \"all\".")
    var replay: [String] = []

    @Option(help: "End a job: its id, or \"all\".")
    var drop: [String] = []

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func validate() throws {
        for word in replay + drop where word != "all" && UUID(uuidString: word) == nil {
            throw ValidationError("\(word): write a job's id, or all")
        }
    }

    func run(with found: OptionSources) async throws {
        let store = try await storage.existingStore()
        let service = store.service
        let dead = try await service.deadJobs()
        if replay.isEmpty && drop.isEmpty {
            for job in dead { say(Self.line(job)) }
            if dead.isEmpty { say("no work was given up") }
        }
        for id in try Self.ids(replay, dead) where try await service.replay(deadJob: id) {
            say("\(id.uuidString.lowercased()) is tried again")
        }
        for id in try Self.ids(drop, dead) where try await service.drop(deadJob: id) {
            say("\(id.uuidString.lowercased()) is ended")
        }
        await store.close()
    }

    private static func line(_ job: DeadJob) -> String {
        [
            job.id.uuidString.lowercased(), job.kind.rawValue, "session=" + job.session.uuidString.lowercased(),
            "attempts=\(job.attempts)", job.failedAt ?? "-", job.message,
        ].joined(separator: "  ")
    }

    /// - Throws: `Problem.missing` if a job is not among those that were given up.
    private static func ids(_ words: [String], _ dead: [DeadJob]) throws(Problem) -> [UUID] {
        if words.contains("all") { return dead.map(\.id) }
        let ids = words.compactMap { UUID(uuidString: $0) }
        for id in ids where !dead.contains(where: { $0.id == id }) {
            throw Problem(
                .missing, "\(id.uuidString.lowercased()): no such job was given up; \"oracy-server jobs\" lists them")
        }
        return ids
    }
}
