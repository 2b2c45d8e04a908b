import ArgumentParser
import Foundation
import StoreTrials
import Testing

@testable import VirtualDevices
@testable import oracy_server

/// Options from the command line, the environment and a file, and the messages about invalid ones.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct OptionTests {
    private static let loopback = ["--development", "--port", "0", "--data", "/x"]

    /// Returns the options with which a server would start, and where each was found.
    private func parsed(
        _ line: [String], environment: [String: String] = [:], file: String? = nil
    ) throws -> (options: ServerOptions, found: OptionSources) {
        var line = line
        let path = NSTemporaryDirectory() + "oracy-options-\(UUID().uuidString).conf"
        if let file {
            try file.write(toFile: path, atomically: true, encoding: .utf8)
            line += ["--config", path]
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let found = try OptionSources(line, environment: environment)
        return (try Serve.parse(found.arguments).options, found)
    }

    private static let values: [(OptionName, [String])] = [
        (.host, ["::1"]), (.port, ["8181"]), (.node, ["b-2"]), (.data, ["/srv/oracy"]),
        (.database, ["postgresql://oracy@db/x"]), (.audio, ["s3://b?endpoint=http://127.0.0.1:9000"]),
        (.workers, ["3"]), (.retention, ["90"]), (.development, ["true"]), (.jwks, ["/etc/keys.json"]),
        (.issuer, ["school"]), (.signIn, ["/etc/schools.json"]),
        (.audience, ["exams"]), (.exams, ["/srv/exams"]), (.metricsPort, ["9090"]), (.nodeURL, ["https://b.example"]),
        (.allowHost, ["a.example", "b.example"]), (.tokenSecret, ["/etc/secret"]), (.requestsPerMinute, ["7"]),
        (.examsPerDay, ["8"]), (.drillsPerDay, ["8"]), (.storedMegabytes, ["9"]),
        (.allowOrigin, ["https://a.example", "http://b.example:81"]),
        (.assessors, ["/etc/assessors.json"]), (.rules, ["/etc/rules.json"]), (.words, ["off"]),
        (.voice, ["espeak-ng", "pocket=espeak-ng"]),
        (.markers, ["2"]), (.papers, ["30"]), (.papersWrittenPerDay, ["4"]),
        (.practiceTests, ["5"]),
        (.webhooks, ["/etc/webhooks.json"]), (.anyPace, ["true"]), (.logLevel, ["debug"]),
        (.logFormat, ["json"]), (.drainSeconds, ["60"]),
    ]

    @Test func everyOptionCanStandInEachOfThreePlaces() throws {
        #expect(Set(Self.values.map(\.0)) == Set(OptionName.allCases))
        for (option, values) in Self.values {
            let isSignIn = [.development, .jwks, .tokenSecret, .signIn].contains(option)
            let base = isSignIn ? [] : ["--development"]
            let line =
                option.kind == .flag ? ["--\(option.rawValue)"] : values.flatMap { ["--\(option.rawValue)", $0] }
            let plain = Self.text(try parsed(base + line).options)
            let environment = [option.variable: values.joined(separator: ",")]
            let fromEnvironment = try parsed(base, environment: environment).options
            #expect(Self.text(fromEnvironment) == plain, "\(option)")
            let file = values.map { "\(option.rawValue) = \($0)" }.joined(separator: "\n")
            let fromFile = try parsed(base, file: file).options
            #expect(Self.text(fromFile) == plain, "\(option)")
            guard !isSignIn else { continue }
            let without = try parsed(base).options
            #expect(Self.text(without) != plain, "\(option) changes nothing")
        }
    }

    /// Returns all options as text, without the path of the file.
    private static func text(_ options: ServerOptions) -> String {
        var options = options
        options.config = nil
        return "\(options)"
    }

    @Test func theTableOfOptionsIsThatOfTheCommandLine() {
        let known = Set(OptionName.allCases.map { "--\($0.rawValue)" } + ["--config", "--help", "--version"])
        let usage = OracyServer.helpMessage(for: Serve.self, columns: 400)
        let options = usage.split(separator: "\n").filter { $0.hasPrefix("  -") }
        #expect(Set(options.compactMap { $0.firstMatch(of: /--[a-z-]+/).map { String($0.output) } }) == known)
    }

    @Test func theCommandLineGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
        let (file, environment) = (
            "node = file\nport = 3\nworkers = 3", ["ORACY_SERVER_PORT": "2", "ORACY_SERVER_WORKERS": "2"]
        )
        let options = try parsed(
            ["--development", "--workers", "1"], environment: environment, file: file
        ).options
        #expect(options.keeping.workers == 1 && options.place.port == 2 && options.place.node == "file")
        let lists = try parsed(
            ["--development", "--allow-host=line"], environment: ["ORACY_SERVER_ALLOW_HOST": "a,b"],
            file: "allow-host = c"
        ).options
        #expect(lists.place.allowedHosts == ["line"])
        let flags = try parsed(
            ["--development"], environment: ["ORACY_SERVER_ANY_PACE": "false"], file: "any-pace = true")
        #expect(!flags.options.live.anyPace)
    }

    @Test func theDatabaseAndTheKeysOfStorageNeedNotStandOnTheCommandLine() throws {
        let old = try parsed(["--development"], environment: ["ORACY_DATABASE": "postgresql://a/b"])
        #expect(old.options.storage.database == "postgresql://a/b")
        let new = try parsed(
            ["--development"],
            environment: ["ORACY_DATABASE": "postgresql://a/b", "ORACY_SERVER_DATABASE": "postgresql://c/d"])
        #expect(new.options.storage.database == "postgresql://c/d")
        let keys = try parsed(
            ["--development"], environment: ["AWS_ACCESS_KEY_ID": "from-environment"],
            file: "aws-access-key-id = from-file\naws-secret-access-key = hush")
        #expect(keys.found.environment["AWS_ACCESS_KEY_ID"] == "from-environment")
        #expect(keys.found.environment["AWS_SECRET_ACCESS_KEY"] == "hush")
        #expect(!keys.found.arguments.contains { $0.contains("hush") })
    }

    @Test func addressesAreKeptAsTheyAreComparedLater() throws {
        let options = try parsed(
            Self.loopback + [
                "--allow-origin", "https://EXAMS.example.org:443", "--allow-origin", "http://b.example:8080",
                "--allow-host", "Exams.Example.org", "--allow-host", "::1", "--node-url", "https://a.example/",
                "--host",
                "[::1]",
            ]
        ).options
        #expect(options.live.allowedOrigins == ["https://exams.example.org", "http://b.example:8080"])
        #expect(options.place.allowedHosts == ["exams.example.org", "[::1]"])
        #expect(options.place.nodeURL == "https://a.example" && options.place.host == "::1")
        #expect(options.place.address(port: 81) == "http://[::1]:81/")
    }

    @Test func recordingsThatTravelUnencryptedAreNoticed() throws {
        for (endpoint, isPlain) in [
            ("http://storage.example.org", true), ("https://storage.example.org", false), ("http://127.0.0.1:1", false),
        ] {
            let storage = try StorageOptions.parse(["--audio", "s3://b?endpoint=\(endpoint)"])
            #expect(storage.isPlainAudio == isPlain, "\(endpoint)")
        }
        #expect(try !StorageOptions.parse([]).isPlainAudio)
    }

    @Test(arguments: [
        ["--allow-origin", "foo"], ["--allow-origin", "https://a.example/"], ["--allow-origin", "https://a.example/x"],
        ["--allow-origin", "ftp://a.example"], ["--allow-origin", "https://u@a.example"],
        ["--allow-origin", "https://a.example:0"], ["--allow-host", "http://a.example"],
        ["--allow-host", "a.example:80"],
        ["--node-url", "nonsense"], ["--node-url", "ftp://a"], ["--node-url", "https://a?x=1"],
        ["--host", "http://a"], ["--host", "a:80"], ["--host", "a b"], ["--node", "a b"], ["--port", "65536"],
        ["--port", "x"], ["--metrics-port", "0"], ["--metrics-port", "70000"], ["--workers", "-1"],
        ["--database", "mysql://ada:hush@x"], ["--audio", "s3://b"], ["--audio", "s3://b?endpoint=httpx"],
        ["--audio", "s3://b?endpoint=https://h&endpoint=https://i"], ["--audio", "/srv/audio"],
        ["--drain-seconds", "-1"], ["--log-level", "loud"], ["--log-format", "xml"], ["--jwks", "ftp://a/keys"],
        ["--jwks", "http://sign-in.example.org/jwks.json"], ["--jwks", "HTTP://127.0.0.1.evil.example/jwks.json"],
        ["--host", "0.0.0.0"],
        ["--nonsense"],
    ])
    func anUnusableOptionIsReportedInOneSentence(_ option: [String]) async throws {
        try await withDen { den in
            let refused = try refusal(["--development", "--data", "FOLDER/data"] + option.map { $0 }, in: den)
            #expect(refused.code == 64)
            #expect(
                refused.message.hasPrefix("oracy-server: ") && refused.message.contains(option[0]), "\(refused.message)"
            )
            #expect(!refused.message.contains("\n") && !refused.message.contains("hush"))
            #expect(
                !FileManager.default.fileExists(atPath: den.folder + "/data"),
                "the option is refused before the server writes files")
        }
    }

    @Test func faultsAreNamedByLineInAFileAndByNameInTheEnvironment() async throws {
        try await withDen { den in
            func conf(_ text: String) throws -> (code: Int32, message: String) {
                try den.write(Data(text.utf8), to: "x.conf")
                return try refusal(["--development", "--config", "FOLDER/x.conf"], in: den)
            }
            let path = den.folder + "/x.conf"
            for (text, line, word) in [
                ("# so\nprot = 8080", 2, "prot"), ("port 8080", 1, "name = value"), ("port =", 1, "port"),
                ("node = a\n\nnode = b", 3, "node"), ("development = perhaps", 1, "true or false"),
                ("port = seven", 1, "port"), ("node = a\nallow-origin = foo", 2, "allow-origin"),
            ] {
                // If the command line sets an option, the file's value is not parsed.
                let refused =
                    word == "true or false"
                    ? try refusal(["--config", try den.write(Data(text.utf8), to: "x.conf")], in: den) : try conf(text)
                #expect(refused.code == 64, "\(text)")
                #expect(
                    refused.message.contains("\(path), line \(line)") && refused.message.contains(word),
                    "\(refused.message)")
            }
            #expect(try refusal(["--development", "--config", "FOLDER/none"], in: den).code == 66)
            let named = try refusal(["--development"], environment: ["ORACY_SERVER_PORT": "seven"], in: den)
            #expect(named.code == 64 && named.message.contains("ORACY_SERVER_PORT"), "\(named.message)")
            let filed = try refusal(["--development"], environment: ["ORACY_SERVER_CONFIG": "FOLDER/none"], in: den)
            #expect(filed.code == 66)
        }
    }

    @Test func aServerNeedsExactlyOneSignIn() async throws {
        try await withDen { (den) throws in
            for arguments in [
                [], ["--development", "--jwks", "x"], ["--token-secret", "x", "--jwks", "y"],
                ["--development", "--sign-in", "x"],
            ] {
                #expect(try refusal(arguments, in: den).code == 64)
            }
            #expect(try refusal(["--token-secret", "FOLDER/none", "--data", "FOLDER/d"], in: den).code == 66)
            #expect(try refusal(["--sign-in", "FOLDER/none", "--data", "FOLDER/d"], in: den).code == 66)
        }
    }

    @Test func theVersionIsThatOfTheTool() async throws {
        try await withDen { den in
            let server = try OperatedServer(["--version"], environment: ["ORACY_SERVER_CONFIG": "/nowhere"], in: den)
            #expect(try server.end().code == 0)
            let tool = try den.start(
                OperatedServer.program.replacing("oracy-server", with: "oracy"), ["--version"], environment: [:],
                streams: .init(output: den.folder + "/tool", errors: den.folder + "/tool.errors"))
            #expect(tool.wait(until: .now + .seconds(60)) == 0)
            let version = try String(contentsOfFile: den.folder + "/tool", encoding: .utf8)
            #expect(version.contains(/^\d+\.\d+\.\d+\n$/) && server.output == version)
        }
    }
}
