import BackendAPI
public import ExamStore
import HTTPTypes
public import Hummingbird
public import RecordingStores

/// The answer to GET for a stored recording: all of it or a range (RFC 9110, section 14), with its digest as the entity
/// tag.
public struct RecordingAnswer: Sendable {
    private let recording: Recording
    private let audio: any AudioStore

    /// Creates an answer.
    ///
    /// - Parameter recording: a recording that the caller may hear. Access must have been checked.
    public init(_ recording: Recording, in audio: any AudioStore) {
        self.recording = recording
        self.audio = audio
    }

    /// Returns the response.
    ///
    /// - Parameter name: a file name for browsers, without its suffix: `part1_q3`. Only its letters, digits, `_` and
    ///   `-` are used.
    /// - Returns: 200, 206, 304, or 416 with the length. HEAD gets the same without the bytes.
    /// - Throws: `APIProblem`: 404 if the object is missing, 503.
    public func response(to request: Request, name: String) async throws(APIProblem) -> Response {
        let mediaType = AudioMediaType(recording.mediaType)
        let tag = "\"\(recording.sha256)\""
        var headers: HTTPFields = [
            .acceptRanges: "bytes",
            .eTag: tag,
            // Only the user's browser may cache a voice, and must ask each time, because it may have been erased.
            .cacheControl: "private, no-cache",
            .contentType: mediaType?.text ?? "application/octet-stream",
            .contentDisposition: "inline; filename=\"\(Self.plain(name))\(mediaType?.suffix ?? "")\"",
            .xContentTypeOptions: "nosniff",
        ]
        headers[.reprDigest] = ReprDigest(sha256: recording.sha256)?.field
        if request.headers[.ifNoneMatch].map({ $0.contains(tag) || $0 == "*" }) == true {
            return Response(status: .notModified, headers: headers)
        }
        let range = ByteRange(request.headers[.range], of: recording.byteCount)
        // A range of a different recording would be appended to the client's bytes.
        let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
        switch isSame ? range : .whole {
        case .beyond:
            headers[.contentRange] = "bytes */\(recording.byteCount)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole:
            return try await Response(
                status: .ok, headers: headers, body: body(nil, recording.byteCount, request))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(recording.byteCount)"
            return try await Response(
                status: .partialContent, headers: headers, body: body(range, range.count, request))
        }
    }

    private func body(
        _ range: Range<Int>?, _ byteCount: Int, _ request: Request
    ) async throws(APIProblem) -> ResponseBody {
        if request.method == .head { return ResponseBody(contentLength: byteCount) { try await $0.finish(nil) } }
        let pieces: AsyncThrowingStream<[UInt8], any Error>
        do throws(AudioStoreError) {
            guard let key = AudioKey(recording.key) else {
                throw AudioStoreError(.missing, "a row has an invalid key")
            }
            pieces = try await audio.read(key, range: range)
        } catch {
            throw APIProblem(error)
        }
        return ResponseBody(contentLength: byteCount) { writer in
            var rest = byteCount
            for try await piece in pieces {
                rest -= piece.count
                guard rest >= 0 else { break }
                try await writer.write(ByteBuffer(bytes: piece))
            }
            // The length was announced, so ending the connection early tells the client that bytes are missing.
            guard rest == 0 else { throw AudioStoreError(.unavailable, "a recording is not as long as its row says") }
            try await writer.finish(nil)
        }
    }

    private static func plain(_ name: String) -> String {
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(80)
        return plain.isEmpty ? "recording" : String(plain)
    }
}

/// The range requested by a `Range` header.
enum ByteRange: Equatable {
    /// No header, or one that may be ignored: other units, several ranges, or an invalid range.
    case whole
    case part(Range<Int>)
    /// The range is entirely beyond the end.
    case beyond

    init(_ field: String?, of byteCount: Int) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.filter { $0 != " " }
        }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } && $0.count < 19 })
        else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last): self = Self.range(from: first, to: last, byteCount)
        case (nil, let count?):
            self = Self.range(from: count == 0 ? byteCount : max(0, byteCount - count), to: nil, byteCount)
        case (nil, nil): return
        }
    }

    private static func range(from first: Int, to last: Int?, _ byteCount: Int) -> ByteRange {
        if let last, last < first { return .whole }
        guard first < byteCount else { return .beyond }
        return .part(first..<min(byteCount, (last ?? byteCount) + 1))
    }
}
