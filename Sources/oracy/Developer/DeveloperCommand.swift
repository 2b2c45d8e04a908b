import ArgumentParser
import Backends
import Learning
import StudyFolders
import SystemSupport

/// Commands for developers of a client or a plan server.
struct DeveloperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "developer",
        abstract: "Call a plan server, or make a plan without one (for developers).",
        discussion: """
            Nothing is stored. The server is --url or ORACY_PLAN_URL. Without them it is http://localhost:8081 in a \
            debug build, and in a release the backend that you chose (oracy uploads to backend).
            """,
        subcommands: [Health.self, Plan.self, Prep.self, Stub.self])
}

extension DeveloperCommand {
    struct Health: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "health", abstract: "Check that the server answers.")

        @OptionGroup var server: PlanServerArguments
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            try await failing {
                let client = try server.client()
                let start = ContinuousClock.now
                try await client.asking { () throws(PlanProblem) in try await client.health() }
                let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
                struct Said: Encodable {
                    var server, status: String
                    var milliseconds: Int
                }
                guard json else { return print("\(client.place): ok, after \(milliseconds) ms".cleaned) }
                print(JSONText.of(Said(server: client.place, status: "ok", milliseconds: milliseconds)), whole: true)
            }
        }
    }

    struct Plan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plan", abstract: "Have the server make a plan for this week.")

        @OptionGroup var server: PlanServerArguments
        @OptionGroup var learner: PlanProfileArguments
        @Flag(help: "Print JSON (docs/schemas/plan.schema.json).") var json = false

        func run() async throws {
            try await failing {
                let (client, profile) = (try server.client(), try learner.read())
                let plan = try await client.asking { () throws(PlanProblem) in try await client.routine(for: profile) }
                plan.show(json: json)
            }
        }
    }

    struct Prep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prep", abstract: "Have the server make a prep pack.")

        @OptionGroup var server: PlanServerArguments
        @OptionGroup var learner: PlanProfileArguments
        @Flag(help: "Print JSON (docs/schemas/prep.schema.json).") var json = false

        func run() async throws {
            try await failing {
                let (client, profile) = (try server.client(), try learner.read())
                let pack = try await client.asking { () throws(PlanProblem) in try await client.prep(for: profile) }
                if json { return print(String(decoding: pack.json, as: UTF8.self), separator: "", terminator: "") }
                for line in PlanText.lines(pack) { print(line.cleaned) }
            }
        }
    }

    struct Stub: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stub",
            abstract: "Make a plan for this week by the rules, without a server.")

        @OptionGroup var learner: PlanProfileArguments
        @Flag(help: "Print JSON (docs/schemas/plan.schema.json).") var json = false

        func run() async throws {
            try await failing {
                // The whole week, including past days: on a Sunday there would be nothing to see otherwise.
                let plan = StudyPlan(for: try learner.read(), PlanEvidence(), week: StudyMoment.now.day)
                plan.show(json: json)
            }
        }
    }
}

extension StudyPlan {
    fileprivate func show(json: Bool) {
        if json { return print(String(decoding: self.json, as: UTF8.self), separator: "", terminator: "") }
        for line in PlanText.lines(self, PlanTicks(self, []), today: StudyMoment.now.day) { print(line.cleaned) }
    }
}

extension PlanClient {
    /// Runs a request, and converts its error to the tool's own.
    fileprivate func asking<Value>(_ ask: () async throws(PlanProblem) -> Value) async throws(Problem) -> Value {
        do throws(PlanProblem) {
            return try await ask()
        } catch {
            let kind: Problem.Kind =
                switch ServiceProblem(error).kind {
                case .signInNeeded: .denied
                case .decoding: .malformed
                default: if case .invalidURL = error { .malformed } else { .unavailable }
                }
            // The tool's sentences have no full stop at the end.
            throw Problem(kind, "\(place): \(error.displayMessage.dropLast())")
        }
    }
}
