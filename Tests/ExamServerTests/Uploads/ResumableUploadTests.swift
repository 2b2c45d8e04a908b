import ExamStore
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// The letter of tus 1.0.0.
@Suite(.bothStores) struct ResumableUploadTests {
    private let user = UUID()
    private let stranger = UUID()
    private static let version = ("Tus-Resumable", "1.0.0")
    private static let piece = ("Content-Type", "application/offset+octet-stream")

    private func metadata(_ session: UUID, _ answer: UUID, sha256: String? = nil, type: String = "audio/wav") -> String
    {
        var values = [
            "session": session.uuidString, "answer": answer.uuidString, "filetype": type, "filename": "a b.wav",
        ]
        values["sha256"] = sha256
        return values.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
    }

    private func create(
        _ server: UploadServer, _ metadata: String, length: String, as user: UUID? = nil,
        _ headers: [(String, String)] = [], _ body: [UInt8]? = nil
    ) async throws -> HTTPResponse {
        try await server.ask(
            "POST", "/v1/uploads", as: user ?? self.user,
            [Self.version, ("Upload-Length", length), ("Upload-Metadata", metadata)] + headers, body)
    }

    private func patch(
        _ server: UploadServer, _ place: String, at offset: Int, _ bytes: [UInt8], as user: UUID? = nil,
        _ headers: [(String, String)] = []
    ) async throws -> HTTPResponse {
        try await server.ask(
            "PATCH", place, as: user ?? self.user,
            [Self.version, Self.piece, ("Upload-Offset", "\(offset)")] + headers, bytes)
    }

    private func offset(_ server: UploadServer, _ place: String) async throws -> String? {
        try await server.ask("HEAD", place, as: user, [Self.version]).headers["upload-offset"]
    }

    private func recording(_ server: UploadServer, _ answer: UUID) async throws -> [UInt8]? {
        let answer = try await server.ask("GET", "/v1/recordings/\(answer)", as: user)
        return answer.status == 200 ? answer.body : nil
    }

