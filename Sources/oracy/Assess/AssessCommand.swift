import ArgumentParser
import Assessment
import Assessors
import ExamKit
import Glibc

struct AssessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assess",
        abstract: "Have answers judged: by a recogniser, Azure, a language model, or a program of your own.",
        discussion: """
            Nobody is asked until `oracy assess with` says whom. Each is asked once about an answer; what it says is kept in the \
            session's folder, and shown by `oracy results` and `oracy report` with its source. Nothing goes to a third party before you \
            agreed to it by name.

            Exit codes beside the usual ones: 75 some could not answer now (run it again), 69 some need you (a key, an address, a consent).
            """,
        subcommands: [Answers.self, With.self, Without.self, List.self, Budget.self, Withdraw.self],
        defaultSubcommand: Answers.self
    )

    struct Answers: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answers", abstract: "Assess the answers of an exam; what is known is not asked for again.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String = "last"

        @Option(
            name: .customLong("try"),
            help: ArgumentHelp("Show what would be sent about this recording, and send nothing.", valueName: "file"))
        var tried: String?

        @Option(help: ArgumentHelp("With --try: what is said in the recording, from this file.", valueName: "file"))
        var words: String?

        @Option(
            help: ArgumentHelp("Agree that answers are sent to this third party; may be repeated.", valueName: "name"))
        var consentTo: [String] = []

        @Flag(help: "Print what was said as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                let seats = try home.seats()
                guard !seats.isEmpty else {
                    throw Problem(.missing, "nobody is set up to assess answers: oracy assess with --help says how")
                }
                if let tried {
                    return try AssessorTrial(recording: tried, words: words).show(seats)
                }
                let folder = try SessionShelf().find(session)
                let consents = try AssessorConsent(home).obtain(for: seats, given: consentTo)
                let outcome = try await SessionAssessors(folder, seats, home, consents).run { line in
                    if !json { print(line.cleaned) }
                }
                print(json ? JSONText.of(outcome.report) : outcome.lines.joined(separator: "\n"))
                if let code = outcome.exitCode { throw ExitCode(code) }
            }
        }
    }

    struct Without: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "without", abstract: "Ask an assessor no more; what it said stays.")

        @Argument(help: "Its name, as `oracy assess list` has it.")
        var id: String

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                var settings = try home.settings()
                guard settings.assessors.contains(where: { $0.id == id }) else {
                    throw Problem(.missing, "\(id): is not set up; oracy assess list says who is")
                }
                settings.assessors.removeAll { $0.id == id }
                try home.write(settings)
                print("\(id) is asked no more; what it said stays with your exams.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List who assesses, what was agreed to, and what today took.")

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                let settings = try home.settings()
                let consents = try home.consents()
                if settings.assessors.isEmpty { print("Nobody is set up: oracy assess with --help says how.") }
                let rows = settings.assessors.map { entry in
                    let place = entry.thirdParty.map { party in
                        consents[party].map { "sends to \(party), agreed \($0.givenAt.prefix(10))" }
                            ?? "would send to \(party): not agreed yet"
                    }
                    return [
                        entry.id, entry.kind.rawValue, entry.model ?? entry.region ?? "",
                        place ?? "stays on this machine",
                    ]
                }
                for line in rows.columns() { print(line.cleaned) }
                let spent = try home.spending.spent()
                var today = "today: \((spent.seconds / 60).figure(1)) minutes"
                if let minutes = settings.budget?.minutes { today += " of \(minutes.figure(0))" }
                if let money = settings.budget?.money { today += ", \(spent.cost.figure(2)) of \(money.figure(2))" }
                if spent.seconds > 0 || settings.budget != nil { print(today) }
            }
        }
    }

    struct Budget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "budget",
            abstract: "Say what assessors may take in a day (UTC); without options: anything.")

        @Option(help: "Minutes of sound.")
        var minutes: Double?

        @Option(help: "Money, in whatever the prices are in.")
        var money: Double?

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                var settings = try home.settings()
                settings.budget = minutes == nil && money == nil ? nil : AssessorBudget(minutes: minutes, money: money)
                try home.write(settings)
                print(settings.budget == nil ? "There is no budget." : "The budget holds from now on.")
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Take back what you agreed to: nothing more is sent to a third party.")

        @Argument(help: "Its name, as `oracy assess list` has it.")
        var recipient: String

        func run() async throws {
            try await failing {
                guard try AssessorsHome().withdraw(from: recipient) else {
                    throw Problem(.missing, "\(recipient): nobody agreed that anything is sent there")
                }
                print("Nothing more is sent to \(recipient). What it was sent before cannot be taken back from here.")
            }
        }
    }
}
