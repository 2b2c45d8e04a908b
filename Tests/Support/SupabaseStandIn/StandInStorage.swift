import ExamStore
import Foundation
import HTTPClient
import SystemSupport

/// A stand-in for Storage: rows of `storage.objects` under the user's rules, with the bytes beside them.
///
/// Nearly every error is an HTTP 400 with the real status in the body.
public struct StandInStorage: Sendable {
    public struct Object: Equatable, Sendable {
        public var bytes: [UInt8]
        public var etag: String
        public var mediaType: String

        public init(bytes: [UInt8], etag: String, mediaType: String) {
            (self.bytes, self.etag, self.mediaType) = (bytes, etag, mediaType)
        }
    }

    /// The limit for any object in bytes; nil to use the bucket's.
    public var sizeLimit: Int?
    /// Whether etags look like those of storage with its own key: 32 digits that aren't an MD5.
    public var hasForeignETags = false
    /// The bytes by bucket and name.
    public var bytes: [String: [UInt8]] = [:]
    public var resumables: [String: StandInResumable.Upload] = [:]
    /// The number of writes. If it exceeds the number of objects, something was repeated.
    public var writes = 0
    public var deletes = 0
    /// The address at which clients see the project.
    public var origin = StandInProject.url
    /// The address of uploads: absolute in the cloud, relative on other tus servers; nil for an address below `origin`.
    public var location: String?
    /// Whether the resumable part sends errors as JSON with HTTP 400, like newer versions.
    public var wrapsErrors = false
    /// Whether HEAD needs a token too, without a message for an expired one.
    public var headNeedsToken = false

    mutating func answer(
        _ call: StandInCall, _ auth: StandInAuth, _ database: StandInDatabase, isCut: Bool,
        _ complaints: inout [String]
    ) -> HTTPResponse {
        let path = call.path.replacing("/storage/v1/", with: "")
        if path.hasPrefix("upload/resumable") {
            return StandInResumable.answer(call, auth, database, isCut: isCut, &self, &complaints)
        }
        var words = path.split(separator: "/").map(String.init)
        guard words.first == "object", words.count > 1 else { return unknown(&complaints) }
        words.removeFirst()
        let verbs: Set = ["info", "public", "authenticated", "sign", "list"]
        let verb = verbs.contains(words[0]) ? words.removeFirst() : ""
        let isOpen = (verb == "public" || verb == "sign") && call.method == "GET"
        var role = StandInDatabase.Role.anonymous
        if let bearer = call.bearer {
            if let said = Self.words(of: auth.flaw(in: bearer, at: call.now)), bearer != StandInProject.key {
                return Self.error("403", "AccessDenied", said)
            }
            if bearer != StandInProject.key { role = .user(claims: StandInAuth.claims(of: bearer)) }
        } else if !isOpen && call.method != "GET" {
            return Self.error("400", "InvalidRequest", "headers must have required property 'authorization'")
        }
        guard let bucket = words.first, Self.has(bucket, database) else {
            return Self.error("404", "NoSuchBucket", "Bucket not found")
        }
        let name = words.dropFirst().joined(separator: "/")
        switch (call.method, verb) {
        case ("GET", "public"), ("HEAD", "public"):
            guard Self.isPublic(bucket, database) else { return Self.error("404", "NoSuchBucket", "Bucket not found") }
            return content(bucket, name, .owner, call, database)
        case ("GET", "sign"):
            guard call.value("token") == Self.token(bucket, name) else {
                return Self.error("400", "InvalidJWT", "invalid signature")
            }
            return content(bucket, name, .owner, call, database)
        case ("POST", "sign"): return sign(bucket, name, role, database)
        case ("GET", ""), ("GET", "authenticated"), ("HEAD", ""): return content(bucket, name, role, call, database)
        case ("GET", "info"): return info(bucket, name, role, database)
        case ("POST", "list"): return list(bucket, call, role, database)
        case ("POST", ""), ("PUT", ""): return store(call, bucket, name, role, database, &complaints)
        case ("DELETE", ""):
            return name.isEmpty
                ? deleteMany(bucket, call, role, database) : deleteOne(bucket, name, role, database)
        default: return unknown(&complaints)
        }
    }

    private func unknown(_ complaints: inout [String]) -> HTTPResponse {
        complaints.append("an unknown route")
        return .json(404, ["statusCode": "404", "error": "Not Found", "message": "Route not found"])
    }

    // MARK: - Writing

