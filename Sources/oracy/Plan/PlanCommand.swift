import ArgumentParser
import ExamKit
import FoundationEssentials
import Glibc
import Learning
import SystemSupport

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "What to do this week, from what you really did: made by rules, ticked by itself.",
        discussion: """
            Every task is a command, and says why it is there. It is ticked when its exam, drill or lesson is done, on whichever day. \
            docs/plan.md has the rules.
            """,
        subcommands: [
            Show.self, SetUp.self, Make.self, Reroll.self, Undo.self, Prep.self, Copy.self, Erase.self,
        ],
        defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "This week, day by day.")

        @Option(help: ArgumentHelp("Write it for calendars, as iCalendar.", valueName: "file"))
        var ics: String?

        @Flag(help: "Print the plan as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let book = try PlanHome.needed()
                let knowledge = try PlanHome.knowledge()
                guard let plan = book.plan(knowledge) else {
                    throw Problem(.missing, "this week has no plan yet: oracy plan make")
                }
                if let ics {
                    try OutputFile.replace(ics, with: PlanCalendar.text(of: book.history) ?? "", mode: 0o600)
                    return print("\(ics): \(plan.tasks.count.of("task"))")
                }
                if json { return print(String(decoding: plan.json, as: UTF8.self)) }
                let ticks = PlanTicks(plan, knowledge.deeds)
                for line in PlanText.lines(plan, ticks, today: knowledge.today) { print(line.cleaned) }
            }
        }
    }

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make",
            abstract:
                "Make another plan: this week's first one, what was missed moved, or --anew the rest of the week.",
            discussion: "What would change is shown, and asked about, before it takes the old one's place.")

        @Flag(help: "Make this week's plan anew, whatever it is.")
        var anew = false

        @OptionGroup var model: PlanModelArguments

        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            try await failing {
                let book = try PlanHome.needed()
                let knowledge = try PlanHome.knowledge()
                if model.isUsed { return try await model.write(book, knowledge, yes: yes) }
                guard let proposal = anew ? book.anew(knowledge) : book.proposal(knowledge) else {
                    return print("The plan holds: nothing was missed. --anew makes another one all the same.")
                }
                let plan = proposal.plan
                try PlanHome.offer(plan, proposal.preview, notes: plan.notes, in: book, yes: yes) {
                    (book) throws(Problem) in try book.accept(proposal)
                }
            }
        }
    }

    struct Reroll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reroll",
            abstract: "Have one section made anew: resources, timeBlocks or dailyTasks. The others stay as they are.",
            discussion: "What is done stays. `oracy plan undo` takes it back.")

        @Argument(help: "resources, timeBlocks or dailyTasks.", transform: PlanCommand.section)
        var section: StudyPlan.Section

        func run() async throws {
            try await failing {
                var book = try PlanHome.needed()
                let knowledge = try PlanHome.knowledge()
                let old = book.plan(knowledge)
                guard let new = try book.reroll(section, knowledge) else {
                    throw Problem(.missing, "this week has no plan yet: oracy plan make")
                }
                try PlanHome.write(book)
                if section == .dailyTasks {
                    for line in PlanPreview(from: old, to: new).lines { print(line.cleaned) }
                }
                print("Version \(new.version): oracy plan. `oracy plan undo` takes it back.")
            }
        }
    }

    private static func section(_ word: String) throws -> StudyPlan.Section {
        guard let section = StudyPlan.Section(rawValue: word) else {
            throw ValidationError("\(word) is none of \(StudyPlan.Section.allCases.map(\.rawValue).spoken).")
        }
        return section
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Take the plan's last change back.")

        func run() async throws {
            try await failing {
                var book = try PlanHome.needed()
                guard let undone = book.undo(try PlanHome.knowledge()) else {
                    throw Problem(.missing, "there is nothing to take back in this week")
                }
                try PlanHome.write(book)
                print(undone.sentence)
            }
        }
    }

    struct Prep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prep",
            abstract:
                "What to take along: what happens in your exam or interview, drills by day, questions to begin with.")

        @Flag(help: "Print it as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let book = try PlanHome.needed()
                let knowledge = try PlanHome.knowledge()
                let pack = try PrepPack.made(for: book.profile, of: book.plan(knowledge), knowledge)
                if json { return print(String(decoding: pack.json, as: UTF8.self)) }
                for line in PlanText.lines(pack) { print(line.cleaned) }
            }
        }
    }

    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy your profile and all plans into a file that only you can read.")

        @Argument(help: "The file.")
        var file: String

        func run() async throws {
            try await failing {
                let book = try PlanHome.needed()
                guard access(file, F_OK) != 0 else { throw Problem(.occupied, "\(file): is there already") }
                try PrivateFile.replace(file, with: book.json)
                print("\(file): your profile and \(book.history.entries.count.of("plan"))")
            }
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erase your profile and all plans for good.",
            discussion: "What you did stays: `oracy practice erase`, `oracy sessions erase`.")

        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            try await failing {
                guard access(PlanHome.file, F_OK) == 0 else { return print("There is nothing to erase.") }
                guard try Asking.agrees("Erase your profile and all plans for good?", yes: yes) else {
                    return print("Nothing was erased.")
                }
                let sha256 = try PrivateFile.digest(PlanHome.file).sha256
                guard unlink(PlanHome.file) == 0 else { throw PrivateFile.unwritable(PlanHome.file) }
                print("erased  plan.json  \(sha256)")
            }
        }
    }
}

/// A question that the user answers with yes or no.
enum Asking {
    /// - Throws: `Problem.missing` if there is no terminal to ask at.
    static func agrees(_ question: String, yes: Bool) throws(Problem) -> Bool {
        if yes { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Problem(.missing, "there is no terminal to ask at: add --yes")
        }
        print("\(question) (y/n) ", terminator: "")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
