import ArgumentParser
import ExamServer
import ExamStore
import Foundation
import RecordingStores
import SystemSupport

/// The options for a server's storage, which the operators' commands also need.
struct StorageOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "This node's folder. Default: ~/.local/share/oracy/server.")
    var data: String?

    @Option(
        help:
            """
            postgresql://… for PostgreSQL. Default: an SQLite database in the folder. Put an address with a \
            password into ORACY_SERVER_DATABASE or a file: all users of the machine can read command lines.
            """
    )
    var database: String?

    @Option(
        help:
            "s3://BUCKET?endpoint=URL&region=R for S3 storage, with keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Default: the folder."
    )
    var audio: String?

    func validate() throws {
        if let data, data.isEmpty { throw ValidationError("--data: name a folder") }
        if let database, !ExamDatabase.isAddress(database) {
            // The value is not repeated: it may contain a password.
            throw ValidationError("--database: write postgresql://USER@HOST/NAME, or another form that libpq can read")
        }
        _ = try bucket()
    }

    var folder: String { data ?? UserFolders.data + "/server" }

    /// The path of SQLite's file.
    var file: String { folder + "/oracy.sqlite" }

    /// The folder of recordings that are not in a bucket.
    var audioFolder: String { folder + "/audio" }

    /// Opens the store with the current tables. Creates it if necessary.
    func store() async throws -> ExamDatabase {
        let store = if let database { try ExamDatabase.postgres(database) } else { try ExamDatabase.sqlite(path: file) }
        try await store.migrate()
        return store
    }

    /// Opens the store as a server of this version left it, without creating or migrating anything.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` if it was last used by a server of another version. `StoreError`.
    func existingStore() async throws -> ExamDatabase {
        if database == nil, FileFacts(at: file) == nil {
            throw Problem(.missing, "\(file): no server's data found there; name its folder with --data")
        }
        let store = if let database { try ExamDatabase.postgres(database) } else { try ExamDatabase.sqlite(path: file) }
        let steps = try await store.steps()
        guard steps.done > 0 else {
            throw Problem(.missing, "the database has no server tables; name the server's database with --database")
        }
        guard steps.done == steps.known else {
            throw Problem(
                .malformed,
                "the database is at step \(steps.done) and this program at step \(steps.known): use the program of the version "
                    + "that the server runs")
        }
        return store
    }

    /// Opens the storage for recordings.
    ///
    /// - Parameter environment: the environment with the keys of S3 storage.
    func audioStore(environment: [String: String]) throws -> any AudioStore {
        guard let bucket = try bucket() else {
            do {
                return try FolderAudioStore(path: audioFolder)
            } catch {
                throw Problem(.unwritable, "\(audioFolder): \(error.message)")
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

    /// Whether recordings travel to the storage unencrypted.
    var isPlainAudio: Bool {
        (try? bucket())?.flatMap { URLComponents(string: $0.endpoint) }.map(Spelling.isPlain) ?? false
    }

    private struct Bucket {
        var name, endpoint, region: String
        var isPathStyle: Bool
    }

    /// Returns the bucket. Nil if recordings are in the folder.
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
