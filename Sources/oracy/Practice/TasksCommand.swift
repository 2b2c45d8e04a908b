import ArgumentParser
import Learning
import Study
import StudyFolders
import SystemSupport

struct TasksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tasks", abstract: "List and mark the questions, drills and tests that you practised.",
        subcommands: [List.self, Show.self, Mark.self, Delete.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what you practised, newest first.")

        @Option(help: "The largest number of entries.")
        var count = 20

        @Flag(help: "List only incomplete tasks, which the next drill asks.")
        var incomplete = false

        @Flag(help: "Print the list as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let tasks = try await Practising.own.state().tasks.filter { !incomplete || !$0.isComplete }
                if json { return print(JSONText.of(tasks.prefix(count).map(TaskReport.init)), whole: true) }
                guard !tasks.isEmpty else {
                    return print(
                        incomplete ? "Everything is complete." : "You have not practised yet. To start: oracy practice")
                }
                let rows = tasks.prefix(count).map {
                    [$0.id, $0.moment.day.text, $0.isComplete ? "yes" : "no", $0.title]
                }
                for line in ([["TASK", "DAY", "COMPLETE", "WHAT"]] + rows).columns(shrinking: 3) { print(line.cleaned) }
                if tasks.count > count {
                    print("... and \((tasks.count - count)) more; to see all: --count \(tasks.count)")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a task: the question, and how it went.")

        @Argument(help: "A task's id.")
        var id: String

        func run() async throws {
            try await failing {
                let now = try await Practising.own.state()
                guard let task = now.tasks.first(where: { $0.id == id }) else { throw TasksCommand.missing(id) }
                print("\(task.moment.text)  \(task.isComplete ? "complete" : "not complete")".cleaned)
                for line in task.title.wrapped(to: terminalColumns - 4) { print(line.cleaned) }
                guard let item = now.history.memories[id] else { return }
                print("\(item.answers.of("answer")), \(item.right) right; mastery \(item.mastery) of 5".cleaned)
                if let memory = item.memory {
                    print("due \(WallTime(secondsSince1970: memory.dueAt).local)")
                }
                if let question = now.content.catalogue.item(id)?.questions.first(where: { $0.id == item.lastQuestion })
                {
                    for line in "It is: \(question.rightAnswer). \(question.explanation)".wrapped(
                        to: terminalColumns - 4)
                    {
                        print(line.cleaned)
                    }
                }
            }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark",
            abstract: "Mark a task as complete or incomplete. The next drill asks incomplete ones.")

        @Argument(help: "A task's id.")
        var id: String

        @Flag(help: "Mark the task as incomplete.")
        var incomplete = false

        func run() async throws {
            try await failing {
                try await TasksCommand.mark(id, incomplete ? .incomplete : .complete)
                print("\(id) is now \(incomplete ? "incomplete" : "complete").")
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Remove a task from the list. Progress stays; practising it lists it again.")

        @Argument(help: "A task's id.")
        var id: String

        func run() async throws {
            try await failing {
                try await TasksCommand.mark(id, .deleted)
                print("\(id) was removed from the list.")
            }
        }
    }

    private static func mark(_ id: String, _ mark: PracticeEvent.TaskMark) async throws {
        guard try await Practising.own.take(at: .now, { $0.mark(id, as: mark) }) else { throw missing(id) }
    }

    private static func missing(_ id: String) -> Problem {
        Problem(.missing, "\(id): there is no such task; `oracy tasks` lists them")
    }
}

private struct TaskReport: Encodable {
    var id, title, dueDate: String
    var isComplete: Bool

    init(_ task: PracticeTask) {
        (id, title, isComplete) = (task.id, task.title, task.isComplete)
        dueDate = task.moment.text
    }
}
