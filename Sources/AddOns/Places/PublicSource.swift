import Glibc
package import HTTPClient
package import SystemSupport

/// The public home of models, over HTTPS. Files are fetched in pieces, which are kept if the connection breaks or the
/// program is killed.
///
/// It follows redirects by itself, at most five, and only to HTTPS. Plain HTTP is accepted for this machine only. A
/// file whose ETag changed is fetched from its beginning. At the end the whole file is compared with the list. A server
/// that sends something else wastes time, but its data is not installed.
package struct PublicSource: AddOnSource {
    private let client: any HTTPExchanging
    private let home: String?
    private let pieceBytes: Int
    private let sleep: @Sendable (Duration) async throws -> Void

    private static let mostRedirects = 5
    /// The most attempts in a row that bring no bytes. The pauses between them add up to half a minute.
    private static let mostAttempts = 6

    /// - Parameters:
    ///   - home: another place with the same files under the same names; nil for the address in the list.
    ///   - pieceBytes: the bytes of one request.
    ///   - sleep: waits between attempts.
    package init(
        client: any HTTPExchanging, home: String? = nil, pieceBytes: Int = 8 << 20,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = client
        self.home = home
        self.pieceBytes = pieceBytes
        self.sleep = sleep
    }

    package var name: String { home ?? "huggingface.co" }

    package func fetch(
        _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
    ) async throws(Problem) {
        guard let address = home.map({ "\($0)/\(file.name)" }) ?? file.address else {
            throw Problem(.missing, "\(file.name): has no address")
        }
        let part = try PartialFile(path + ".part")
        if part.byteCount > file.byteCount { try part.restart() }
        var (attempts, pause) = (0, Duration.seconds(1))
        while part.byteCount < file.byteCount {
            received(part.byteCount)
            let before = part.byteCount
            switch await piece(of: file, at: address, part) {
            case .taken:
                if part.byteCount > before { (attempts, pause) = (0, .seconds(1)) } else { attempts += 1 }
            case .failed(let problem): throw problem
            case .later(let problem, let time):
                attempts += 1
                guard attempts < Self.mostAttempts, time ?? .zero <= .seconds(60) else { throw problem }
                do { try await sleep(time ?? pause) } catch { throw Problem(.unavailable, "stopped") }
                pause = pause * 2
            }
            guard attempts < Self.mostAttempts else {
                throw Problem(.unavailable, "\(name): keeps changing \(file.name); try again later")
            }
        }
        received(part.byteCount)
        guard try PrivateFile.digest(part.path).sha256 == file.sha256 else {
            try part.remove()
            throw Problem(
                .malformed,
                "\(name): sent the wrong content for \(file.name), which was removed; try again, or give a folder with the files: --from FOLDER"
            )
        }
        try part.finish(as: path)
    }

    private enum Outcome {
        /// Bytes were added, or the file was begun anew.
        case taken
        case failed(Problem)
        /// Ask again, after the time that the server gave, if any.
        case later(Problem, Duration?)
    }

    /// Fetches the next piece.
    private func piece(of file: AddOnFile, at address: String, _ part: PartialFile) async -> Outcome {
        let from = part.byteCount
        var headers = [("Range", "bytes=\(from)-\(min(from + pieceBytes, file.byteCount) - 1)")]
        if let tag = part.tag { headers.append(("If-Range", tag)) }
        var limits = HTTPLimits()
        // A server that ignores `Range` sends the whole file.
        limits.responseBytes = file.byteCount
        limits.total = .seconds(600)
        let answer: HTTPResponse
        do throws(HTTPFailure) {
            answer = try await response(to: address, headers, limits)
        } catch {
            let problem = Problem(.unavailable, "\(file.name): \(error.sentence)")
            switch error.kind {
            case .networkUnavailable, .connectionLost, .timeout: return .later(problem, nil)
            default: return .failed(problem)
            }
        }
        do throws(Problem) {
            return try take(answer, of: file, from, part)
        } catch {
            return .failed(error)
        }
    }

    private func take(
        _ answer: HTTPResponse, of file: AddOnFile, _ from: Int, _ part: PartialFile
    ) throws(Problem) -> Outcome {
        // A weak tag doesn't promise the same bytes.
        let tag = answer.headers["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        switch answer.status {
        case 206:
            let isOther = from > 0 && part.tag != tag
            guard !isOther else {
                try part.restart()
                return .taken
            }
            guard let range = ContentRange(answer.headers["content-range"] ?? ""), range.first == from,
                range.last - range.first + 1 == answer.body.count, range.total == nil || range.total == file.byteCount
            else {
                let length = ContentRange(answer.headers["content-range"] ?? "")?.total
                return .failed(
                    Problem(
                        .malformed,
                        "\(file.name): the server sent the wrong piece of the file; try again later"
                            + (length.map {
                                $0 == file.byteCount ? "" : ": its file has \($0) bytes, not \(file.byteCount)"
                            }
                                ?? "")))
            }
            try part.add(answer.body, tag: tag)
            return .taken
        case 200:
            guard answer.body.count == file.byteCount else {
                return .failed(
                    Problem(
                        .malformed,
                        "\(file.name): the server's file has \(answer.body.count) bytes, not \(file.byteCount)"))
            }
            try part.restart()
            try part.add(answer.body, tag: tag)
            return .taken
        case 416:
            guard from > 0 else {
                return .failed(
                    Problem(.malformed, "\(file.name): the server cannot continue the download; try again later"))
            }
            try part.restart()
            return .taken
        case 429, 500...599:
            return .later(
                Problem(.unavailable, "\(name): answered \(answer.status); try again later"),
                RetryAfter.read(answer.headers))
        case 300..<400:
            return .failed(Problem(.unavailable, "\(name): redirects too often, or to an address that isn't HTTPS"))
        default:
            return .failed(Problem(.unavailable, "\(name): answered \(answer.status) for \(file.name)"))
        }
    }

    /// Sends the request, and follows redirects. Returns a redirect that it may not follow as the answer.
    private func response(
        to address: String, _ headers: [(String, String)], _ limits: HTTPLimits
    ) async throws(HTTPFailure) -> HTTPResponse {
        var address = address
        guard Self.isAllowed(address) else { throw HTTPFailure(.invalidURL, "\(name): is not an HTTPS address") }
        for hop in 0... {
            let answer = try await client.exchange(HTTPRequest("GET", address, headers: headers), limits: limits)
            guard [301, 302, 303, 307, 308].contains(answer.status), hop < Self.mostRedirects,
                let next = Self.address(answer.headers["location"] ?? "", from: address), Self.isAllowed(next)
            else { return answer }
            address = next
        }
        fatalError("the loop ends by returning")
    }

    private static func isAllowed(_ address: String) -> Bool {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty else { return false }
        if parts[0].lowercased() == "https:" { return true }
        var host = parts[2]
        if !host.hasSuffix("]"), let colon = host.lastIndex(of: ":") { host = host[..<colon] }
        return parts[0].lowercased() == "http:" && LocalHost.isThisMachine(String(host))
    }

    /// Returns the absolute address of a redirect, whose location may also be relative to the host. Nil for any other
    /// location.
    private static func address(_ location: String, from address: String) -> String? {
        if location.lowercased().hasPrefix("http") { return location }
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return nil }
        return address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
            .joined(separator: "/") + location
    }
}

/// The value of `Content-Range`: `bytes 0-99/1234`.
private struct ContentRange {
    let first, last: Int
    /// The length of the whole file; nil for `*`.
    let total: Int?

    init?(_ text: String) {
        let words = text.split(whereSeparator: { " -/".contains($0) })
        guard words.count == 4, words[0].lowercased() == "bytes", let first = Int(words[1]), let last = Int(words[2]),
            first <= last, last < .max
        else { return nil }
        (self.first, self.last) = (first, last)
        total = Int(words[3])
    }
}
