import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import SystemSupport

/// Resumable uploads by tus 1.0.0: core, creation, creation-with-upload, termination, expiration, checksum.
///
/// | request | answer |
/// |---|---|
/// | `OPTIONS /v1/uploads` | 204 with the supported features |
/// | `POST /v1/uploads` | 201 with `Location` |
/// | `HEAD /v1/uploads/{upload}` | 200 with `Upload-Offset` and `Upload-Length` |
/// | `PATCH /v1/uploads/{upload}` | 204 with `Upload-Offset`. The last piece completes the recording |
/// | `DELETE /v1/uploads/{upload}` | 204 |
struct ResumableUploadRoutes: Sendable {
    let services: Services
    private let writing = Writing()

    init(services: Services) {
        self.services = services
    }

    func add(to routes: RouterGroup<ServerContext>) {
        for path in ["uploads", "uploads/:upload"] as [RouterPath] {
            routes.on(path, method: .options) { _, _ in Response(status: .noContent, headers: self.abilities) }
        }
        routes.post("uploads") { request, context in
            try await tus(request) { () throws(APIProblem) in try await create(request, context) }
        }
        for method in [.head, .patch, .delete] as [HTTPRequest.Method] {
            routes.on("uploads/:upload", method: method) { request, context in
                try await serve(method, request, context)
            }
        }
        // For clients that can only GET and POST (tus 1.0.0, "X-HTTP-Method-Override").
        routes.post("uploads/:upload") { request, context in
            let method = request.headers[.methodOverride].flatMap { HTTPRequest.Method($0.uppercased()) }
            return try await serve(method ?? .post, request, context)
        }
    }

    private func serve(
        _ method: HTTPRequest.Method, _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await tus(request) { () throws(APIProblem) in
            let uploads = try ResumableIntake(services: services, user: context.requireUser())
            let id = try context.id("upload", of: "upload")
            switch method {
            case .head:
                let upload = try await uploads.find(id)
                var headers = state(of: upload)
                headers[.uploadLength] = String(upload.length ?? 0)
                headers[.uploadMetadata] = upload.metadata
                return Response(status: .ok, headers: headers)
            case .patch: return try await patch(request, id, uploads)
            case .delete:
                return try await writing.alone(id) { () async throws(APIProblem) in
                    try await uploads.end(uploads.find(id))
                    return Response(status: .noContent)
                }
            default: throw .malformed("Use HEAD to look at an upload, PATCH to continue it and DELETE to cancel it.")
            }
        }
    }

    private func create(_ request: Request, _ context: ServerContext) async throws(APIProblem) -> Response {
        let uploads = try ResumableIntake(services: services, user: context.requireUser())
        let text = request.headers[.uploadMetadata] ?? ""
        let metadata = try UploadMetadata(text)
        guard let length = Self.number(request.headers[.uploadLength]) else {
            throw .malformed("Upload-Length is missing or not a number of bytes.")
        }
        var upload = try await uploads.begin(metadata, text: text, byteCount: length)
        if request.headers[.contentType] == Self.pieceType {
            upload.offset = try await take(request, into: upload, uploads)
        } else if length == 0 {
            upload.offset = try await take(
                Request(head: request.head, body: .init(buffer: .init())), into: upload, uploads)
        }
        var headers = state(of: upload)
        // The complete address that the client used: aiotus cannot resolve relative addresses. If the address named
        // another server, our own client would not send its token there.
        let path = request.uri.path.split(separator: "/").joined(separator: "/")
        headers[.location] = "\(request.origin)/\(path)/\(upload.id.name)"
        return Response(status: .created, headers: headers)
    }

    private func patch(
        _ request: Request, _ id: UUID, _ uploads: ResumableIntake
    ) async throws(APIProblem) -> Response {
        guard request.headers[.contentType] == Self.pieceType else {
            throw APIProblem(
                .unsupportedMediaType, "not-a-piece", "Not a piece", "The Content-Type must be \(Self.pieceType).")
        }
        guard let offset = Self.number(request.headers[.uploadOffset]) else {
            throw .malformed("Upload-Offset is missing or not a number of bytes.")
        }
        return try await writing.alone(id) { () async throws(APIProblem) in
            var upload = try await uploads.find(id)
            guard upload.offset == offset else { throw .elsewhere(upload.offset) }
            upload.offset = try await take(request, into: upload, uploads)
            upload.expiresAt = ResumableIntake.newEnd
            return Response(status: .noContent, headers: state(of: upload))
        }
    }

    /// Takes the bytes of a request.
    ///
    /// - Returns: the new offset. Bytes are stored in portions, so that a broken connection or the end of this process
    ///   loses at most one portion. A piece with a checksum is stored completely or not at all.
    private func take(
        _ request: Request, into upload: ResumableUpload, _ uploads: ResumableIntake
    ) async throws(APIProblem) -> Int {
        let rest = (upload.length ?? 0) - upload.offset
        guard Self.number(request.headers[.contentLength]) ?? 0 <= rest else { throw .pastTheEnd }
        if let field = request.headers[.uploadChecksum] {
            return try await take(request, of: UploadChecksum(field), into: upload, uploads, rest)
        }
        var upload = upload
        var body = request.body.makeAsyncIterator()
        var isAtEnd = false
        repeat {
            var portion: [UInt8] = []
            while portion.count < Self.portionBytes, !isAtEnd {
                // A broken connection also ends this piece.
                if let bytes = try? await body.next() { portion += bytes.readableBytesView } else { isAtEnd = true }
            }
            guard portion.count <= (upload.length ?? 0) - upload.offset else { throw .pastTheEnd }
            let piece = try await ReceivedFile.take(portion, folder: services.settings.uploadFolder)
            upload.offset = try await keep(piece, of: upload, uploads)
        } while !isAtEnd
        return upload.offset
    }

