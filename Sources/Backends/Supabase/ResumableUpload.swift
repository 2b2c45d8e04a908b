import Foundation
import HTTPClient
import UploadQueue

/// Sends a file in pieces and resumes after an interruption: a client of tus 1.0.0, for any server.
///
/// ```
/// POST endpoint            → 201 Location     kept on disk before anything is sent there
/// HEAD location            → 200 Upload-Offset  first, if a place was kept, or if new places may be wrong
/// PATCH location, offset   → 204 Upload-Offset  until it is the file's length
/// ```
struct ResumableUpload {
    /// The address at which uploads are created, an absolute URL.
    var endpoint: String
    /// The size of a piece. Supabase accepts no other size, except for the last piece ("must be set to 6MB (for now)").
    var pieceBytes = 6 << 20
    /// Whether a new place is checked before bytes are sent there. Behind a proxy, Supabase may give a place that leads
    /// nowhere (storage#339).
    var looksAtNewPlaces = false
    /// Makes a request, and adds the user's authorization.
    var ask: Ask

    typealias Ask =
        @Sendable (
            _ method: String, _ url: String, _ headers: [(String, String)], _ body: HTTPRequest.Body,
            _ sent: @escaping @Sendable (Int) -> Void
        ) async throws(DeliveryFailure) -> Answer

    enum End: Equatable {
        case complete
        /// The server already has something of that name, or says that it has all of this file. The caller has to check
        /// that.
        case alreadyThere
    }

    /// Sends the part that the server does not have yet.
    ///
    /// - Parameters:
    ///   - metadata: In the server's terms. Names are ASCII without spaces and commas.
    ///   - headers: Headers for creating and sending, such as `x-upsert`.
    ///   - location: The place at which an earlier attempt began, in the server's form.
    ///   - keep: Stores such a place on disk; nil to forget it.
    ///   - sent: Called with the number of bytes of the file sent so far.
    func send(
        _ file: UploadFile, metadata: [(String, String)], headers: [(String, String)] = [], location: String?,
        keep: (String?) throws(DeliveryFailure) -> Void, sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> End {
        var location = location
        var offset = 0
        if let kept = location {
            if let found = try await reachableOffset(at: kept, of: file) {
                offset = found
            } else {
                try keep(nil)
                location = nil
            }
        }
        var (isRenewed, isConfirmed, stalls) = (false, false, 0)
        // An upload that has expired is begun again once. If that happens again, uploads expire on the server faster
        // than this machine sends them.
        func beginAnew(
            _ why: String = "the server no longer knows the upload"
        ) throws(DeliveryFailure) {
            try keep(nil)
            guard !isRenewed else { throw DeliveryFailure(.transient, code: "410", message: why) }
            (location, isRenewed) = (nil, true)
        }
        while true {
            guard let place = location else {
                guard let created = try await create(file, metadata, headers) else { return .alreadyThere }
                guard let place = looksAtNewPlaces ? try await usable(created, file) : created else {
                    try beginAnew("the address that the server gave for the upload does not answer")
                    continue
                }
                try keep(place)
                (location, offset) = (place, 0)
                continue
            }
            sent(offset)
            // If the last answer of an upload was lost, its length is known, but not whether the server could store it.
            if offset == file.byteCount { return isConfirmed ? .complete : .alreadyThere }
            switch try await reachablePatch(place, file, offset, headers, sent) {
            case .at(let next):
                (offset, isConfirmed, stalls) = (next, true, 0)
            case .elsewhere(let failure):
                // The server knows its offset best. A piece that seemed lost may have arrived since, which would
                // explain why this one was refused.
                stalls += 1
                guard stalls < 4 else { throw failure }
                if let found = try await reachableOffset(at: place, of: file) {
                    if found == offset, failure.kind == .refused { throw failure }
                    (offset, isConfirmed) = (found, false)
                } else {
                    try beginAnew()
                }
            case .gone:
                try beginAnew()
            case .taken:
                try keep(nil)
                return .alreadyThere
            }
        }
    }

    // MARK: - The three requests

    private func create(
        _ file: UploadFile, _ metadata: [(String, String)], _ headers: [(String, String)]
    ) async throws(DeliveryFailure) -> String? {
        let pairs = metadata.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }
        let answer = try await ask(
            "POST", endpoint,
            [
                Self.version, ("Upload-Length", String(file.byteCount)),
                ("Upload-Metadata", pairs.joined(separator: ",")),
            ]
                + headers, .none, { _ in })
        if answer.verdict == .alreadyThere { return nil }
        let response = try answer.done()
        guard response.status == 201, let location = response.headers["location"]?.trimmed, !location.isEmpty else {
            throw answer.unbelievable("a 201 with the address of the upload")
        }
        _ = try url(of: location)
        return location
    }

