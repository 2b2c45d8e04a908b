import ArgumentParser
import ExamKit
import ExamServer
import ExamStore
import Foundation

/// What a server keeps, and where.
struct KeepingOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "This node's folder. Default: ~/.local/share/oracy/server.")
    var data: String?

    @Option(
        help:
            "postgresql://… for PostgreSQL. Default: an SQLite database in the folder. Put an address with a password into ORACY_SERVER_DATABASE or a file: every user of the machine can read command lines."
    )
    var database: String?

    @Option(
        help:
            "s3://BUCKET?endpoint=URL&region=R for S3 storage, with keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Default: the folder."
    )
    var audio: String?

    @Option(help: "How many sessions to evaluate at a time; 0 leaves that to other nodes.")
    var workers = 1

    @Option(help: "Days to keep a session after its end; older ones are erased, recordings and all. Default: for ever.")
    var retention: Int?

    func validate() throws {
        if let retention, !(1...36_500 ~= retention) {
            throw ValidationError(
                "--retention \(retention): use 1 to 36500 days, or leave it out to keep sessions for ever")
        }
        guard 0...1_000 ~= workers else { throw ValidationError("--workers \(workers): use 0 to 1000") }
        if let data, data.isEmpty { throw ValidationError("--data: name a folder") }
        if let database, !ExamDatabase.isAddress(database) {
            // It is not repeated: it may have a password in it.
            throw ValidationError("--database: write postgresql://USER@HOST/NAME, or anything else that libpq can read")
        }
        _ = try bucket()
    }

    var folder: String { data ?? UserFolders.data + "/server" }

    func store() async throws -> ExamDatabase {
        let store =
            if let database { try ExamDatabase.postgres(database) } else {
                try ExamDatabase.sqlite(path: folder + "/oracy.sqlite")
            }
        try await store.migrate()
        return store
    }

    /// - Parameter environment: with the keys of storage that speaks S3.
    func audioStore(environment: [String: String]) throws -> any AudioStore {
        guard let bucket = try bucket() else {
            do {
                return try FolderAudioStore(path: folder + "/audio")
            } catch {
                throw Problem(.unwritable, "\(folder)/audio: \(error.message)")
            }
        }
        guard let key = S3Key(environment: environment) else {
            throw ValidationError(
                "--audio: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or aws-access-key-id and aws-secret-access-key "
                    + "in the --config file")
        }
        return S3AudioStore(
            S3Settings(
                endpoint: bucket.endpoint, bucket: bucket.name, region: bucket.region, isPathStyle: bucket.isPathStyle,
                key: key))
    }

    private struct Bucket {
        var name, endpoint, region: String
        var isPathStyle: Bool
    }

    /// nil: recordings are in the folder.
    ///
    /// - Throws: `ValidationError`.
    private func bucket() throws -> Bucket? {
        guard let audio else { return nil }
        let place = URLComponents(string: audio)
        let items = place?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        guard let place, place.scheme == "s3", let name = place.host, !name.isEmpty, place.user == nil,
            place.path.isEmpty || place.path == "/", let endpoint = values["endpoint"], Spelling.web(endpoint) != nil,
            values.count == items.count, Set(values.keys).isSubset(of: ["endpoint", "region", "style"]),
            ["host", "path"].contains(values["style"] ?? "path")
        else {
            throw ValidationError(
                "--audio \(audio): write s3://BUCKET?endpoint=https://HOST, and &region=R if it has regions")
        }
        return Bucket(
            name: name, endpoint: endpoint, region: values["region"] ?? "us-east-1",
            isPathStyle: values["style"] != "host")
    }
}
