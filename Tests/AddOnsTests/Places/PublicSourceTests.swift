import ExamCore
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import AddOns

/// The loader of the public home, against a server on this machine.
@Suite struct PublicSourceTests {
    private let folder: TemporaryFolder
    private let content: [UInt8]
    private let file: AddOnFile

    init() throws {
        folder = try TemporaryFolder()
        var dice = SplitMix64(seed: 1)
        let content = (0..<10_000).map { _ in UInt8(dice.below(256)) }
        self.content = content
        file = AddOnFile(
            name: "m.bin", byteCount: content.count, sha256: SHA256.hexadecimal(of: content), licence: "MIT",
            address: "unused")
    }

    private var path: String { folder.path + "/m.bin" }

    private func source(_ home: String) -> PublicSource {
        PublicSource(client: CurlClient(), home: home, pieceBytes: 1_000, sleep: { _ in })
    }

    private func fetch(from home: String) async throws(Problem) {
        try await source(home).fetch(file, to: path) { _ in }
    }

    private func problem(from home: String) async -> Problem? {
        do {
            try await fetch(from: home)
            return nil
        } catch {
            return error
        }
    }

    /// Answers a request with ranges, as the public home does.
    private static func ranged(_ request: HTTPRequest, _ content: [UInt8], tag: String?) -> HTTPResponse {
        var headers = tag.map { ["etag": $0] } ?? [:]
        let isSame = request.header("If-Range").map { $0 == tag } ?? true
        guard isSame, let range = request.header("Range") else {
            return HTTPResponse(status: 200, headers: headers, body: content)
        }
        let ends = range.dropFirst("bytes=".count).split(separator: "-").map { Int($0)! }
        guard ends[0] < content.count else { return HTTPResponse(status: 416) }
        let last = min(ends[1], content.count - 1)
        headers["content-range"] = "bytes \(ends[0])-\(last)/\(content.count)"
        return HTTPResponse(status: 206, headers: headers, body: Array(content[ends[0]...last]))
    }

    @Test func aFileComesInPieces() async throws {
        let asked = Count()
        let content = content
        let server = try HTTPServer { request in
            asked.add()
            return Self.ranged(request, content, tag: "\"1\"")
        }
        defer { server.stop() }
        try await fetch(from: server.url)
        #expect(try PrivateFile.read(path) == content)
        #expect(asked.value == 10)
        #expect(folder.names() == ["m.bin"])
    }

    @Test func anEarlierAttemptIsContinued() async throws {
        let asked = Mutex<[String]>([])
        let content = content
        let server = try HTTPServer { request in
            asked.withLock { $0.append((request.header("Range") ?? "") + " " + (request.header("If-Range") ?? "")) }
            return Self.ranged(request, content, tag: "\"1\"")
        }
        defer { server.stop() }
        try Data(content.prefix(8_500)).write(to: URL(filePath: path + ".part"))
        try Data("\"1\"".utf8).write(to: URL(filePath: path + ".part.etag"))
        try await fetch(from: server.url)
        #expect(try PrivateFile.read(path) == content)
        #expect(asked.withLock { $0 } == ["bytes=8500-9499 \"1\"", "bytes=9500-9999 \"1\""])
    }

    @Test func aChangedFileIsFetchedFromItsBeginning() async throws {
        let content = content
        let server = try HTTPServer { request in Self.ranged(request, content, tag: "\"2\"") }
        defer { server.stop() }
        try Data(repeating: 0, count: 8_500).write(to: URL(filePath: path + ".part"))
        try Data("\"1\"".utf8).write(to: URL(filePath: path + ".part.etag"))
        try await fetch(from: server.url)
        #expect(try PrivateFile.read(path) == content)
    }

    /// The server ignores `If-Range`, and says by its tag that the file is another one.
    @Test func aTagThatChangesBetweenPiecesBeginsAnew() async throws {
        let (number, content) = (Count(), content)
        let server = try HTTPServer { request in
            number.add()
            var request = request
            request.headers.removeAll { $0.name == "If-Range" }
            let isOld = number.value <= 3
            return Self.ranged(
                request, isOld ? [UInt8](repeating: 7, count: 10_000) : content, tag: isOld ? "\"1\"" : "\"2\"")
        }
        defer { server.stop() }
        try await fetch(from: server.url)
        #expect(try PrivateFile.read(path) == content)
        #expect(number.value == 3 + 1 + 10)
    }

    @Test func aServerWithoutRangesSendsEverything() async throws {
        let content = content
        let server = try HTTPServer { _ in HTTPResponse(status: 200, body: content) }
        defer { server.stop() }
        try Data(repeating: 0, count: 500).write(to: URL(filePath: path + ".part"))
        try await fetch(from: server.url)
        #expect(try PrivateFile.read(path) == content)
    }