    @Test func piecesBecomeTheRecording() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(500_000))
            let made = try await create(
                server, metadata(session, answer, sha256: SHA256.hexadecimal(of: bytes)), length: "500000")
            #expect(made.status == 201, "\(made.text)")
            #expect(made.headers["tus-resumable"] == "1.0.0")
            #expect(made.headers["upload-expires"].flatMap { HTTPDate($0) } != nil)
            let place = try #require(made.headers["location"])
            #expect(place.hasPrefix(server.url + "/v1/uploads/"))
            for (start, end) in [(0, 1), (1, 200_001), (200_001, 499_999), (499_999, 500_000)] {
                #expect(try await recording(server, answer) == nil)
                let head = try await server.ask("HEAD", place, as: user, [Self.version])
                #expect(head.status == 200)
                #expect(head.headers["upload-offset"] == "\(start)")
                #expect(head.headers["upload-length"] == "500000")
                #expect(head.headers["cache-control"] == "no-store")
                let patched = try await patch(server, place, at: start, Array(bytes[start..<end]))
                #expect(patched.status == 204, "\(patched.text)")
                #expect(patched.headers["upload-offset"] == "\(end)")
            }
            #expect(try await recording(server, answer) == bytes)
            #expect(server.storedFiles.count == 1, "pieces are left: \(server.storedFiles)")
            #expect(try await offset(server, place) == "500000")
            // Terminating a complete upload keeps the recording.
            #expect(try await server.ask("DELETE", place, as: user, [Self.version]).status == 204)
            #expect(try await recording(server, answer) == bytes)
            #expect(try await create(server, metadata(session, answer), length: "500000").status == 409)
        }
    }

    @Test(arguments: [0, 1, 300_000]) func bytesOfTheCreationRequestCount(_ count: Int) async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let made = try await create(
                server, metadata(session, answer), length: "\(count)", [Self.piece], noise(count))
            #expect(made.status == 201, "\(made.text)")
            #expect(made.headers["upload-offset"] == "\(count)")
            #expect(try await recording(server, answer) == noise(count))
        }
    }

    @Test func anEmptyRecordingIsCompleteWhenItIsBegun() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            #expect(try await create(server, metadata(session, answer), length: "0").status == 201)
            #expect(try await recording(server, answer) == [])
        }
    }

    @Test func anotherNodeContinuesAnUpload() async throws {
        let first = try await UploadServer()
        defer { first.erase() }
        let (session, answer, bytes) = (try await first.makeSession(of: user), UUID(), noise(200_000))
        let place = try #require(
            try await create(first, metadata(session, answer), length: "200000").headers["location"])
        #expect(try await patch(first, place, at: 0, Array(bytes[..<120_000])).status == 204)
        await first.stop()
        let second = try await UploadServer(folder: first.folder)
        let there = place.replacing(first.url, with: second.url)
        #expect(try await offset(second, there) == "120000")
        #expect(try await patch(second, there, at: 120_000, Array(bytes[120_000...])).status == 204)
        #expect(try await recording(second, answer) == bytes)
        await second.stop()
    }

    /// A node stored a piece and died before it counted it.
    @Test func aPieceThatWasNotCountedIsFound() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(90_000))
            let place = try #require(
                try await create(server, metadata(session, answer), length: "90000").headers["location"])
            let id = try #require(place.split(separator: "/").last.flatMap { UUID(uuidString: String($0)) })
            let piece = AudioKey(resumable: id, of: session, user: user).piece(at: 0)
            let folder = try TemporaryFolder()
            try await server.services.audio.put(
                try folder.file(Array(bytes[..<30_000])), as: piece,
                sha256: SHA256.hexadecimal(of: Array(bytes[..<30_000])),
                mediaType: "application/octet-stream")
            // A longer piece is refused with the upload's offset, because the node finds the stored one.
            let longer = try await patch(server, place, at: 0, Array(bytes[..<60_000]))
            #expect(longer.status == 409)
            #expect(longer.headers["upload-offset"] == "30000")
            #expect(try await offset(server, place) == "30000")
            #expect(try await patch(server, place, at: 30_000, Array(bytes[30_000...])).status == 204)
            #expect(try await recording(server, answer) == bytes)
        }
    }

    @Test func bytesBeforeABreakAreStoredUnlessTheyHaveAChecksum() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(1_000_000))
            let place = try #require(
                try await create(server, metadata(session, answer), length: "1000000").headers["location"])
            let proxy = try FaultProxy(to: server.port) { _ in .halfCloseAfterUp(300_000) }
            let through = place.replacing(server.url, with: proxy.url)
            let sum = ("Upload-Checksum", "sha1 \(Data(count: 20).base64EncodedString())")
            // The server may answer before the break, or the connection may just end.
            _ = try? await patch(server, through, at: 0, bytes, [sum])
            #expect(server.storedFiles == [])
            // The earlier request may still hold the upload's lock. The broken connection can lose the
            // server's refusal, so only the offset shows that this request was taken.
            var kept = 0
            try await eventually("a part is kept") {
                _ = try? await patch(server, through, at: 0, bytes)
                kept = try await offset(server, place).flatMap { Int($0) } ?? 0
                return kept > 0
            }
            #expect((250_000..<300_000).contains(kept), "\(kept) bytes were kept of 300,000 with their head")
            #expect(try await patch(server, place, at: kept, Array(bytes[kept...])).status == 204)
            #expect(try await recording(server, answer) == bytes)
            proxy.stop()
        }
    }

    @Test func aPieceAtAnotherOffsetIsRefused() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let place = try #require(
                try await create(server, metadata(session, answer), length: "100").headers["location"])
            for wrong in [1, 100, 1_000] {
                let patched = try await patch(server, place, at: wrong, noise(10))
                #expect(patched.status == 409)
                #expect(patched.headers["upload-offset"] == "0")
            }
            #expect(try await patch(server, place, at: 0, noise(101)).status == 413)
            #expect(try await patch(server, place, at: 0, noise(10), [("Content-Type", "text/plain")]).status == 415)
            #expect(
                try await server.ask("PATCH", place, as: user, [Self.version, Self.piece], noise(10)).status == 400)
            #expect(
                try await server.ask("PATCH", place, as: user, [Self.piece, ("Upload-Offset", "0")], noise(10)).status
                    == 412)
            #expect(try await offset(server, place) == "0")
            #expect(server.storedFiles == [])
        }
    }

    @Test func aDamagedPieceIsNotKept() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(1_000))
            let place = try #require(
                try await create(server, metadata(session, answer), length: "1000").headers["location"])
            func sum(_ bytes: [UInt8]) -> String {
                let digits = SHA256.hexadecimal(of: bytes).compactMap(\.hexDigitValue)
                let digest = stride(from: 0, to: 64, by: 2).map { place -> UInt8 in
                    UInt8(digits[place] * 16 + digits[place + 1])
                }
                return "sha256 " + Data(digest).base64EncodedString()
            }
            #expect(try await patch(server, place, at: 0, bytes, [("Upload-Checksum", sum(noise(999)))]).status == 460)
            #expect(try await patch(server, place, at: 0, bytes, [("Upload-Checksum", "crc32 AAAA")]).status == 400)
            #expect(try await offset(server, place) == "0")
            #expect(try await patch(server, place, at: 0, bytes, [("Upload-Checksum", sum(bytes))]).status == 204)
            #expect(try await recording(server, answer) == bytes)
        }
    }

    @Test func aFileThatDiffersFromItsDigestIsDropped() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(1_000))
            let text = metadata(session, answer, sha256: SHA256.hexadecimal(of: noise(1_000, seed: 2)))
            for pieces in [[0..<1_000], [0..<400, 400..<1_000]] {
                let place = try #require(try await create(server, text, length: "1000").headers["location"])
                var status = 0
                for piece in pieces {
                    status = try await patch(server, place, at: piece.lowerBound, Array(bytes[piece])).status
                }
                #expect(status == 422)
                #expect(try await server.ask("HEAD", place, as: user, [Self.version]).status == 404)
            }
            #expect(server.storedFiles == [])
        }
    }

    @Test func aStrangerOpensNothing() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let place = try #require(
                try await create(server, metadata(session, answer), length: "100").headers["location"])
            for method in ["HEAD", "DELETE"] {
                #expect(try await server.ask(method, place, as: stranger, [Self.version]).status == 404)
                #expect(try await server.ask(method, place, as: nil, [Self.version]).status == 401)
            }
            #expect(try await patch(server, place, at: 0, noise(10), as: stranger).status == 404)
            #expect(try await create(server, metadata(session, UUID()), length: "10", as: stranger).status == 409)
            #expect(try await offset(server, place) == "0")
            #expect(server.storedFiles == [])
        }
    }

    @Test(arguments: ["-1", "1.5", "abc", "", "99999999999999999999"])
    func anInvalidLengthIsRefused(_ length: String) async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            #expect(try await create(server, metadata(session, UUID()), length: length).status == 400)
        }
    }

    @Test func impossibleUploadsAreNotBegun() async throws {
        var limits = ServerSettings.Limits()
        (limits.recordingBytes, limits.storedBytes) = (1_000, 2_500)
        try await withUploadServer(limits: limits) { server in
            let session = try await server.makeSession(of: user)
            #expect(try await create(server, metadata(session, UUID()), length: "1001").status == 413)
            #expect(try await create(server, metadata(session, UUID(), type: "text/html"), length: "10").status == 415)
            #expect(try await create(server, metadata(UUID(), UUID()), length: "10").status == 409)
            #expect(try await create(server, metadata(session, UUID(), sha256: "12"), length: "10").status == 400)
            for odd in ["", "session", "session !!!!", "session \(session)", "a b c d"] {
                #expect(try await create(server, odd, length: "10").status == 400)
            }
            // Uploads that are not complete count.
            for _ in 1...2 {
                #expect(try await create(server, metadata(session, UUID()), length: "1000").status == 201)
            }
            let full = try await create(server, metadata(session, UUID()), length: "1000")
            #expect(full.status == 429)
            #expect(full.headers["tus-resumable"] == "1.0.0")
        }
    }

    @Test func endedAndExpiredUploadsLeaveNothing() async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            let ended = try #require(
                try await create(server, metadata(session, UUID()), length: "1000").headers["location"])
            #expect(try await patch(server, ended, at: 0, noise(400)).status == 204)
            #expect(try await server.ask("DELETE", ended, as: user, [Self.version]).status == 204)
            #expect(try await server.ask("HEAD", ended, as: user, [Self.version]).status == 404)
            #expect(server.storedFiles == [])

            let place = try #require(
                try await create(server, metadata(session, UUID()), length: "1000").headers["location"])
            for offset in [0, 300, 600] {
                #expect(try await patch(server, place, at: offset, noise(300)).status == 204)
            }
            #expect(server.storedFiles.count == 3)
            let sweeper = Sweeper(services: server.services)
            #expect(await sweeper.sweep() == 0)
            let id = try #require(place.split(separator: "/").last.flatMap { UUID(uuidString: String($0)) })
            let store = server.services.store.owned(by: user)
            #expect(try await store.advance(id, from: 900, to: 900, expiresAt: "2020-01-01T00:00:00Z"))
            #expect(try await server.ask("HEAD", place, as: user, [Self.version]).status == 410)
            #expect(try await patch(server, place, at: 900, noise(100)).status == 410)
            #expect(await sweeper.sweep() == 1)
            #expect(server.storedFiles == [])
            #expect(try await server.ask("HEAD", place, as: user, [Self.version]).status == 404)
        }
    }

    @Test func ofConcurrentWritersOneSucceedsAndNothingIsMixed() async throws {
        try await withUploadServer { server in
            let (session, answer, bytes) = (try await server.makeSession(of: user), UUID(), noise(2_000_000))
            let place = try #require(
                try await create(server, metadata(session, answer), length: "2000000").headers["location"])
            for start in stride(from: 0, to: 2_000_000, by: 500_000) {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await patch(server, place, at: start, Array(bytes[start..<start + 500_000])).status
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.filter { $0 == 204 }.count == 1)
                #expect(Set(statuses).isSubset(of: [204, 409, 423]), "\(statuses)")
            }
            #expect(try await recording(server, answer) == bytes)
        }
    }

    @Test func theServersAbilitiesArePublic() async throws {
        try await withUploadServer { server in
            let told = try await server.ask("OPTIONS", "/v1/uploads", as: nil)
            #expect(told.status == 204)
            #expect(told.headers["tus-version"] == "1.0.0")
            #expect(told.headers["tus-extension"] == "creation,creation-with-upload,termination,expiration,checksum")
            #expect(told.headers["tus-max-size"] == "\(10 << 20)")
            #expect(told.headers["tus-checksum-algorithm"] == "sha256,sha1")
            let other = try await server.ask("POST", "/v1/uploads", as: user, [("Tus-Resumable", "0.2.2")])
            #expect(other.status == 412)
            #expect(other.headers["tus-version"] == "1.0.0")
        }
    }

    /// With the last piece, the file is whole and its type is known. The server keeps no part of a refused file.
    @Test(arguments: [1, 2]) func undecodableUploadsAreRefusedWithTheirLastPiece(_ pieces: Int) async throws {
        try await withUploadServer(decoderFolders: "/none") { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let telephones = [0, 0, 0, 24] + Array("ftypM4A ".utf8) + noise(1_000)
            let place = try #require(
                try await create(server, metadata(session, answer), length: "\(telephones.count)").headers["location"])
            var at = 0
            if pieces == 2 {
                #expect(try await patch(server, place, at: 0, Array(telephones[..<500])).status == 204)
                at = 500
            }
            let refused = try await patch(server, place, at: at, Array(telephones[at...]))
            #expect(refused.status == 415 && refused.text.contains("/problems/needs-conversion"), "\(refused.text)")
            #expect(server.storedFiles.isEmpty)
            #expect(try await server.ask("HEAD", place, as: user, [Self.version]).status == 404)
        }
    }

    @Test func aMethodMayStandInAHeader() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let place = try #require(
                try await create(server, metadata(session, answer), length: "10").headers["location"])
            let patched = try await server.ask(
                "POST", place, as: user,
                [Self.version, Self.piece, ("Upload-Offset", "0"), ("X-HTTP-Method-Override", "PATCH")], noise(10))
            #expect(patched.status == 204)
            #expect(try await recording(server, answer) == noise(10))
        }
    }
}
