import ArgumentParser
import ExamCore
import ExamKit
import FoundationEssentials
import Glibc
import Learning
import Study
import StudyFolders
import SystemSupport

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show and change your plan for this week, made from what you did so far.",
        discussion: """
            Every task is a command with a reason. It is ticked when its exam, drill or lesson is done, on any day. \
            docs/plan.md explains the rules.
            """,
        subcommands: [
            Show.self, SetUp.self, Make.self, Reroll.self, Undo.self, Prep.self, Copy.self, Erase.self,
        ],
        defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show this week, day by day.")

        @Option(help: ArgumentHelp("Write the plan as iCalendar into this file.", valueName: "file"))
        var ics: String?

        @Flag(help: "Print the plan as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                let book = try await own.planning.neededBook()
                let knowledge = try await own.facts().knowledge
                guard let plan = book.plan(knowledge) else { throw PlanRefusal.noPlan }
                if let ics {
                    try OutputFile.replace(ics, with: PlanCalendar.text(of: book.history) ?? "", mode: 0o600)
                    return print("\(ics): \(plan.tasks.count.of("task"))")
                }
                if json { return print(String(decoding: plan.json, as: UTF8.self), whole: true) }
                let ticks = PlanTicks(plan, knowledge.deeds)
                for line in PlanText.lines(plan, ticks, today: knowledge.today) { print(line.cleaned) }
            }
        }
    }

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make",
            abstract:
                "Make this week's plan, or move its missed tasks.",
            discussion: "Shows the changes and asks before it replaces the old plan.")

        @Flag(help: "Make the rest of this week's plan anew, even if nothing was missed.")
        var anew = false

        @OptionGroup var model: PlanModelArguments

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                let book = try await own.planning.neededBook()
                let facts = try await own.facts()
                if model.isUsed { return try await model.write(book, facts.knowledge, to: own, yes: yes) }
                guard let proposal = book.proposal(anew: anew, facts.knowledge) else {
                    return print("Nothing was missed, so the plan stays as it is. To replace it anyway, add --anew.")
                }
                let plan = proposal.plan
                try await OwnPlan.offer(plan, proposal.preview, notes: plan.notes, yes: yes) {
                    _ = try await own.planning.accept(version: plan.version, anew: anew, facts)
                }
            }
        }
    }

    struct Reroll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reroll",
            abstract: "Make one section of the plan anew. The others stay as they are.",
            discussion: "Finished tasks stay. To reverse the change: oracy plan undo")

        @Argument(help: "The section: resources, timeBlocks or dailyTasks.", transform: PlanCommand.section)
        var section: StudyPlan.Section

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                let before = try await own.planning.neededBook()
                let facts = try await own.facts()
                let book = try await own.planning.reroll(section, facts)
                guard let new = book.plan(facts.knowledge) else { throw PlanRefusal.noPlan }
                if section == .dailyTasks {
                    let preview = PlanPreview(from: before.plan(facts.knowledge), to: new)
                    for line in preview.lines { print(line.cleaned) }
                }
                print("This is version \(new.version). To see it: oracy plan. To reverse it: oracy plan undo")
            }
        }
    }

    private static func section(_ word: String) throws -> StudyPlan.Section {
        guard let section = StudyPlan.Section(rawValue: word) else {
            throw ValidationError(
                "\(word) is not a section. Use one of \(StudyPlan.Section.allCases.map(\.rawValue).spoken).")
        }
        return section
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Undo the plan's last change.")

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                _ = try await own.planning.neededBook()
                print(try await own.planning.undo(own.facts()).undone.sentence)
            }
        }
    }

    struct Prep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prep",
            abstract:
                "Show a prep pack: what happens in your exam or interview, drills, questions.")

        @Flag(help: "Print the pack as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let own = try OwnPlan()
                let book = try await own.planning.neededBook()
                let knowledge = try await own.facts().knowledge
                let pack = try PrepPack.made(
                    for: book.profile, of: book.plan(knowledge), knowledge,
                    format: .builtIn(book.profile.examFormat))
                if json { return print(String(decoding: pack.json, as: UTF8.self), whole: true) }
                for line in PlanText.lines(pack) { print(line.cleaned) }
            }
        }
    }

    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy your profile and all plans into a file that only you can read.")

        @Argument(help: "The file to write.")
        var file: String

        func run() async throws {
            try await failing {
                let book = try await OwnPlan().planning.neededBook()
                guard access(file, F_OK) != 0 else {
                    throw Problem(.occupied, "\(file): already exists; name a new file")
                }
                try PrivateFile.replace(file, with: book.json)
                print("\(file): your profile and \(book.history.entries.count.of("plan"))")
            }
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erase your profile and all plans permanently.",
            discussion: "Practice and exams stay. To erase them: oracy practice erase, oracy sessions erase")

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        func run() async throws {
            try await failing {
                let file = PlanFile()
                guard file.isThere else { return print("There is nothing to erase.") }
                guard try Asking.agrees("Permanently erase your profile and all plans?", yes: yes) else {
                    return print("Nothing was erased.")
                }
                let sha256 = try PrivateFile.digest(file.path).sha256
                guard unlink(file.path) == 0 else { throw PrivateFile.unwritable(file.path) }
                print("erased  plan.json  \(sha256)")
            }
        }
    }
}

/// A question that the user answers with yes or no.
enum Asking {
    /// Asks the user for confirmation. Returns true without asking if `yes` is set.
    ///
    /// - Throws: `Problem.missing` if standard input is not a terminal.
    static func agrees(_ question: String, yes: Bool) throws(Problem) -> Bool {
        if yes { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Problem(.missing, "cannot ask for confirmation without a terminal; add --yes")
        }
        print("\(question) (y/n) ", terminator: "")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
