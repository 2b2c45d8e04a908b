import ArgumentParser

/// The options that can also be set in the environment and in a file, by their names on the command line.
enum OptionName: String, CaseIterable {
    case host, port, node, data, database, audio, workers, development, jwks, issuer, audience, exams, retention,
        assessors, rules, words, voice, markers, webhooks, papers
    case metricsPort = "metrics-port"
    case nodeURL = "node-url"
    case allowHost = "allow-host"
    case tokenSecret = "token-secret"
    case signIn = "sign-in"
    case requestsPerMinute = "requests-per-minute"
    case examsPerDay = "exams-per-day"
    case drillsPerDay = "drills-per-day"
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
        /// Any number of values: separated by commas, or one on each line.
        case list
    }

    var kind: Kind {
        switch self {
        case .development, .anyPace: .flag
        case .allowHost, .allowOrigin, .voice: .list
        default: .value
        }
    }

    /// Returns the options of a command. Options set for the server in the environment or a file do not concern other
    /// commands.
    static func names(for command: String?) -> [OptionName] {
        // A class has its own folder and port, so that it can run next to a server on the same machine.
        if command == ClassCommand._commandName { return ofClasses }
        let keeps = [Export.self, Erase.self, BackUp.self, Restore.self] as [any ParsableCommand.Type]
        return keeps.contains { $0._commandName == command } ? [.data, .database, .audio] : allCases
    }

    private static let ofClasses: [OptionName] = [.assessors, .words, .voice, .markers, .webhooks, .exams]

    /// The name in the environment: `ORACY_SERVER_METRICS_PORT`.
    var variable: String { Self.prefix + rawValue.uppercased().replacing("-", with: "_") }

    static let prefix = "ORACY_SERVER_"
    /// The name of the option file's path in the environment.
    static let configVariable = "ORACY_SERVER_CONFIG"
    /// The name of the database's address in the environment, which other programs may use too.
    static let databaseVariable = "ORACY_DATABASE"
}

/// Secrets, which are set in the environment or in a file but never on a command line, because every user of the
/// machine can read that.
enum SecretName: String, CaseIterable {
    case accessKey = "aws-access-key-id"
    case secretKey = "aws-secret-access-key"
    case sessionToken = "aws-session-token"

    /// The name in the environment: `AWS_ACCESS_KEY_ID`.
    var variable: String { rawValue.uppercased().replacing("-", with: "_") }
}
