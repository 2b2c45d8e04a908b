import ArgumentParser
import Backends
import SessionFolders
import SessionUploads
import StudyFolders
import SystemSupport
import UploadQueue

struct UploadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uploads",
        abstract: "Set where answers go, and list, watch, retry or drop uploads.",
        discussion: """
            Nothing is sent until you choose a destination with `oracy uploads to`. From then on, every answer is \
            queued when it is recorded, and sent while the exam continues. Answers that cannot be sent wait on disk, \
            also across restarts.

            WHAT is a session's id or its beginning, "last", or SESSION/UPLOAD as listed \
            (2026-11-21-0912-ielts-style/part1_q3).
            """,
        subcommands: [
            List.self, Watch.self, Flush.self, Retry.self, Drop.self, Add.self, Results.self, To.self, SignIn.self,
        ],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the waiting uploads, and why they wait.")

        @Flag(help: "Include uploads that have arrived or were dropped.")
        var all = false

        @Flag(help: "Print the list as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.destination()
                let others = try Self.others(than: destination, home)
                let queue = try destination.map { (destination) throws(Problem) in try home.queue(to: destination) }
                let (entries, counts) = (try queue?.entries() ?? [], try queue?.counts() ?? UploadCounts())
                let shown = entries.filter { all || $0.isLeft }
                let account = destination.flatMap { home.account(at: $0).words }
                if json {
                    print(
                        JSONText.of(
                            UploadsReport(
                                destination: destination?.place, account: account, others: others, entries: shown,
                                counts: counts)),
                        whole: true)
                    return
                }
                print(UploadsReport.headline(counts, to: destination?.place, account: account))
                for other in others { print(other.words) }
                if !shown.isEmpty {
                    print("\n" + UploadEntry.table(shown, at: SteadyClock.now).joined(separator: "\n"))
                }
                let parked = entries.filter { $0.state == .parked }
                for entry in parked { print("\n" + entry.explanation) }
                if !parked.isEmpty {
                    print("\nTo retry all: oracy uploads retry --all. To give one up: oracy uploads drop WHAT.")
                }
            }
        }

        /// Returns the earlier destinations and their waiting uploads.
        private static func others(
            than chosen: Destination?, _ home: UploadsHome
        ) throws(Problem) -> [UploadsReport.Other] {
            var others: [UploadsReport.Other] = []
            for destination in home.destinations() where destination.name != chosen?.name {
                let counts = try home.queue(to: destination).counts()
                guard counts.open + counts.parked > 0 else { continue }
                others.append(
                    .init(
                        destination: destination.place, account: destination.accountName,
                        waiting: counts.open + counts.parked))
            }
            return others
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Retry parked uploads, and waiting ones at once.")

        @Argument(help: "A session, or SESSION/UPLOAD.")
        var what: [String] = []

        @Flag(help: "Retry all uploads.")
        var all = false

        @Flag(help: "Print the number of uploads as JSON.")
        var json = false

        func validate() throws {
            if all == !what.isEmpty { throw ValidationError("Name the uploads to retry, or use --all.") }
        }

        func run() async throws {
            try await failing {
                let queue = try UploadsHome().queue()
                let count = try queue.retry(
                    all ? nil : queue.named(what, where: \.isLeft).map(\.id))
                print(
                    json
                        ? JSONText.of(["retried": count])
                        : "\(count.of("upload")) will be sent again. To watch: oracy uploads watch",
                    whole: json)
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop",
            abstract: "Give up uploads permanently. The recordings stay in their sessions.")

        @Argument(help: "A session, or SESSION/UPLOAD.")
        var what: [String]

        @Flag(help: "Print the number of uploads as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let queue = try UploadsHome().queue()
                let count = try queue.drop(queue.named(what, where: \.isLeft).map(\.id))
                print(
                    json
                        ? JSONText.of(["dropped": count])
                        : "\(count.of("upload")) dropped. The recordings stay in their sessions.",
                    whole: json)
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Queue earlier sessions, or send sessions to another destination too.")

        @Argument(help: "Sessions: ids, the beginnings of ids, \"last\", or paths.")
        var sessions: [String]

        @Flag(help: "Send again what has arrived before, for example if it was deleted there.")
        var again = false

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let queue = try home.queue(to: destination)
                for name in sessions {
                    let folder = try SessionShelf().find(name)
                    guard let manifest = try folder.readManifest() else {
                        throw Problem(
                            .missing,
                            "session \"\(folder.name)\": is not over; finish it: oracy resume \(folder.nameOnShelf)"
                        )
                    }
                    if again, let id = try SessionDelivery.id(of: folder, at: destination.name) {
                        try queue.forget(session: id)
                    }
                    let before = try queue.entries().count
                    let delivery = try SessionDelivery(of: folder, into: queue)
                    try delivery.complete(manifest)
                    let entries = try queue.entries()
                    if entries.count > before {
                        print("\(folder.name): \(manifest.takes.count.of("answer")) queued")
                        continue
                    }
                    let own = entries.filter { $0.upload?.session.id == delivery.session.id }
                    let left = own.count(where: \.isLeft)
                    print(
                        left > 0
                            ? "\(folder.name): was queued before; \(left.of("upload")) still waiting"
                            : "\(folder.name): arrived at \(destination.place) before; to send it again, add --again")
                }
            }
        }
    }
}
