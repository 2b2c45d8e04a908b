import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Recordings in a project's bucket (wire-contracts 3 and 4).
struct SupabaseStorage: Sendable {
    let calls: SupabaseCalls
    let bucket: String
    let settings: SupabaseUploader.Settings

    /// Makes an object be there with exactly these bytes, whatever is there now. When it returns the server has told its
    /// size, and its digest where it has one of the file's bytes; or may not tell, and has confirmed that it took them.
    ///
    /// - Parameters:
    ///   - resumption: where a large file's earlier attempt was being sent to, and how to keep that.
    func put(
        _ file: UploadFile, at path: String, resuming resumption: Resumption, sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> SupabaseNote.Stored {
        guard file.byteCount <= settings.largestObject else {
            throw DeliveryFailure(
                .refused, code: "fileTooLarge",
                message: "the recording has \(Self.megabytes(file.byteCount)) MB; "
                    + "\(Self.megabytes(settings.largestObject)) MB is the most")
        }
        var isReplaced = false
        if try await upload(file, to: path, replacing: false, resumption, sent) == .alreadyThere {
            if try await holds(file, at: path) == .same { return .seen }
            try await replace(file, at: path, resumption, sent)
            isReplaced = true
        }
        switch try await holds(file, at: path) {
        case .same: return .seen
        // An etag that is none of these bytes when they were sent and confirmed twice is not made of bytes: storage that
        // encrypts with keys of a service has such.
        case .sameSize where isReplaced: return .sized
        // Rules that let a user add but not look: the server has confirmed what it took, and no more can be known.
        case .hidden: return .unseen
        case .other, .sameSize:
            try resumption.keep(nil)
            throw DeliveryFailure(
                .transient, code: "differs", message: "the object is not what was sent: size or etag differ")
        }
    }

    /// Another object has the name, or one that may not be seen: half of an earlier attempt, or of a recording that was
    /// made anew. The name is this answer's alone.
    private func replace(
        _ file: UploadFile, at path: String, _ resumption: Resumption, _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) {
        do throws(DeliveryFailure) {
            guard try await upload(file, to: path, replacing: true, resumption, sent) == .complete else {
                throw DeliveryFailure(
                    .transient, code: "409/Duplicate", message: "another upload of that name is under way")
            }
        } catch {
            guard error.kind == .refused else { throw error }
            let explanation =
                "another recording has that name, and may not be replaced"
            throw DeliveryFailure(.refused, code: error.code, message: "\(explanation): \(error.message)")
        }
    }

    /// What is known of an object.
    enum Holding: Equatable {
        case same
        /// But another etag.
        case sameSize
        case other
        /// Not there, or not to be seen.
        case hidden
    }

    /// Compares an object's size, and its etag where that is an MD5: of objects that came in parts it is something else.
    func holds(_ file: UploadFile, at path: String) async throws(DeliveryFailure) -> Holding {
        struct Info: Decodable {
            var size: Int
            var etag: String?
        }
        let answer = try await calls.ask(.storage, "GET", "/storage/v1/object/info/\(bucket)/\(path.inURL)")
        if answer.error?.status == 404 { return .hidden }
        // Rules, and no words about a token.
        if answer.error?.status == 403, answer.verdict == .refused { return .hidden }
        let response = try answer.done()
        guard let info = try? JSONDecoder().decodeForeign(Info.self, from: Data(response.body)) else {
            throw answer.unbelievable("what is known of an object")
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

    /// Deletes an object; that there is none is as good.
    func delete(_ path: String) async throws(DeliveryFailure) {
        let answer = try await calls.ask(.storage, "DELETE", "/storage/v1/object/\(bucket)/\(path.inURL)")
        if answer.error?.status == 404 { return }
        guard try answer.done().isDone else { throw answer.unbelievable("that an object is deleted") }
    }

    /// What a large file's upload goes on with.
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
            // What was begun without leave to replace cannot be gone on with.
            location: replacing ? nil : resumption.location, keep: resumption.keep, sent: sent)
    }

    /// What Supabase's own clients send; the resumable part makes a header of it by itself.
    private static let cacheSeconds = "3600"

    private static func megabytes(_ bytes: Int) -> String {
        String(format: "%.1f", Double(bytes) / Double(1 << 20))
    }
}

extension String {
    /// A path in a URL: its slashes stay.
    fileprivate var inURL: String {
        let allowed = CharacterSet(charactersIn: "/-_.~").union(.init(charactersIn: "a"..."z"))
            .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "0"..."9"))
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? self
    }
}
