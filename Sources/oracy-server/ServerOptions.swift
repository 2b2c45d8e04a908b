import ArgumentParser
import ExamKit
import ExamServer
import ExamStore
import Foundation
import Glibc

/// Where a server is reached.
struct PlaceOptions: ParsableArguments {
    @Option(help: "The address to listen on; 0.0.0.0 for all.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 for any that is free: it is printed.")
    var port = 8080

    @Option(help: "This node's name, where there are several.")
    var node = "node-1"

    @Option(
        name: .customLong("node-url"),
        help: "Where clients reach this node; told to those who ask another one for its exams.")
    var nodeURL: String?

    func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("--port \(port): use 0 to 65535; 0 is any that is free") }
    }
}

/// What a server keeps, and where.
struct KeepingOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder of this node. Default: ~/.local/share/oracy/server.")
    var data: String?

    @Option(
        help:
            "postgresql://… for PostgreSQL; else a database in the folder. Or ORACY_DATABASE, which no list of processes shows."
    )
    var database: String?

    @Option(
        help:
            "s3://BUCKET?endpoint=URL&region=R for storage that speaks S3, keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; else the folder."
    )
    var audio: String?

    @Option(help: "How many recordings are looked at, at a time; 0 leaves that to other nodes.")
    var workers = 1

    func validate() throws {
        guard 0...1_000 ~= workers else { throw ValidationError("--workers \(workers): use 0 to 1000") }
    }

    var folder: String { data ?? UserFolders.data + "/server" }

    func store() async throws -> ExamStore {
        let url = database ?? ProcessInfo.processInfo.environment["ORACY_DATABASE"]
        let store: ExamStore
        if let url {
            store = try ExamStore.postgres(url)
        } else {
            try PrivateFile.createFolder(folder)
            store = try ExamStore.sqlite(path: folder + "/oracy.sqlite")
        }
        try await store.migrate()
        return store
    }

    func audioStore() throws -> any AudioStore {
        guard let audio else {
            do {
                return try FolderAudioStore(path: folder + "/audio")
            } catch {
                throw Problem(.unwritable, "\(folder)/audio: \(error.words)")
            }
        }
        let how = "--audio \(audio): write s3://BUCKET?endpoint=https://HOST, and region=R where it has regions"
        guard let place = URLComponents(string: audio), place.scheme == "s3", let bucket = place.host, !bucket.isEmpty,
            place.user == nil
        else { throw Problem(.malformed, how) }
        let values = Dictionary((place.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        guard let endpoint = values["endpoint"], endpoint.hasPrefix("http"),
            Set(values.keys).isSubset(of: ["endpoint", "region", "style"])
        else { throw Problem(.malformed, how) }
        guard let key = S3Key(environment: ProcessInfo.processInfo.environment) else {
            throw Problem(.missing, "--audio: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        }
        return S3AudioStore(
            S3Settings(
                endpoint: endpoint, bucket: bucket, region: values["region"] ?? "us-east-1",
                isPathStyle: values["style"] != "host", key: key))
    }
}

/// Who may use a server.
struct SignInOptions: ParsableArguments {
    @Flag(help: "Everybody is one user, without a token. On loopback only.")
    var development = false

    @Option(
        name: .customLong("token-secret"), help: "A file with the secret of tokens that HS256 signs, 32 bytes at least."
    )
    var tokenSecret: String?

    @Option(
        help:
            "A file or an address with the public keys of tokens (JWKS): RS256, ES256. It may change while the server runs."
    )
    var jwks: String?

    @Option(help: "What tokens must have as iss.")
    var issuer: String?

    @Option(help: "What tokens must have in aud.")
    var audience: String?

    func signIn(host: String) async throws -> SignIn {
        let source: TokenKeys.Source
        switch (development, tokenSecret, jwks) {
        case (true, nil, nil):
            guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
                throw Problem(
                    .malformed,
                    "--development with --host \(host): whoever reaches it would be let in; use it on 127.0.0.1 only")
            }
            return .development
        case (false, let path?, nil):
            source = .secret(Self.secret(try PrivateFile.read(path)))
        case (false, nil, let place?):
            source = place.hasPrefix("http://") || place.hasPrefix("https://") ? .url(place) : .file(place)
        default:
            throw Problem(
                .malformed, "say who may use the server: one of --development, --token-secret FILE, --jwks FILE-OR-URL")
        }
        let keys = TokenKeys(source, issuer: issuer, audience: audience)
        try await keys.load()
        return .tokens(keys)
    }

    /// A file's bytes as they are; but where they are a line of text, the line's end, which editors and `echo` add, is no part of it.
    static func secret(_ bytes: [UInt8]) -> [UInt8] {
        let line = bytes.prefix { 0x20...0x7E ~= $0 }
        let end = bytes.dropFirst(line.count)
        return end.elementsEqual("\n".utf8) || end.elementsEqual("\r\n".utf8) ? Array(line) : bytes
    }
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
        guard requestsPerMinute >= 1, examsPerDay >= 0, 0...(1 << 40) ~= storedMegabytes else {
            throw ValidationError("limits: --requests-per-minute is at least 1, the others 0 at least")
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
        name: .customLong("allow-origin"), help: "https://… of a page of others that may hold exams here. Repeatable.")
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
