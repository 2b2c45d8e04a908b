public import Foundation
public import HTTPClient
import SystemSupport

/// Recordings in storage with the S3 interface (AWS, MinIO, Ceph, OpenStack Swift, Supabase, R2 …), with signatures of
/// version 4.
///
/// A recording is sent from its file. Its SHA-256 is in the signature, in a checksum and in the object's metadata: the
/// storage stores exactly these bytes or nothing, and stored objects can be compared later. The HTTP client does not
/// stream the body of a response, so recordings are read in pieces of 1 MiB. A reader needs no more memory than that.
public struct S3AudioStore: AudioStore {
    private let calls: S3Calls

    /// Creates the store.
    ///
    /// - Parameters:
    ///   - client: the HTTP client. Tests pass their own. By default libcurl's.
    public init(_ settings: S3Settings, client: any HTTPExchanging = CurlClient()) {
        calls = S3Calls(settings: settings, client: client)
    }

    public func put(
        _ path: String, as key: AudioKey, sha256: String, mediaType: String
    ) async throws(AudioStoreError) {
        let sha256 = sha256.lowercased()
        let byteCount = try await Self.check(path, sha256)
        // Ask first, because not every service supports `If-None-Match`, and some would replace the object.
        if try await holds(key, sha256) { return }
        let request = S3Calls.Request(
            "PUT", key,
            headers: [
                ("content-type", mediaType), ("if-none-match", "*"), ("x-amz-checksum-sha256", Self.base64(sha256)),
                ("x-amz-meta-sha256", sha256),
            ],
            body: .file(path: path, offset: 0, byteCount: byteCount), bodySHA256: sha256)
        let answer = try await calls.ask(request)
        switch answer.status {
        case 200, 201, 204:
            // A proxy may send a 200 on its own. If the answer does not repeat the checksum, ask for the object.
            if answer.headers["x-amz-checksum-sha256"] == Self.base64(sha256) { return }
            guard try await holds(key, sha256) else {
                throw AudioStoreError(.unavailable, "the storage took \(key) and does not have it")
            }
        case 409, 412:
            // Another upload was first. It may have been an earlier attempt of this request.
            guard try await holds(key, sha256) else {
                throw AudioStoreError(.unavailable, "the storage says that \(key) is there, and that it is not")
            }
        default: throw calls.error(answer, request)
        }
    }

    public func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> {
        let reader = PieceReader(range ?? 0 ..< .max, by: Self.pieceBytes) { (range) async throws(AudioStoreError) in
            try await piece(of: key, range)
        }
        try await reader.begin()
        return reader.stream
    }

    public func size(of key: AudioKey) async throws(AudioStoreError) -> Int? {
        try await head(key)?.byteCount
    }

    public func delete(_ key: AudioKey) async throws(AudioStoreError) {
        let request = S3Calls.Request("DELETE", key)
        let answer = try await calls.ask(request)
        guard [200, 202, 204, 404].contains(answer.status) else { throw calls.error(answer, request) }
    }

    public func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await keys(under: AudioKey.prefix(of: session, user: user))
    }

    public func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try await keys(under: AudioKey.prefix(of: user))
    }

    private func keys(under prefix: String) async throws(AudioStoreError) -> [AudioKey] {
        var keys: [AudioKey] = []
        while true {
            // `start-after` requires no state in the storage between two pages.
            let last = keys.last?.text ?? ""
            let after = last.isEmpty ? [] : [("start-after", last)]
            let request = S3Calls.Request("GET", nil, query: [("list-type", "2"), ("prefix", prefix)] + after)
            let answer = try await calls.ask(request, longestAnswer: 1 << 22)
            guard answer.status == 200 else { throw calls.error(answer, request) }
            let page = S3Words.keys(answer).filter { $0.text.hasPrefix(prefix) && $0.text > last }
            if page.isEmpty { return keys }
            keys += page
        }
    }

    public func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? {
        calls.address("PUT", key, headers: [("content-type", mediaType)], seconds: seconds)
    }

    public func ping() async throws(AudioStoreError) {
        let request = S3Calls.Request("GET", nil, query: [("list-type", "2"), ("max-keys", "1")])
        let answer = try await calls.ask(request)
        guard answer.status == 200 else { throw calls.error(answer, request) }
    }
}

extension S3AudioStore {
    private static let pieceBytes = 1 << 20

    /// Returns a range of bytes, fewer at the object's end.
    private func piece(of key: AudioKey, _ range: Range<Int>) async throws(AudioStoreError) -> [UInt8] {
        let request = S3Calls.Request(
            "GET", key, headers: [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")])
        let answer = try await calls.ask(request, longestAnswer: Self.pieceBytes + 4096)
        switch answer.status {
        case 206: return answer.body
        // A service that ignores `range` sends the whole object. It is an error if that is longer than the range.
        case 200 where range.lowerBound == 0 && answer.body.count <= range.count: return answer.body
        case 416: return []
        default: throw calls.error(answer, request)
        }
    }

    private func head(_ key: AudioKey) async throws(AudioStoreError) -> (byteCount: Int, sha256: String?)? {
        let request = S3Calls.Request("HEAD", key)
        let answer = try await calls.ask(request)
        if answer.status == 404 { return nil }
        guard answer.status == 200, let byteCount = answer.headers["content-length"].flatMap({ Int($0) }) else {
            throw calls.error(answer, request)
        }
        return (byteCount, answer.headers["x-amz-meta-sha256"])
    }

    /// Returns whether the storage has these bytes.
    ///
    /// - Throws: `differs` if it has other bytes.
    private func holds(_ key: AudioKey, _ sha256: String) async throws(AudioStoreError) -> Bool {
        guard let there = try await head(key) else { return false }
        let digest: String
        if let known = there.sha256 { digest = known } else { digest = try await self.digest(of: key) }
        guard digest == sha256 else { throw AudioStoreError(.differs, "other bytes are stored under \(key)") }
        return true
    }

    /// Returns the digest of an object that a client uploaded directly.
    private func digest(of key: AudioKey) async throws(AudioStoreError) -> String {
        var digest = SHA256()
        let reader = PieceReader(0 ..< .max, by: Self.pieceBytes) { (range) async throws(AudioStoreError) in
            try await piece(of: key, range)
        }
        while let piece = try await reader.next() { piece.withUnsafeBytes { digest.update($0) } }
        return digest.hexadecimal()
    }

    /// Checks a file.
    ///
    /// - Returns: the file's length.
    /// - Throws: `differs` if the file has another digest.
    private static func check(_ path: String, _ sha256: String) async throws(AudioStoreError) -> Int {
        let found = await runBlocking { Result { () throws(Problem) in try PrivateFile.digest(path) } }
        switch found {
        case .success(let found):
            guard found.sha256 == sha256 else {
                throw AudioStoreError(.differs, "the bytes to store have another SHA-256")
            }
            return found.byteCount
        case .failure(let problem): throw AudioStoreError(.unavailable, problem.sentence)
        }
    }

    private static func base64(_ digits: String) -> String {
        let nibbles = digits.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
        return Data(bytes).base64EncodedString()
    }
}
