import ArgumentParser
import Assessment
import Assessors
import Glibc
import Hearing
import SessionFolders
import StudyFolders
import SystemSupport

struct AssessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assess",
        abstract: "Have answers assessed by a recogniser, Azure, a language model or your own program.",
        discussion: """
            No assessor is used until you set one up with `oracy assess with`. Each assesses an answer once. Its \
            findings are stored in the session's folder; `oracy results` and `oracy report` show them with their \
            source. Nothing is sent to a third party before you agree to it by name.

            Exit codes in addition to the usual ones: 75 an assessor could not answer now, so run it again; 69 an \
            assessor needs a key, an address or your consent.
            """,
        subcommands: [Answers.self, With.self, Without.self, List.self, Budget.self, Withdraw.self],
        defaultSubcommand: Answers.self
    )

    struct Answers: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answers", abstract: "Assess the answers of an exam that were not assessed yet.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String = "last"

        @Option(
            name: .customLong("try"),
            help: ArgumentHelp("Show what would be sent for this recording, without sending it.", valueName: "file"))
        var tried: String?

        @Option(help: ArgumentHelp("With --try: a file with the words of the recording.", valueName: "file"))
        var words: String?

        @Option(
            help: ArgumentHelp("Agree to send answers to this third party. Repeatable.", valueName: "name"))
        var consentTo: [String] = []

        @Flag(help: "Print the findings as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                let seats = try home.seats()
                guard !seats.isEmpty else {
                    throw Problem(.missing, "no assessor is set up; see oracy assess with --help")
                }
                if let tried {
                    return try AssessorTrial(recording: tried, words: words).show(seats)
                }
                let folder = try SessionShelf().find(session)
                let consents = try AssessorConsent(home).obtain(for: seats, given: consentTo)
                let outcome = try await SessionAssessors(folder, seats, home, consents).run { line in
                    if !json { print(line.cleaned) }
                }
                print(json ? JSONText.of(outcome.report) : outcome.lines.joined(separator: "\n"), whole: json)
                if let code = outcome.exitCode { throw ExitCode(code) }
            }
        }
    }

    struct Without: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "without", abstract: "Stop using an assessor. Its findings stay.")

        @Argument(help: "The assessor's name, as `oracy assess list` shows it.")
        var id: String

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                var settings = try home.settings()
                let isThere = settings.assessors.contains { $0.id == id }
                // The recogniser on this machine is used without being set up.
                guard isThere || id == HeardHere.usualID && settings.words != false else {
                    throw Problem(.missing, "\(id): is not set up; oracy assess list shows the assessors")
                }
                settings.assessors.removeAll { $0.id == id }
                if id == HeardHere.usualID { settings.words = false }
                try home.write(settings)
                print("\(id) is no longer used. Its findings stay with your exams.")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the assessors, your consents, and what was used today.")

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                let settings = try home.settings()
                let consents = try home.consents()
                let heard = settings.hearsHere ? try WordsHere.installed().map { HeardHere($0).source } : nil
                if settings.assessors.isEmpty && heard == nil {
                    print("No assessor is set up. See oracy assess with --help.")
                }
                let own = heard.map { [$0.id, "words", $0.version, "stays on this machine"] }
                let rows =
                    (own.map { [$0] } ?? [])
                    + settings.assessors.map { entry in
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
            abstract: "Set a daily budget for assessors (UTC days). Without options: no limit.")

        @Option(help: "Minutes of sound a day.")
        var minutes: Double?

        @Option(help: "Money a day, in the currency of the prices.")
        var money: Double?

        func run() async throws {
            try await failing {
                let home = AssessorsHome()
                var settings = try home.settings()
                settings.budget = minutes == nil && money == nil ? nil : AssessorBudget(minutes: minutes, money: money)
                try home.write(settings)
                print(settings.budget == nil ? "The budget was removed." : "The budget applies from now on.")
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Withdraw your consent: nothing more is sent to this third party.")

        @Argument(help: "The third party's name, as `oracy assess list` shows it.")
        var recipient: String

        func run() async throws {
            try await failing {
                guard try AssessorsHome().withdraw(from: recipient) else {
                    throw Problem(
                        .missing, "\(recipient): you have not agreed to send anything there, so nothing was changed")
                }
                print("Nothing more is sent to \(recipient). What was sent before cannot be deleted from here.")
            }
        }
    }
}