    private mutating func store(
        _ call: StandInCall, _ bucket: String, _ name: String, _ role: StandInDatabase.Role,
        _ database: StandInDatabase,
        _ complaints: inout [String]
    ) -> HTTPResponse {
        let replaces = call.method == "PUT" ? true : ["true": true, "false": false][call["x-upsert"] ?? ""]
        guard let replaces, let type = call["Content-Type"] else {
            complaints.append("no x-upsert, or no Content-Type")
            return Self.error("400", "InvalidRequest", "a header is missing")
        }
        if call["cache-control"] == nil { complaints.append("no cache-control") }
        if call.body.count > limit(of: bucket, database) {
            return Self.error("413", "EntityTooLarge", "The object exceeded the maximum allowed size")
        }
        let object = Object(bytes: call.body, etag: etag(of: call.body), mediaType: type)
        switch put(
            object, bucket, name, replacing: replaces, role, database, cache: call["cache-control"] ?? "no-cache")
        {
        case .failure(let refusal): return Self.error(refusal.status, refusal.code, refusal.words)
        case .success(let id): return .json(200, ["Id": id, "Key": "\(bucket)/\(name)"])
        }
    }

    struct Refusal: Error {
        var status, code, words: String
        init(_ status: String, _ code: String, _ words: String) {
            (self.status, self.code, self.words) = (status, code, words)
        }
    }

    /// Writes the row first, under the user's rules, and then the bytes.
    mutating func put(
        _ object: Object, _ bucket: String, _ name: String, replacing: Bool, _ role: StandInDatabase.Role,
        _ database: StandInDatabase, cache: String, isTrial: Bool = false
    ) -> Result<String, Refusal> {
        let facts: [String: Any] = [
            "eTag": object.etag, "size": object.bytes.count, "mimetype": object.mediaType, "cacheControl": cache,
        ]
        let data = (try? JSONSerialization.data(withJSONObject: facts, options: .sortedKeys)) ?? Data()
        let id = UUID().name
        let values = [id, bucket, name].map(StandInDatabase.quoted).joined(separator: ", ")
        let insert = """
            INSERT INTO storage.objects (id, bucket_id, name, owner, metadata)
            VALUES (\(values), auth.uid(), \(StandInDatabase.quoted(String(decoding: data, as: UTF8.self))))
            """
        let conflict = " ON CONFLICT (bucket_id, name) DO UPDATE SET metadata = EXCLUDED.metadata, updated_at = now()"
        switch database.ask(insert + (replacing ? conflict : ""), as: role, keeps: { _ in !isTrial }) {
        case .failure(let error) where error.state == "23505":
            return .failure(Refusal("409", "KeyAlreadyExists", "The resource already exists"))
        case .failure(let error) where error.state == "42501":
            return .failure(Refusal("403", "AccessDenied", "new row violates row-level security policy"))
        case .failure(let error): return .failure(Refusal("500", "InternalError", error.message))
        case .success:
            guard !isTrial else { return .success(id) }
            bytes["\(bucket)/\(name)"] = object.bytes
            writes += 1
            return .success(id)
        }
    }

    func limit(of bucket: String, _ database: StandInDatabase) -> Int {
        if let sizeLimit { return sizeLimit }
        let rows = database.owner(
            "SELECT file_size_limit FROM storage.buckets WHERE id = \(StandInDatabase.quoted(bucket))")
        return rows.first?[0].flatMap { Int($0) } ?? 50 << 20
    }

    /// Returns the etag. For an object of one part, it is the digest of the bytes.
    func etag(of bytes: [UInt8], inParts: Bool = false) -> String {
        guard var digest = MD5() else { return "\"\"" }
        bytes.withUnsafeBytes { digest.update($0) }
        var sum = digest.bytes()
        if hasForeignETags { sum = sum.map { ~$0 } }
        let text = sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\"\(text)\(inParts ? "-2" : "")\""
    }

    // MARK: - Deleting

    private mutating func deleteOne(
        _ bucket: String, _ name: String, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> HTTPResponse {
        deleted(bucket, [name], role, database).isEmpty
            ? Self.notFound : .json(200, ["message": "Successfully deleted"])
    }

    private mutating func deleteMany(
        _ bucket: String, _ call: StandInCall, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> HTTPResponse {
        let names = call.fields["prefixes"] as? [String] ?? []
        return .json(200, deleted(bucket, names, role, database).map { ["name": $0, "bucket_id": bucket] })
    }

    private mutating func deleted(
        _ bucket: String, _ names: [String], _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> [String] {
        guard !names.isEmpty else { return [] }
        let list = names.map(StandInDatabase.quoted).joined(separator: ", ")
        let sql = """
            DELETE FROM storage.objects WHERE bucket_id = \(StandInDatabase.quoted(bucket)) AND name IN (\(list)) RETURNING name
            """
        let gone = ((try? database.ask(sql, as: role).get())?.rows ?? []).compactMap { $0[0] }
        for name in gone { bytes["\(bucket)/\(name)"] = nil }
        deletes += gone.count
        return gone
    }
}
