import BackendAPI
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Storing recordings by PUT, and reading them.
@Suite(.bothStores) struct RecordingTests {
    private let user = UUID()
    private let stranger = UUID()

    private func digest(_ bytes: [UInt8]) -> String { ReprDigest(sha256: SHA256.hexadecimal(of: bytes))!.field }

    private func put(
        _ bytes: [UInt8], _ session: UUID, _ answer: UUID, to server: UploadServer, as user: UUID? = nil,
        digest: String? = nil, type: String = "audio/ogg"
    ) async throws -> HTTPResponse {
        try await server.ask(
            "PUT", "/v1/sessions/\(session)/answers/\(answer)/recording", as: user ?? self.user,
            [("Content-Type", type), ("Repr-Digest", digest ?? self.digest(bytes))], bytes)
    }

    @Test(arguments: [0, 1, 70_000, 3_000_000])
    func storedRecordingsAreReadAgain(_ byteCount: Int) async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(byteCount))
            let first = try await put(bytes, session, answer, to: server)
            #expect(first.status == 201, "\(first.text)")
            #expect(first.headers["repr-digest"] == digest(bytes))
            #expect(try await put(bytes, session, answer, to: server).status == 204)
            #expect(server.storedFiles.count == 1)

            let out = try await server.ask("GET", "/v1/recordings/\(answer)", as: user)
            #expect(out.status == 200)
            #expect(out.body == bytes)
            #expect(out.headers["content-type"] == "audio/ogg")
            #expect(out.headers["cache-control"] == "private, no-cache")
            #expect(out.headers["repr-digest"] == digest(bytes))
            #expect(out.headers["content-disposition"] == "inline; filename=\"part1_q1.opus\"")
            let tag = try #require(out.headers["etag"])
            #expect(
                try await server.ask("GET", "/v1/recordings/\(answer)", as: user, [("If-None-Match", tag)]).status
                    == 304)
            let head = try await server.ask("HEAD", "/v1/recordings/\(answer)", as: user)
            #expect(head.headers["content-length"] == "\(byteCount)")
        }
    }

    /// Beginnings of files that only ffmpeg can decode, with their media types.
    static let foreign: [(type: String, name: String, beginning: [UInt8])] = [
        ("audio/mp4", "recording.m4a", [0, 0, 0, 24] + Array("ftypM4A ".utf8)),
        ("audio/webm", "recording.webm", [0x1a, 0x45, 0xdf, 0xa3]),
        ("audio/amr", "recording.amr", Array("#!AMR\n".utf8)),
        ("audio/3gpp", "recording.3gp", [0, 0, 0, 24] + Array("ftyp3gp4".utf8)),
        // The bytes count, not the media type.
        ("audio/ogg", "recording.opus", [0, 0, 0, 24] + Array("ftypM4A ".utf8)),
    ]

    /// If such a recording were stored, the learner would wait in vain for its measures.
    @Test(arguments: foreign.indices) func undecodableRecordingsAreRefused(_ index: Int) async throws {
        let (type, name, beginning) = Self.foreign[index]
        try await withUploadServer(decoderFolders: "/none") { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let refused = try await put(beginning + noise(1_000), session, answer, to: server, type: type)
            #expect(refused.status == 415)
            #expect(refused.text.contains("/problems/needs-conversion"), "\(refused.text)")
            let stem = name.split(separator: ".")[0]
            #expect(refused.text.contains("ffmpeg -i \(name) -vn -ac 1 -ar 16000 \(stem).wav"), "\(refused.text)")
            #expect(server.storedFiles.isEmpty)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).status == 404)
            // The answer accepts the output of the suggested command.
            #expect(try await put(noise(1_000), session, answer, to: server, type: "audio/wav").status == 201)
        }
    }

    @Test func decodableRecordingsAreAccepted() async throws {
        let programs = NSTemporaryDirectory() + "oracy-programs-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: programs) }
        try FileManager.default.createSymbolicLink(atPath: programs + "/ffmpeg", withDestinationPath: "/bin/true")
        try await withUploadServer(decoderFolders: programs) { server in
            let session = try await server.makeSession(of: user)
            for (type, _, beginning) in Self.foreign {
                #expect(try await put(beginning + noise(1_000), session, UUID(), to: server, type: type).status == 201)
            }
        }
    }

    @Test func aStrangerOpensNothing() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(100))
            #expect(try await put(bytes, session, answer, to: server).status == 201)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: stranger).status == 404)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: nil).status == 401)
            let before = server.storedFiles
            let there = try await put(bytes, session, UUID(), to: server, as: stranger)
            #expect(there.status == 409)
            #expect(there.text.contains("parent-missing"))
            // Into the stranger's own session, under the other user's id.
            let own = try await server.makeSession(of: stranger)
            #expect(try await put(noise(100, seed: 2), own, answer, to: server, as: stranger).status == 404)
            #expect(server.storedFiles == before)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == bytes)
        }
    }

    @Test func otherBytesNeverReplaceARecording() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            #expect(try await put(noise(500), session, answer, to: server).status == 201)
            let second = try await put(noise(500, seed: 2), session, answer, to: server)
            #expect(second.status == 409)
            #expect(second.headers["repr-digest"] == digest(noise(500)))
            #expect(second.headers["content-type"] == "application/problem+json")
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == noise(500))
            #expect(server.storedFiles.count == 1)
        }
    }

    @Test func bytesThatDifferFromTheAnnouncementAreNotStored() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            #expect(try await put(noise(500), session, answer, to: server, digest: digest(noise(499))).status == 422)
            #expect(try await put(noise(500), session, answer, to: server, digest: "sha-256=:no:").status == 400)
            #expect(try await put(noise(500), session, answer, to: server, type: "text/html").status == 415)
            #expect(server.storedFiles == [])
        }
    }

    @Test func quotasAreKept() async throws {
        var limits = ServerSettings.Limits()
        (limits.recordingBytes, limits.storedBytes) = (1_000, 2_500)
        try await withUploadServer(limits: limits) { server in
            let session = try await server.makeSession(of: user)
            let large = try await put(noise(1_001), session, UUID(), to: server)
            #expect(large.status == 413)
            #expect(large.text.contains("recording-too-large"))
            for seed in 1...2 {
                #expect(try await put(noise(1_000, seed: UInt64(seed)), session, UUID(), to: server).status == 201)
            }
            let full = try await put(noise(1_000, seed: 3), session, UUID(), to: server)
            #expect(full.status == 429)
            #expect(full.headers["retry-after"] != nil)
            #expect(full.text.contains("storage-full"))
            #expect(try await put(noise(400), session, UUID(), to: server).status == 201)
            #expect(server.storedFiles.count == 3)
        }
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=5-9", 5..<10), ("bytes=99990-", 99_990..<100_000), ("bytes=-3", 99_997..<100_000),
        ("bytes=10-999999999", 10..<100_000), ("bytes=-200000", 0..<100_000),
    ])
    func aRangeIsExactlyThat(_ field: String, _ range: Range<Int>) async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(100_000))
            #expect(try await put(bytes, session, answer, to: server).status == 201)
            let out = try await server.ask("GET", "/v1/recordings/\(answer)", as: user, [("Range", field)])
            #expect(out.status == 206)
            #expect(out.body == Array(bytes[range]))
            #expect(out.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100000")
            let other = try await server.ask(
                "GET", "/v1/recordings/\(answer)", as: user, [("Range", field), ("If-Range", "\"something else\"")])
            #expect(other.status == 200)
        }
    }

    @Test(arguments: [
        ("bytes=10-", 10, ByteRange.beyond), ("bytes=-0", 10, .beyond), ("bytes=0-", 0, .beyond),
        ("bytes=-5", 0, .beyond),
        ("bytes=3-2", 10, .whole), ("bytes=-", 10, .whole), ("bytes=a-b", 10, .whole), ("bytes=1-2,4-5", 10, .whole),
        ("items=1-2", 10, .whole), ("bytes=--1", 10, .whole), ("bytes=99999999999999999999-", 10, .whole),
    ])
    func oddRangesFollowTheStandard(_ field: String, _ byteCount: Int, _ range: ByteRange) {
        #expect(ByteRange(field, of: byteCount) == range)
    }
}