    /// Returns the server's offset; nil if it has forgotten the upload, or means another one.
    private func offset(at location: String, of file: UploadFile) async throws(DeliveryFailure) -> Int? {
        let answer = try await ask("HEAD", url(of: location), [Self.version], .none, { _ in })
        // 404, 410, and any other answer that makes the place unusable. A new upload shows whether the recording is
        // refused too.
        if answer.verdict == .refused { return nil }
        let response = try answer.done()
        guard let offset = response.headers["upload-offset"].flatMap({ Int($0) }) else {
            throw answer.unbelievable("the offset of an upload")
        }
        let length = response.headers["upload-length"].flatMap { Int($0) }
        return (0...file.byteCount).contains(offset) && length ?? file.byteCount == file.byteCount ? offset : nil
    }

    /// Like `offset`, but also returns nil if the place can't be reached although the server itself answers, because
    /// such a place would block everything behind it.
    private func reachableOffset(at location: String, of file: UploadFile) async throws(DeliveryFailure) -> Int? {
        do throws(DeliveryFailure) {
            return try await offset(at: location, of: file)
        } catch {
            guard error.kind == .unreachable, await answers() else { throw error }
            return nil
        }
    }

    /// Returns whether the server that gives places answers.
    private func answers() async -> Bool {
        do throws(DeliveryFailure) {
            _ = try await ask("OPTIONS", endpoint, [Self.version], .none, { _ in })
            return true
        } catch {
            return false
        }
    }

    /// Returns a new place as the server gave it, or as the server probably meant it. Nil if neither address answers.
    ///
    /// - Throws: `refused` if it lies outside the usual path and does not answer.
    private func usable(_ location: String, _ file: UploadFile) async throws(DeliveryFailure) -> String? {
        if try await reachableOffset(at: location, of: file) != nil { return location }
        guard
            let path = URL(string: try url(of: location))?.path, let usual = URL(string: endpoint)?.path,
            !path.hasPrefix(usual + "/"), let name = path.split(separator: "/").last
        else { return nil }
        let meant = "\(endpoint)/\(name)"
        if try await reachableOffset(at: meant, of: file) != nil { return meant }
        throw DeliveryFailure(
            .refused, code: "201", message: "the address that the server gave for the upload does not exist: \(path)")
    }

    private func reachablePatch(
        _ location: String, _ file: UploadFile, _ offset: Int, _ headers: [(String, String)],
        _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> Patched {
        do throws(DeliveryFailure) {
            return try await patch(location, file, offset, headers, sent)
        } catch {
            guard error.kind == .unreachable, await answers() else { throw error }
            return .gone
        }
    }

    private enum Patched {
        /// The server's new offset.
        case at(Int)
        /// The server's offset may differ from the assumed one. The failure counts if it doesn't.
        case elsewhere(DeliveryFailure)
        case gone
        /// Another upload of the same name finished first.
        case taken
    }

    private func patch(
        _ location: String, _ file: UploadFile, _ offset: Int, _ headers: [(String, String)],
        _ sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> Patched {
        let count = min(pieceBytes, file.byteCount - offset)
        let answer = try await ask(
            "PATCH", url(of: location),
            [Self.version, ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", String(offset))]
                + headers,
            .file(path: file.path, offset: offset, byteCount: count), { sent(offset + $0) })
        let lost = DeliveryFailure(
            .transient, code: "409", message: "the server's offset never matches its own answers")
        if let error = answer.error {
            if Self.gone.contains(error.status) { return .gone }
            if error.status == 409 { return error.message.contains("already exists") ? .taken : .elsewhere(lost) }
            if answer.verdict == .refused { return .elsewhere(error.failure(.refused)) }
        }
        let response = try answer.done()
        guard let next = response.headers["upload-offset"].flatMap({ Int($0) }), next <= file.byteCount else {
            throw answer.unbelievable("the offset of an upload")
        }
        return next > offset ? .at(next) : .elsewhere(lost)
    }

    private static let version = ("Tus-Resumable", "1.0.0")
    /// tus 1.0.0 says "404 or 410" for an expired upload. It also allows 403, but Supabase uses that for row-level
    /// rules.
    private static let gone: Set<Int> = [404, 410]

    /// Returns the URL of a location, which may be absolute or relative to the endpoint.
    ///
    /// - Throws: `refused` if it leads to another server, or to one without encryption, because the user's token would
    ///   go there.
    private func url(of location: String) throws(DeliveryFailure) -> String {
        // An absolute location is used unchanged, since decoding and encoding it again could alter it.
        let isWhole = location.lowercased().hasPrefix("http://") || location.lowercased().hasPrefix("https://")
        guard
            let base = URL(string: endpoint), let found = URL(string: location, relativeTo: base)?.absoluteURL,
            found.host == base.host,
            found.scheme == base.scheme && found.port == base.port || found.scheme == "https" && base.scheme == "http"
        else {
            throw DeliveryFailure(.refused, code: "201", message: "the server redirects the upload to another server")
        }
        return isWhole ? location : found.absoluteString
    }
}
