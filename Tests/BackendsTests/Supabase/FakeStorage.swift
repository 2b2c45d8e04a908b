import ExamKit
import Foundation
import HTTPClient

@testable import Backends

/// Storage with one private bucket (section 3) and resumable uploads to it (section 4).
///
/// Nearly every error is an HTTP 400 here, and the truth is in its body; the resumable part says it with its status.
struct FakeStorage: Sendable {
    enum Rule: CaseIterable { case select, insert, update, delete }

    struct Object: Equatable, Sendable {
        var bytes: [UInt8]
        var etag: String
        var mediaType: String
    }

    struct Resumable: Sendable {
        var path: String
        var length: Int
        var bytes: [UInt8] = []
        var replaces: Bool
        var mediaType: String
        var isGone = false
    }

    static let bucket = "audio-responses"
    static let piece = 6 << 20

    var rules = Set(Rule.allCases)
    var sizeLimit = 10 << 20
    var objects: [String: Object] = [:]
    var resumables: [String: Resumable] = [:]
    /// How often anything was stored: more often than there are objects means a repetition.
    var writes = 0
    var deletes = 0
    /// Where uploads lie: absolute in the cloud, relative on other servers of tus.
    var location = FakeSupabase.url + "/storage/v1/upload/resumable/"

    mutating func answer(
        _ call: FakeCall, _ auth: FakeAuth, isCut: Bool, _ complaints: inout [String]
    ) -> HTTPResponse {
        let path = call.path.replacing("/storage/v1/", with: "")
        if path.hasPrefix("upload/resumable") { return resumable(call, auth, isCut: isCut, &complaints) }
        guard let bearer = call.bearer else {
            return Self.error("400", "InvalidRequest", "headers must have required property 'authorization'")
        }
        if let words = Self.words(of: auth.flaw(in: bearer, at: call.now)) {
            return Self.error("403", "AccessDenied", words)
        }
        let isInfo = path.hasPrefix("object/info/")
        let full = path.replacing(isInfo ? "object/info/" : "object/", with: "")
        guard full.hasPrefix(Self.bucket + "/") else { return Self.error("404", "NoSuchBucket", "Bucket not found") }
        let name = String(full.dropFirst(Self.bucket.count + 1))
        switch (call.method, isInfo) {
        case ("GET", true): return info(name)
        case ("POST", false): return store(call, name, &complaints)
        case ("DELETE", false):
            guard rules.isSuperset(of: [.select, .delete]), objects[name] != nil else { return Self.notFound }
            objects[name] = nil
            deletes += 1
            return .json(200, ["message": "Successfully deleted"])
        default:
            complaints.append("an unknown route")
            return .json(404, ["statusCode": "404", "error": "Not Found", "message": "Route not found"])
        }
    }

    private func info(_ name: String) -> HTTPResponse {
        guard rules.contains(.select), let object = objects[name] else { return Self.notFound }
        return .json(
            200,
            [
                "name": name, "bucket_id": Self.bucket, "size": object.bytes.count, "etag": object.etag,
                "content_type": object.mediaType,
            ])
    }

    private mutating func store(_ call: FakeCall, _ name: String, _ complaints: inout [String]) -> HTTPResponse {
        guard let replaces = ["true": true, "false": false][call["x-upsert"] ?? ""], let type = call["Content-Type"]
        else {
            complaints.append("no x-upsert, or no Content-Type")
            return Self.error("400", "InvalidRequest", "a header is missing")
        }
        if call["cache-control"] == nil { complaints.append("no cache-control") }
        if call.body.count > sizeLimit {
            return Self.error("413", "EntityTooLarge", "The object exceeded the maximum allowed size")
        }
        if let refusal = refusal(name, replacing: replaces) { return Self.error(refusal.0, refusal.1, refusal.2) }
        // One part: the digest of its bytes.
        put(Object(bytes: call.body, etag: "\"\(Self.md5(call.body))\"", mediaType: type), name)
        return .json(200, ["Id": UUID().uuidString.lowercased(), "Key": "\(Self.bucket)/\(name)"])
    }

    private mutating func put(_ object: Object, _ name: String) {
        objects[name] = object
        writes += 1
    }

    /// INSERT is enough for a first upload; to replace takes three rules.
    private func refusal(_ name: String, replacing: Bool) -> (String, String, String)? {
        let needed: Set<Rule> = replacing ? [.select, .insert, .update] : [.insert]
        guard rules.isSuperset(of: needed) else {
            return ("403", "AccessDenied", "new row violates row-level security policy")
        }
        if objects[name] != nil && !replacing { return ("409", "KeyAlreadyExists", "The resource already exists") }
        return nil
    }

    // MARK: - Resumable

