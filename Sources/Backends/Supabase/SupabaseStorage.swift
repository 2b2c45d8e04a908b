import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Recordings in a project's bucket.
struct SupabaseStorage: Sendable {
    let calls: SupabaseCalls
    let bucket: String
    let settings: SupabaseUploader.Settings

    /// Uploads an object with exactly these bytes, replacing anything that is there. When it returns, the server has
    /// reported the object's size, and its digest if the etag is one. If the user may not read it, the server has
    /// confirmed the upload.
    ///
    /// - Parameters:
    ///   - resumption: The place to which an earlier attempt sent a large file, and the way to store it.
    func put(
        _ file: UploadFile, at path: String, resuming resumption: Resumption, sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> SupabaseNote.Stored {
        guard file.byteCount <= settings.largestObject else {
            throw DeliveryFailure(
                .refused, code: "fileTooLarge",
                message: "the recording has \(Self.megabytes(file.byteCount)) MB; "
                    + "the limit is \(Self.megabytes(settings.largestObject)) MB")
        }
        var isReplaced = false
        if try await upload(file, to: path, replacing: false, resumption, sent) == .alreadyThere {
            if try await holds(file, at: path) == .same { return .seen }
            try await replace(file, at: path, resumption, sent)
            isReplaced = true
        }
        switch try await holds(file, at: path) {
        case .same: return .seen
        // The bytes were sent and confirmed twice, so an etag that still differs isn't their digest. Storage that
        // encrypts with the keys of a key management service has such etags.
        case .sameSize where isReplaced: return .sized
        // The rules let a user add but not read. The server has confirmed the upload, and no more can be known.
        case .hidden: return .unseen
        case .other, .sameSize:
            try resumption.keep(nil)
            throw DeliveryFailure(
                .transient, code: "differs", message: "the stored object differs from what was sent: size or etag")
        }
    }

    /// Replaces an object of the same name, which may be hidden: a partial one of an earlier attempt, or one of a
    /// recording that was made again. The name belongs to this answer alone.
    private func replace(
        _ file: UploadFile, at path: String, _ resumption: Resumption, _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) {
        do throws(DeliveryFailure) {
            guard try await upload(file, to: path, replacing: true, resumption, sent) == .complete else {
                throw DeliveryFailure(
                    .transient, code: "409/Duplicate", message: "another upload with that name is in progress")
            }
        } catch {
            guard error.kind == .refused else { throw error }
            let explanation =
                "another recording has that name, and may not be replaced"
            throw DeliveryFailure(.refused, code: error.code, message: "\(explanation): \(error.message)")
        }
    }

    /// The result of comparing an object with a file.
    enum Holding: Equatable {
        case same
        /// The size is equal, but the etag differs.
        case sameSize
        case other
        /// The object is missing or hidden.
        case hidden
    }

    /// Compares an object's size, and its etag if that is an MD5. Objects uploaded in parts have another kind of etag.
    func holds(_ file: UploadFile, at path: String) async throws(DeliveryFailure) -> Holding {
        struct Info: Decodable {
            var size: Int
            var etag: String?
        }
        let answer = try await calls.ask(.storage, "GET", "/storage/v1/object/info/\(bucket)/\(path.inURL)")
        if answer.error?.status == 404 { return .hidden }
        // Refused by rules, not because of a token.
        if answer.error?.status == 403, answer.verdict == .refused { return .hidden }
        let response = try answer.done()
        guard let info = try? JSONDecoder().decodeForeign(Info.self, from: Data(response.body)) else {
            throw answer.unbelievable("an object's metadata")
        }
        guard info.size == file.byteCount else { return .other }
        let etag = (info.etag ?? "").replacing("W/", with: "").replacing("\"", with: "").lowercased()
        guard settings.comparesETag, etag.count == 32, etag.allSatisfy(\.isHexDigit) else { return .same }
        do throws(Problem) {
            return try MD5.hexadecimal(ofFile: file.path) == etag ? .same : .sameSize
        } catch {
            throw DeliveryFailure(.fileMissing, message: error.sentence)
        }
    }

    /// Deletes an object. A missing object is fine too.
    func delete(_ path: String) async throws(DeliveryFailure) {
        let answer = try await calls.ask(.storage, "DELETE", "/storage/v1/object/\(bucket)/\(path.inURL)")
        if answer.error?.status == 404 { return }
        guard try answer.done().isDone else { throw answer.unbelievable("that an object is deleted") }
    }

    /// The state with which a large file's upload is resumed.
    struct Resumption {
        var location: String?
        var keep: (String?) throws(DeliveryFailure) -> Void
    }

    private func upload(
        _ file: UploadFile, to path: String, replacing: Bool, _ resumption: Resumption,
        _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> ResumableUpload.End {
        if file.byteCount > settings.largestSimpleUpload {
            return try await resume(file, to: path, replacing: replacing, resumption, sent)
        }
        let answer = try await calls.ask(
            .storage, "POST", "/storage/v1/object/\(bucket)/\(path.inURL)",
            [
                ("Content-Type", file.mediaType), ("cache-control", "max-age=\(Self.cacheSeconds)"),
                ("x-upsert", replacing ? "true" : "false"),
            ],
            body: .file(path: file.path, offset: 0, byteCount: file.byteCount), sent: sent)
        if answer.verdict == .alreadyThere { return .alreadyThere }
        let response = try answer.done()
        let stored = try? JSONDecoder().decodeForeign([String: String].self, from: Data(response.body))
        guard stored?["Key"] == "\(bucket)/\(path)" else { throw answer.unbelievable("the name of what was stored") }
        sent(file.byteCount)
        return .complete
    }

    private func resume(
        _ file: UploadFile, to path: String, replacing: Bool, _ resumption: Resumption,
        _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> ResumableUpload.End {
        let calls = calls
        let upload = ResumableUpload(
            endpoint: calls.project.url + "/storage/v1/upload/resumable", looksAtNewPlaces: true
        ) { (method, url, headers, body, sent) async throws(DeliveryFailure) in
            try await calls.ask(.tus, method, url, headers, body: body, sent: sent)
        }
        return try await upload.send(
            file,
            metadata: [
                ("bucketName", bucket), ("objectName", path), ("contentType", file.mediaType),
                ("cacheControl", Self.cacheSeconds),
            ],
            headers: [("x-upsert", replacing ? "true" : "false")],
            // An upload that was begun without permission to replace can't be resumed with it.
            location: replacing ? nil : resumption.location, keep: resumption.keep, sent: sent)
    }

    /// The value that Supabase's own clients send. The resumable part turns it into a header by itself.
    private static let cacheSeconds = "3600"

    private static func megabytes(_ bytes: Int) -> String {
        String(format: "%.1f", Double(bytes) / Double(1 << 20))
    }
}

extension String {
    /// The path in a URL. Its slashes stay.
    fileprivate var inURL: String {
        let allowed = CharacterSet(charactersIn: "/-_.~").union(.init(charactersIn: "a"..."z"))
            .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "0"..."9"))
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? self
    }
}
