import ArgumentParser
import ExamNode
import ExamServer
import Logging

/// The options for the server's address.
struct PlaceOptions: ParsableArguments {
    @Option(help: "The address to listen on; 0.0.0.0 for all addresses.", transform: Spelling.listeningHost)
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any free one, which is printed.")
    var port = 8080

    @Option(
        name: .customLong("metrics-port"), help: "A separate port for /metrics. Default: the server's own port.")
    var metricsPort: Int?

    @Option(help: "This node's name, if there are several nodes.", transform: Spelling.nodeName)
    var node = "node-1"

    @Option(
        name: .customLong("node-url"),
        help: "The address at which clients reach this node; other nodes refer clients to it.",
        transform: Spelling.nodeURL)
    var nodeURL: String?

    @Option(
        name: .customLong("allow-host"),
        help: "A host name of this server. Repeatable. Once set, requests for other names are refused.",
        transform: Spelling.allowedHost)
    var allowedHosts: [String] = []

    func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("--port \(port): use 0 to 65535; 0 means any free port") }
        if let metricsPort {
            guard 1...65_535 ~= metricsPort, metricsPort != port else {
                throw ValidationError("--metrics-port \(metricsPort): use 1 to 65535, and not the same as --port")
            }
        }
    }

    /// Returns the address for a browser.
    func address(port: Int) -> String {
        "http://\(host == "127.0.0.1" ? "localhost" : host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}

/// The limits for one user.
struct LimitOptions: ParsableArguments {
    @Option(name: .customLong("requests-per-minute"), help: "Requests a user can make in a minute.")
    var requestsPerMinute = 300

    @Option(name: .customLong("exams-per-day"), help: "Exams a user can begin in a day.")
    var examsPerDay = 50

    @Option(name: .customLong("drills-per-day"), help: "Spoken drills a user can begin in a day.")
    var drillsPerDay = 200

    @Option(name: .customLong("stored-megabytes"), help: "Megabytes of recordings kept for a user.")
    var storedMegabytes = 200

    @Option(name: .customLong("papers"), help: "Own papers kept for a user.")
    var papers = 100

    @Option(name: .customLong("papers-written-per-day"), help: "Papers a user can have a model write in a day.")
    var papersWrittenPerDay = 10

    @Option(name: .customLong("practice-tests"), help: "Practice tests kept for a user.")
    var practiceTests = 200

    func validate() throws {
        guard requestsPerMinute >= 1 else {
            throw ValidationError("--requests-per-minute \(requestsPerMinute): use at least 1")
        }
        guard examsPerDay >= 0 else { throw ValidationError("--exams-per-day \(examsPerDay): use at least 0") }
        guard drillsPerDay >= 0 else { throw ValidationError("--drills-per-day \(drillsPerDay): use at least 0") }
        guard papers >= 0 else { throw ValidationError("--papers \(papers): use at least 0") }
        guard papersWrittenPerDay >= 0 else {
            throw ValidationError("--papers-written-per-day \(papersWrittenPerDay): use at least 0")
        }
        guard practiceTests >= 0 else { throw ValidationError("--practice-tests \(practiceTests): use at least 0") }
        guard 0...(1 << 40) ~= storedMegabytes else {
            throw ValidationError("--stored-megabytes \(storedMegabytes): use 0 to \(1 << 40)")
        }
    }

    func limits() -> ServerSettings.Limits {
        var limits = ServerSettings.Limits()
        limits.requestsPerMinute = requestsPerMinute
        limits.examsPerDay = examsPerDay
        limits.drillsPerDay = drillsPerDay
        limits.storedBytes = storedMegabytes << 20
        limits.papers = papers
        limits.papersWrittenPerDay = papersWrittenPerDay
        limits.practiceTests = practiceTests
        return limits
    }
}

/// The options for holding exams.
struct LiveOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-origin"),
        help: "The origin (https://…) of another site's page that may hold exams here. Repeatable.",
        transform: Spelling.origin)
    var allowedOrigins: [String] = []

    @Option(
        name: .customLong("exams"),
        help:
            """
            A folder with your own formats/*.json, papers/*.json and packs/*.json, in addition to the built-in ones. \
            Check exams with \"oracy validate\".
            """
    )
    var ownExams: String?

    @Option(
        name: .customLong("assessors"),
        help: "A file that sets up assessors of answers (docs/assessors.md). Default: none.")
    var assessors: String?

    @Option(
        help:
            """
            The folder of a recogniser of words on this machine, or off. Default: the folder \"words\" in --data, or \
            /usr/share/oracy/words, if a recogniser is installed there.
            """)
    var words = "auto"

    @Option(
        name: .customLong("voice"),
        help:
            """
            The examiner's voice: hibari, pico or espeak-ng; or that of one format: ielts-style=pico. Repeatable. \
            Default: hibari if it is installed in the folder \"voice\" in --data or for this user, otherwise espeak-ng.
            """)
    var voices: [String] = []

    @Option(help: "A file that sets up webhooks for sessions (docs/school.md). Default: none.")
    var webhooks: String?

    @Option(
        help: ArgumentHelp(
            "A .json file of rules that turn marks into results (docs/results.md). Default: the built-in rules.",
            valueName: "file"))
    var rules: String?

    @Option(help: "How many people mark each finished exam, 0 to 2 (docs/school.md).")
    var markers = 0

    @Option(
        name: .customLong("drain-seconds"),
        help:
            """
            Seconds to continue running exams after a signal to stop; no new ones begin. Default: running exams \
            are saved at once.
            """
    )
    var drainSeconds = 0

    @Flag(name: .customLong("any-pace"), help: "Accept sound faster than real time, for tests.")
    var anyPace = false

    func validate() throws {
        guard 0...2 ~= markers else { throw ValidationError("--markers \(markers): use 0, 1 or 2") }
        guard 0...86_400 ~= drainSeconds else {
            throw ValidationError("--drain-seconds \(drainSeconds): use 0 to 86400")
        }
    }
}

/// The options for the log on standard error.
struct LogOptions: ParsableArguments {
    @Option(
        name: .customLong("log-level"),
        help: "The least level to log: trace, debug, info, notice, warning, error or critical.",
        transform: Spelling.logLevel)
    var level = Logger.Level.info

    @Option(
        name: .customLong("log-format"), help: "text: lines for people; json: one object per line.",
        transform: Spelling.logFormat)
    var format = LineLog.Format.text
}