    private mutating func resumable(
        _ call: FakeCall, _ auth: FakeAuth, isCut: Bool, _ complaints: inout [String]
    ) -> HTTPResponse {
        guard call["Tus-Resumable"] == "1.0.0" else {
            complaints.append("no Tus-Resumable")
            return .text(412, "Tus-Resumable Required")
        }
        let id = call.path.split(separator: "/").dropFirst(4).first.map(String.init)
        if call.method == "HEAD" {
            guard let id, let upload = resumables[id] else { return .text(404) }
            if upload.isGone { return .text(410) }
            return .text(
                200, headers: ["upload-offset": String(upload.bytes.count), "upload-length": String(upload.length)])
        }
        // HEAD needs no token; the others do.
        guard let bearer = call.bearer else { return .text(400, "headers must have required property 'authorization'") }
        if let words = Self.words(of: auth.flaw(in: bearer, at: call.now)) { return .text(403, words) }
        switch (call.method, id) {
        case ("POST", nil): return create(call, &complaints)
        case ("PATCH", let id?): return append(call, id, isCut: isCut, &complaints)
        default:
            complaints.append("an unknown route")
            return .text(404, "Not found")
        }
    }

    private mutating func create(_ call: FakeCall, _ complaints: inout [String]) -> HTTPResponse {
        var metadata: [String: String] = [:]
        for pair in (call["Upload-Metadata"] ?? "").split(separator: ",") {
            let words = pair.split(separator: " ")
            guard words.count == 2, let value = Data(base64Encoded: String(words[1])) else {
                complaints.append("metadata that is none")
                return .text(400, "Upload-Metadata is invalid")
            }
            metadata[String(words[0])] = String(decoding: value, as: UTF8.self)
        }
        guard
            let length = call["Upload-Length"].flatMap({ Int($0) }), let path = metadata["objectName"],
            let type = metadata["contentType"], metadata["cacheControl"] != nil, call.body.isEmpty,
            let replaces = ["true": true, "false": false][call["x-upsert"] ?? ""]
        else {
            complaints.append("an upload without its facts")
            return .text(400, "Upload-Metadata is invalid")
        }
        guard metadata["bucketName"] == Self.bucket else { return .text(404, "Bucket not found") }
        if length > sizeLimit { return .text(413, "Maximum size exceeded") }
        if let refusal = refusal(path, replacing: replaces) { return .text(Int(refusal.0)!, refusal.2) }
        let id = Data("\(Self.bucket)/\(path)/\(resumables.count)".utf8).base64URL
        resumables[id] = Resumable(path: path, length: length, replaces: replaces, mediaType: type)
        return .text(201, headers: ["location": location + id, "tus-resumable": "1.0.0"])
    }

    private mutating func append(
        _ call: FakeCall, _ id: String, isCut: Bool, _ complaints: inout [String]
    ) -> HTTPResponse {
        guard var upload = resumables[id] else { return .text(404, "Not found") }
        if upload.isGone { return .text(410, "The file for this url no longer exists") }
        guard call["Content-Type"] == "application/offset+octet-stream" else {
            complaints.append("not a piece")
            return .text(415, "Content-Type")
        }
        guard call["Upload-Offset"] == String(upload.bytes.count) else { return .text(409, "Upload-Offset conflict") }
        let isLast = upload.bytes.count + call.body.count >= upload.length
        if !isCut && !isLast && call.body.count != Self.piece {
            complaints.append("a piece of \(call.body.count) bytes")
            return .text(400, "must be set to 6MB")
        }
        upload.bytes += call.body
        resumables[id] = upload
        let offset = ["upload-offset": String(upload.bytes.count), "tus-resumable": "1.0.0"]
        guard upload.bytes.count == upload.length, !isCut else { return .text(204, headers: offset) }
        // Whoever finishes first has the name.
        if let refusal = refusal(upload.path, replacing: upload.replaces) { return .text(Int(refusal.0)!, refusal.2) }
        // In parts: no digest of the bytes.
        put(
            Object(bytes: upload.bytes, etag: "\"\(Self.md5(upload.bytes))-2\"", mediaType: upload.mediaType),
            upload.path)
        return .text(204, headers: offset)
    }

    // MARK: - Errors

    /// HTTP 400 for all but 500 and 544.
    static func error(_ status: String, _ code: String, _ words: String) -> HTTPResponse {
        let names = ["409": "Duplicate", "404": "not_found", "403": "Unauthorized"]
        return .json(
            ["500": 500, "544": 544][status] ?? 400,
            ["statusCode": status, "error": names[status] ?? code, "message": words, "code": code])
    }

    private static let notFound = error("404", "NoSuchKey", "Object not found")

    /// No second of difference between clocks is allowed here.
    private static func words(of flaw: FakeAuth.Flaw?) -> String? {
        switch flaw {
        case .parts: "Invalid Compact JWS"
        case .unknown: "signature verification failed: invalid signature"
        case .expired: "\"exp\" claim timestamp check failed"
        case nil: nil
        }
    }

    private static func md5(_ bytes: [UInt8]) -> String {
        let path = FileManager.default.temporaryDirectory.path + "/oracy-md5-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try? Data(bytes).write(to: URL(filePath: path))
        return (try? MD5.hexadecimal(ofFile: path)) ?? ""
    }
}
