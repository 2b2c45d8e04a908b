import Foundation
import HTTPClient

/// A stand-in for resumable uploads: tus 1.0.0 with Supabase's own rules. Statuses are real and bodies are text, unless
/// errors are wrapped.
public enum StandInResumable {
    public struct Upload: Sendable {
        public var bucket: String
        public var path: String
        public var length: Int
        public var bytes: [UInt8] = []
        public var replaces: Bool
        public var mediaType: String
        public var isGone = false
    }

    static let piece = 6 << 20

    static func answer(
        _ call: StandInCall, _ auth: StandInAuth, _ database: StandInDatabase, isCut: Bool,
        _ storage: inout StandInStorage, _ complaints: inout [String]
    ) -> HTTPResponse {
        guard call["Tus-Resumable"] == "1.0.0" else {
            complaints.append("no Tus-Resumable")
            return .text(412, "Tus-Resumable Required")
        }
        if call.method == "OPTIONS" {
            return .text(204, headers: ["tus-version": "1.0.0", "tus-extension": "creation,termination,expiration"])
        }
        let flaw = call.bearer.map { auth.flaw(in: $0, at: call.now) }
        let id = call.path.split(separator: "/").dropFirst(4).first.map(String.init)
        if call.method == "HEAD" {
            if storage.headNeedsToken, flaw != .some(nil) { return .text(400) }
            guard let id, let upload = storage.resumables[id] else { return .text(404) }
            if upload.isGone { return .text(410) }
            return .text(
                200, headers: ["upload-offset": String(upload.bytes.count), "upload-length": String(upload.length)])
        }
        // HEAD needs no token, the other methods do.
        guard let bearer = call.bearer else {
            return error(400, "headers must have required property 'authorization'", storage)
        }
        if let words = StandInStorage.words(of: flaw ?? nil) { return error(403, words, storage) }
        let role = StandInDatabase.Role.user(claims: StandInAuth.claims(of: bearer))
        switch (call.method, id) {
        case ("POST", nil): return create(call, role, database, &storage, &complaints)
        case ("PATCH", let id?): return append(call, id, role, database, isCut: isCut, &storage, &complaints)
        case ("DELETE", let id?):
            return storage.resumables.removeValue(forKey: id) == nil ? error(404, "Not found", storage) : .text(204)
        default:
            complaints.append("an unknown route")
            return error(404, "Not found", storage)
        }
    }

    private static func error(_ status: Int, _ words: String, _ storage: StandInStorage) -> HTTPResponse {
        guard storage.wrapsErrors, status < 500 else { return .text(status, words) }
        return .json(400, ["statusCode": String(status), "error": "Refused", "message": words])
    }

    private static func create(
        _ call: StandInCall, _ role: StandInDatabase.Role, _ database: StandInDatabase, _ storage: inout StandInStorage,
        _ complaints: inout [String]
    ) -> HTTPResponse {
        var metadata: [String: String] = [:]
        for pair in (call["Upload-Metadata"] ?? "").split(separator: ",") {
            let words = pair.split(separator: " ")
            guard words.count == 2, let value = Data(base64Encoded: String(words[1])) else {
                complaints.append("invalid metadata")
                return error(400, "Upload-Metadata is invalid", storage)
            }
            metadata[String(words[0])] = String(decoding: value, as: UTF8.self)
        }
        guard
            let length = call["Upload-Length"].flatMap({ Int($0) }), let path = metadata["objectName"],
            let type = metadata["contentType"], metadata["cacheControl"] != nil, call.body.isEmpty,
            let replaces = ["true": true, "false": false][call["x-upsert"] ?? ""]
        else {
            complaints.append("an upload without its facts")
            return error(400, "Upload-Metadata is invalid", storage)
        }
        guard let bucket = metadata["bucketName"], StandInStorage.has(bucket, database) else {
            return error(404, "Bucket not found", storage)
        }
        if length > storage.limit(of: bucket, database) { return error(413, "Maximum size exceeded", storage) }
        // Tries whether the user has permission, without keeping the object.
        let empty = StandInStorage.Object(bytes: [], etag: "", mediaType: type)
        if case .failure(let refusal) = storage.put(
            empty, bucket, path, replacing: replaces, role, database, cache: "", isTrial: true)
        {
            return error(Int(refusal.status) ?? 500, refusal.words, storage)
        }
        let id = Data("\(bucket)/\(path)/\(storage.resumables.count)".utf8).base64URL
        storage.resumables[id] = Upload(bucket: bucket, path: path, length: length, replaces: replaces, mediaType: type)
        let place = storage.location ?? storage.origin + "/storage/v1/upload/resumable/"
        return .text(201, headers: ["location": place + id, "tus-resumable": "1.0.0"])
    }

    private static func append(
        _ call: StandInCall, _ id: String, _ role: StandInDatabase.Role, _ database: StandInDatabase, isCut: Bool,
        _ storage: inout StandInStorage, _ complaints: inout [String]
    ) -> HTTPResponse {
        guard var upload = storage.resumables[id] else { return error(404, "Not found", storage) }
        if upload.isGone { return error(410, "The file for this url no longer exists", storage) }
        guard call["Content-Type"] == "application/offset+octet-stream" else {
            complaints.append("not a piece")
            return error(415, "Content-Type", storage)
        }
        guard call["Upload-Offset"] == String(upload.bytes.count) else {
            return error(409, "Upload-Offset conflict", storage)
        }
        let isLast = upload.bytes.count + call.body.count >= upload.length
        if !isCut && !isLast && call.body.count != piece {
            complaints.append("a piece of \(call.body.count) bytes")
            return error(400, "must be set to 6MB", storage)
        }
        upload.bytes += call.body
        storage.resumables[id] = upload
        let offset = ["upload-offset": String(upload.bytes.count), "tus-resumable": "1.0.0"]
        guard upload.bytes.count == upload.length, !isCut else { return .text(204, headers: offset) }
        // Uploaded in parts, so the etag isn't a digest of the bytes. The first to finish gets the name.
        let object = StandInStorage.Object(
            bytes: upload.bytes, etag: storage.etag(of: upload.bytes, inParts: true), mediaType: upload.mediaType)
        if case .failure(let refusal) = storage.put(
            object, upload.bucket, upload.path, replacing: upload.replaces, role, database, cache: "max-age=3600")
        {
            return error(Int(refusal.status) ?? 500, refusal.words, storage)
        }
        return .text(204, headers: offset)
    }
}
