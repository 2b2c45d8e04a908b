import ExamStore
import Foundation
public import HTTPClient

/// Reading objects and their data.
extension StandInStorage {
    func content(
        _ bucket: String, _ name: String, _ role: StandInDatabase.Role, _ call: StandInCall, _ database: StandInDatabase
    ) -> HTTPResponse {
        guard let facts = facts(bucket, name, role, database), let all = bytes["\(bucket)/\(name)"] else {
            return Self.notFound
        }
        var headers = [
            "content-type": facts["mimetype"] as? String ?? "application/octet-stream",
            "etag": facts["eTag"] as? String ?? "", "cache-control": facts["cacheControl"] as? String ?? "",
            "accept-ranges": "bytes",
        ]
        guard let range = call["Range"].flatMap({ Self.range($0, of: all.count) }) else {
            return HTTPResponse(status: 200, headers: headers, body: all)
        }
        headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(all.count)"
        return HTTPResponse(status: 206, headers: headers, body: Array(all[range]))
    }

    /// Parses `bytes=0-99`, `bytes=100-`, `bytes=-100`.
    private static func range(_ text: String, of count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2 else { return nil }
        let first = ends[0] ?? max(count - (ends[1] ?? 0), 0)
        let last = ends[0] == nil ? count : min((ends[1] ?? count - 1) + 1, count)
        return first < last ? first..<last : nil
    }

    func info(
        _ bucket: String, _ name: String, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> HTTPResponse {
        guard let facts = facts(bucket, name, role, database) else { return Self.notFound }
        return .json(
            200,
            [
                "name": name, "bucket_id": bucket, "size": facts["size"] as? Int ?? 0,
                "etag": facts["eTag"] as? String ?? "", "content_type": facts["mimetype"] as? String ?? "",
                "cache_control": facts["cacheControl"] as? String ?? "",
            ] as [String: Any])
    }

    func list(
        _ bucket: String, _ call: StandInCall, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> HTTPResponse {
        let prefix = call.fields["prefix"] as? String ?? ""
        let folder = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
        let sql = """
            SELECT coalesce(json_agg(json_build_object('name', substr(name, \(folder.count + 1)), 'id', id, 'metadata', metadata)
            ORDER BY name), '[]')::text FROM storage.objects WHERE bucket_id = \(StandInDatabase.quoted(bucket))
            AND starts_with(name, \(StandInDatabase.quoted(folder)))
            """
        let text = (try? database.ask(sql, as: role).get())?.rows.first?[0] ?? "[]"
        return .json(200, bytes: Array(text.utf8))
    }

    func sign(
        _ bucket: String, _ name: String, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> HTTPResponse {
        guard facts(bucket, name, role, database) != nil else { return Self.notFound }
        return .json(200, ["signedURL": "/object/sign/\(bucket)/\(name)?token=\(Self.token(bucket, name))"])
    }

    static func token(_ bucket: String, _ name: String) -> String { Data("\(bucket)/\(name)".utf8).base64URL }

    private func facts(
        _ bucket: String, _ name: String, _ role: StandInDatabase.Role, _ database: StandInDatabase
    ) -> [String: Any]? {
        let sql = """
            SELECT metadata::text FROM storage.objects WHERE bucket_id = \(StandInDatabase.quoted(bucket))
            AND name = \(StandInDatabase.quoted(name))
            """
        guard let text = (try? database.ask(sql, as: role).get())?.rows.first?[0] else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }

    static func has(_ bucket: String, _ database: StandInDatabase) -> Bool {
        !database.owner("SELECT 1 FROM storage.buckets WHERE id = \(StandInDatabase.quoted(bucket))").isEmpty
    }

    static func isPublic(_ bucket: String, _ database: StandInDatabase) -> Bool {
        database.owner("SELECT public FROM storage.buckets WHERE id = \(StandInDatabase.quoted(bucket))").first?[0]
            == "t"
    }

    // MARK: - Errors

    /// Returns an error, with HTTP 400 for everything except 500 and 544.
    public static func error(_ status: String, _ code: String, _ words: String) -> HTTPResponse {
        let names = ["409": "Duplicate", "404": "not_found", "403": "Unauthorized"]
        return .json(
            ["500": 500, "544": 544][status] ?? 400,
            ["statusCode": status, "error": names[status] ?? code, "message": words, "code": code])
    }

    static let notFound = error("404", "NoSuchKey", "Object not found")

    /// Returns the message for a flaw. Clocks may not differ by even a second here.
    static func words(of flaw: StandInAuth.Flaw?) -> String? {
        switch flaw {
        case .parts: "Invalid Compact JWS"
        case .unknown: "signature verification failed"
        case .expired: "\"exp\" claim timestamp check failed"
        case nil: nil
        }
    }
}
