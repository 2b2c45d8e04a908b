import ArgumentParser

/// The options that may stand in the environment and in a file too, by their names on the command line.
enum OptionName: String, CaseIterable {
    case host, port, node, data, database, audio, workers, development, jwks, issuer, audience, exams, retention,
        assessors, markers, webhooks, papers
    case metricsPort = "metrics-port"
    case nodeURL = "node-url"
    case allowHost = "allow-host"
    case tokenSecret = "token-secret"
    case requestsPerMinute = "requests-per-minute"
    case examsPerDay = "exams-per-day"
    case storedMegabytes = "stored-megabytes"
    case papersWrittenPerDay = "papers-written-per-day"
    case practiceTests = "practice-tests"
    case allowOrigin = "allow-origin"
    case anyPace = "any-pace"
    case logLevel = "log-level"
    case logFormat = "log-format"
    case drainSeconds = "drain-seconds"

    enum Kind {
        case value
        /// `true` or `false`.
        case flag
        /// Any number of values: with commas between them, or a line each.
        case list
    }

    var kind: Kind {
        switch self {
        case .development, .anyPace: .flag
        case .allowHost, .allowOrigin: .list
        default: .value
        }
    }

    /// Those that a command has: what is set for the server in the environment or a file is none of the business of the others.
    static func names(for command: String?) -> [OptionName] {
        let keeps = [Export.self, Erase.self, BackUp.self, Restore.self] as [any ParsableCommand.Type]
        return keeps.contains { $0._commandName == command } ? [.data, .database, .audio] : allCases
    }

    /// `ORACY_SERVER_METRICS_PORT`.
    var variable: String { Self.prefix + rawValue.uppercased().replacing("-", with: "_") }

    static let prefix = "ORACY_SERVER_"
    /// The file's own name, in the environment.
    static let configVariable = "ORACY_SERVER_CONFIG"
    /// The name that other programs may share with this one.
    static let databaseVariable = "ORACY_DATABASE"
}

/// Names that stand in the environment or in a file, and never on a command line, which every user of the machine can read.
enum SecretName: String, CaseIterable {
    case accessKey = "aws-access-key-id"
    case secretKey = "aws-secret-access-key"
    case sessionToken = "aws-session-token"

    /// `AWS_ACCESS_KEY_ID`.
    var variable: String { rawValue.uppercased().replacing("-", with: "_") }
}