    @Test func cutConnectionsAreContinued() async throws {
        let content = content
        let server = try HTTPServer { request in
            var answer = Self.ranged(request, content, tag: "\"1\"")
            answer.headers["connection"] = "close"
            return answer
        }
        defer { server.stop() }
        // Every second connection breaks, before or within the answer.
        let proxy = try FaultProxy(to: server.port) { number in
            number.isMultiple(of: 2) ? (number.isMultiple(of: 4) ? .resetAfterDown(700) : .resetAfterUp(0)) : .none
        }
        defer { proxy.stop() }
        try await fetch(from: proxy.url)
        #expect(try PrivateFile.read(path) == content)
    }

    @Test func aServerThatStaysAwayIsGivenUp() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        server.stop()
        let problem = await problem(from: server.url)
        #expect(problem?.kind == .unavailable)
    }

    @Test func wrongBytesAreRemovedAndNamed() async throws {
        let other = [UInt8](repeating: 7, count: content.count)
        let server = try HTTPServer { request in Self.ranged(request, other, tag: nil) }
        defer { server.stop() }
        let problem = await problem(from: server.url)
        #expect(problem?.kind == .malformed)
        #expect(
            problem?.sentence.hasSuffix(
                "sent the wrong content for m.bin, which was removed; try again, or give a folder with the files: --from FOLDER"
            ) == true)
        #expect(folder.names().isEmpty)
    }

    @Test(arguments: [9_999, 10_001, 0]) func anotherLengthIsRefused(_ count: Int) async throws {
        let other = [UInt8](repeating: 7, count: count)
        let server = try HTTPServer { request in Self.ranged(request, other, tag: nil) }
        defer { server.stop() }
        let problem = await problem(from: server.url)
        #expect(problem?.kind == .malformed)
        #expect(access(path, F_OK) != 0)
    }

    @Test func anotherPieceThanAskedForIsRefused() async throws {
        let content = content
        let server = try HTTPServer { request in
            var answer = Self.ranged(request, content, tag: nil)
            answer.headers["content-range"] = "bytes 5-1004/10000"
            return answer
        }
        defer { server.stop() }
        #expect(
            await problem(from: server.url)?.sentence
                == "m.bin: the server sent the wrong piece of the file; try again later")
    }

    @Test func redirectsAreFollowedAtMostFiveTimes() async throws {
        let content = content
        let server = try HTTPServer { request in
            let hops = Int(request.path.split(separator: "/").first ?? "") ?? 0
            guard hops > 0 else { return Self.ranged(request, content, tag: nil) }
            return HTTPResponse(status: 302, headers: ["location": "/\(hops - 1)/m.bin"])
        }
        defer { server.stop() }
        try await fetch(from: server.url + "/5")
        #expect(try PrivateFile.read(path) == content)
        unlink(path)
        let problem = await problem(from: server.url + "/6")
        #expect(problem?.sentence.contains("redirects too often") == true)
    }

    @Test(arguments: [
        "http://example.org/m.bin", "ftp://example.org/m.bin", "file:///etc/passwd", "//example.org/m", "",
    ])
    func redirectsToUnsafeAddressesAreNotFollowed(_ location: String) async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 302, headers: ["location": location]) }
        defer { server.stop() }
        let problem = await problem(from: server.url)
        #expect(problem?.sentence.contains("isn't HTTPS") == true)
    }

    @Test(arguments: ["http://example.org", "example.org", "ftp://localhost", "http://localhost.example.org"])
    func homesWithoutHTTPSAreRefused(_ home: String) async {
        #expect(await problem(from: home)?.sentence.hasSuffix("is not an HTTPS address") == true)
    }

    @Test func busyServersAreAskedAgainAfterTheirTime() async throws {
        let slept = Mutex<[Duration]>([])
        let (number, content) = (Count(), content)
        let server = try HTTPServer { request in
            number.add()
            switch number.value {
            case 1: return HTTPResponse(status: 429, headers: ["retry-after": "7"])
            case 2: return HTTPResponse(status: 503)
            default: return Self.ranged(request, content, tag: nil)
            }
        }
        defer { server.stop() }
        let source = PublicSource(client: CurlClient(), home: server.url, pieceBytes: 1_000) { time in
            slept.withLock { $0.append(time) }
        }
        try await source.fetch(file, to: path) { _ in }
        #expect(slept.withLock { $0 } == [.seconds(7), .seconds(2)])
    }

    @Test(arguments: [404, 403, 410]) func aMissingFileIsRefusedAtOnce(_ status: Int) async throws {
        let number = Count()
        let server = try HTTPServer { _ in
            number.add()
            return HTTPResponse(status: status)
        }
        defer { server.stop() }
        #expect(await problem(from: server.url)?.sentence.hasSuffix("answered \(status) for m.bin") == true)
        #expect(number.value == 1)
    }

    @Test func aServerThatIsBusyForLongIsGivenUp() async throws {
        let number = Count()
        let server = try HTTPServer { _ in
            number.add()
            return HTTPResponse(status: 503, headers: ["retry-after": "3600"])
        }
        defer { server.stop() }
        #expect(await problem(from: server.url)?.kind == .unavailable)
        #expect(number.value == 1)
    }
}
