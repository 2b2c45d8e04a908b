import ArgumentParser
import ExamServer
import Logging

/// Where a server is reached.
struct PlaceOptions: ParsableArguments {
    @Option(help: "The address to listen on; 0.0.0.0 for all.", transform: Spelling.listeningHost)
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any that is free: it is printed.")
    var port = 8080

    @Option(
        name: .customLong("metrics-port"), help: "A port for /metrics alone; else it is asked for at the server's own.")
    var metricsPort: Int?

    @Option(help: "This node's name, where there are several.", transform: Spelling.nodeName)
    var node = "node-1"

    @Option(
        name: .customLong("node-url"),
        help: "Where clients reach this node; told to those who ask another one for its exams.",
        transform: Spelling.nodeURL)
    var nodeURL: String?

    @Option(
        name: .customLong("allow-host"),
        help: "A name that this server is asked for by. Repeatable. Other names are refused, where there are any here.",
        transform: Spelling.allowedHost)
    var allowedHosts: [String] = []

    func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("--port \(port): use 0 to 65535; 0 is any that is free") }
        if let metricsPort {
            guard 1...65_535 ~= metricsPort, metricsPort != port else {
                throw ValidationError("--metrics-port \(metricsPort): use 1 to 65535, and another one than --port")
            }
        }
    }

    /// As a browser asks for it.
    func address(port: Int) -> String {
        "http://\(host == "127.0.0.1" ? "localhost" : host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}

/// What one user may ask for.
struct LimitOptions: ParsableArguments {
    @Option(name: .customLong("requests-per-minute"), help: "Requests of one user.")
    var requestsPerMinute = 300

    @Option(name: .customLong("exams-per-day"), help: "Exams that one user may begin.")
    var examsPerDay = 50

    @Option(name: .customLong("stored-megabytes"), help: "All recordings of one user.")
    var storedMegabytes = 200

    func validate() throws {
        guard requestsPerMinute >= 1 else {
            throw ValidationError("--requests-per-minute \(requestsPerMinute): use 1 at least")
        }
        guard examsPerDay >= 0 else { throw ValidationError("--exams-per-day \(examsPerDay): use 0 at least") }
        guard 0...(1 << 40) ~= storedMegabytes else {
            throw ValidationError("--stored-megabytes \(storedMegabytes): use 0 to \(1 << 40)")
        }
    }

    func limits() -> ServerSettings.Limits {
        var limits = ServerSettings.Limits()
        limits.requestsPerMinute = requestsPerMinute
        limits.examsPerDay = examsPerDay
        limits.storedBytes = storedMegabytes << 20
        return limits
    }
}

/// How exams are held.
struct LiveOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-origin"), help: "https://… of a page of others that may hold exams here. Repeatable.",
        transform: Spelling.origin)
    var allowedOrigins: [String] = []

    @Option(
        name: .customLong("exams"),
        help:
            "A folder with formats/*.json and papers/*.json of your own, beside those that come with the program; \"oracy validate\" checks them."
    )
    var ownExams: String?

    @Flag(name: .customLong("any-pace"), help: "Take sound faster than it is spoken: for tests.")
    var anyPace = false
}

/// What is written to standard error while it runs.
struct LogOptions: ParsableArguments {
    @Option(
        name: .customLong("log-level"),
        help: "What is less than that is not written: trace, debug, info, notice, warning, error, critical.",
        transform: Spelling.logLevel)
    var level = Logger.Level.info

    @Option(
        name: .customLong("log-format"), help: "text: lines for people; json: an object each.",
        transform: Spelling.logFormat)
    var format = LineLog.Format.text
}