    private func take(
        _ request: Request, of checksum: UploadChecksum, into upload: ResumableUpload, _ uploads: ResumableIntake,
        _ rest: Int
    ) async throws(APIProblem) -> Int {
        let piece: ReceivedFile
        do throws(APIProblem) {
            piece = try await ReceivedFile.take(
                request.body, limit: rest, folder: services.settings.uploadFolder, algorithm: checksum.algorithm)
        } catch {
            throw error.status == .contentTooLarge ? .pastTheEnd : error
        }
        guard piece.checksum == checksum.bytes else {
            throw APIProblem(
                .init(code: 460, reasonPhrase: "Checksum Mismatch"), "checksum-mismatch", "Damaged",
                "This piece was damaged on its way. Send it again.")
        }
        return try await keep(piece, of: upload, uploads)
    }

    /// Stores a piece, even if the client has disconnected and this task is cancelled.
    private func keep(
        _ piece: ReceivedFile, of upload: ResumableUpload, _ uploads: ResumableIntake
    ) async throws(APIProblem) -> Int {
        let added = await Task { () async -> Result<Int, APIProblem> in
            do throws(APIProblem) { return .success(try await uploads.add(piece, to: upload)) } catch {
                return .failure(error)
            }
        }.value
        return try added.get()
    }

    // MARK: - Headers of tus

    private func tus(
        _ request: Request, _ answer: () async throws(APIProblem) -> Response
    ) async throws(APIProblem) -> Response {
        do throws(APIProblem) {
            guard request.headers[.tusResumable] == Self.version else {
                throw APIProblem(
                    .preconditionFailed, "other-version", "Another version of tus",
                    "Tus-Resumable must be \(Self.version).", headers: [.tusVersion: Self.version])
            }
            var response = try await answer()
            response.headers[.tusResumable] = Self.version
            return response
        } catch {
            var problem = error
            problem.headers[.tusResumable] = Self.version
            throw problem
        }
    }

    private func state(of upload: ResumableUpload) -> HTTPFields {
        var state: HTTPFields = [.uploadOffset: String(upload.offset), .cacheControl: "no-store"]
        state[.uploadExpires] = UTCText(iso: upload.expiresAt)?.header
        return state
    }

    private var abilities: HTTPFields {
        [
            .tusResumable: Self.version, .tusVersion: Self.version,
            .tusExtension: "creation,creation-with-upload,termination,expiration,checksum",
            .tusMaxSize: String(services.settings.limits.recordingBytes),
            .tusChecksumAlgorithm: UploadChecksum.algorithms,
        ]
    }

    private static let version = "1.0.0"
    private static let pieceType = "application/offset+octet-stream"
    /// 512 KiB. If the process dies, less than a megabyte is lost, including bytes in transit. A recording of 10 MB is
    /// 20 objects.
    private static let portionBytes = 512 << 10

    private static func number(_ field: String?) -> Int? {
        field.flatMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
    }
}

/// The uploads that this node is writing, each for one request at a time. Other nodes compare the offset in the row.
private final class Writing: Sendable {
    private let ids = Mutex<Set<UUID>>([])

    /// Does work on an upload exclusively.
    ///
    /// - Throws: `APIProblem`, 423, if another request is writing to it.
    func alone<Value>(
        _ id: UUID, _ work: () async throws(APIProblem) -> Value
    ) async throws(APIProblem) -> Value {
        guard ids.withLock({ $0.insert(id).inserted }) else {
            throw APIProblem(
                .locked, "being-written", "Busy", "Another request is writing to this upload. Try again in a moment.")
        }
        defer { ids.withLock { _ = $0.remove(id) } }
        return try await work()
    }
}

extension APIProblem {
    fileprivate static let pastTheEnd = APIProblem(
        .contentTooLarge, "past-the-end", "Too much", "This is more than the upload's announced length.")
}

extension HTTPResponse.Status {
    /// WebDAV's status (RFC 4918), which tus servers use.
    fileprivate static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
}

extension HTTPField.Name {
    fileprivate static let tusResumable = HTTPField.Name("Tus-Resumable")!
    fileprivate static let tusVersion = HTTPField.Name("Tus-Version")!
    fileprivate static let tusExtension = HTTPField.Name("Tus-Extension")!
    fileprivate static let tusMaxSize = HTTPField.Name("Tus-Max-Size")!
    fileprivate static let tusChecksumAlgorithm = HTTPField.Name("Tus-Checksum-Algorithm")!
    fileprivate static let uploadLength = HTTPField.Name("Upload-Length")!
    fileprivate static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
    fileprivate static let uploadExpires = HTTPField.Name("Upload-Expires")!
    fileprivate static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
    fileprivate static let methodOverride = HTTPField.Name("X-HTTP-Method-Override")!
}
