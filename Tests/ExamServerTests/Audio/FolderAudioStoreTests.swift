import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import ExamServer
@testable import RecordingStores

@Suite struct FolderAudioStoreTests {
    private let folder: TemporaryFolder
    private let key = AudioKey("user/session/answer")!

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> FolderAudioStore { try FolderAudioStore(path: folder.path + "/audio") }

    private func put(_ bytes: [UInt8], _ key: AudioKey, in store: FolderAudioStore, sha256: String? = nil) async throws
    {
        let path = try folder.file(bytes)
        try await store.put(path, as: key, sha256: sha256 ?? SHA256.hexadecimal(of: bytes), mediaType: "audio/ogg")
    }

    private func bytes(_ key: AudioKey, in store: FolderAudioStore, _ range: Range<Int>? = nil) async throws -> [UInt8]
    {
        var bytes: [UInt8] = []
        for try await piece in try await store.read(key, range: range) {
            #expect(piece.count <= 65_536)
            bytes += piece
        }
        return bytes
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 1_000_000])
    func storedBytesAreReadAgain(_ count: Int) async throws {
        let store = try store()
        try await put(noise(count), key, in: store)
        #expect(try await bytes(key, in: store) == noise(count))
        #expect(try await store.size(of: key) == count)
        try await put(noise(count), key, in: store)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/audio/.parts") == [])
    }

    @Test func aRangeIsReadAlone() async throws {
        let store = try store()
        try await put(noise(300_000), key, in: store)
        for range in [0..<1, 100..<200_000, 299_999..<300_000, 299_999..<400_000, 300_000..<300_001, 5..<5] {
            #expect(try await bytes(key, in: store, range) == Array(noise(300_000)[range.clamped(to: 0..<300_000)]))
        }
    }

    @Test func aSessionsKeysAreItsOwnAlone() async throws {
        let (user, session) = (UUID(), UUID())
        let mine = AudioKey(recording: UUID(), of: session, user: user, sha256: String(repeating: "0", count: 64))
        let piece = AudioKey(resumable: UUID(), of: session, user: user).piece(at: 5)
        let another = AudioKey(resumable: UUID(), of: UUID(), user: user).piece(at: 0)
        let store = try store()
        for key in [mine, piece, another] { try await put(noise(10), key, in: store) }
        #expect(try await Set(store.keys(of: session, user: user)) == [mine, piece])
        #expect(try await store.keys(of: session, user: UUID()).isEmpty)
        try await store.removeAll(of: session, user: user)
        #expect(try await store.keys(of: session, user: user).isEmpty)
        #expect(try await store.size(of: another) == 10)
    }

    @Test func onlyItsOwnerMayReadIt() async throws {
        let store = try store()
        try await put(noise(10), key, in: store)
        var facts = stat()
        for path in ["", "/user", "/user/session", "/.parts"] {
            #expect(stat("\(folder.path)/audio\(path)", &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o700)
        }
        #expect(stat("\(folder.path)/audio/\(key)", &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
    }

    @Test func otherBytesAreRefused() async throws {
        let store = try store()
        await #expect(throws: AudioStoreError.self) {
            try await put(noise(10), key, in: store, sha256: SHA256.hexadecimal(of: []))
        }
        #expect(try await store.size(of: key) == nil)
        try await put(noise(10), key, in: store)
        do {
            try await put(noise(11), key, in: store)
            Issue.record("other bytes took its place")
        } catch let error as AudioStoreError {
            #expect(error.kind == .differs)
        }
        #expect(try await bytes(key, in: store) == noise(10))
    }

    @Test func oneOfManyWritersSucceeds() async throws {
        let store = try store()
        for round in 0..<20 {
            let key = AudioKey("user/session/race\(round)")!
            let outcomes = await withTaskGroup(of: Int?.self) { group in
                for seed in 1...4 {
                    group.addTask { (try? await put(noise(5_000, seed: UInt64(seed)), key, in: store)).map { seed } }
                }
                return await group.reduce(into: [Int]()) { if let seed = $1 { $0.append(seed) } }
            }
            #expect(outcomes.count == 1)
            #expect(try await bytes(key, in: store) == noise(5_000, seed: UInt64(outcomes[0])))
        }
    }

    @Test func puttingAndDeletingAtOnceDontInterfere() async throws {
        let store = try store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let key = AudioKey("user/session/a\(number)")!
                    for round in 0..<25 {
                        try await put(noise(10, seed: UInt64(round + 1)), key, in: store)
                        #expect(try await bytes(key, in: store) == noise(10, seed: UInt64(round + 1)))
                        try await store.delete(key)
                        #expect(try await store.size(of: key) == nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/audio") == [".parts"])
    }

    @Test func readingAMissingObjectFailsAndDeletingItSucceeds() async throws {
        let store = try store()
        await #expect(throws: AudioStoreError(.missing, "there is no user/session/answer")) {
            try await bytes(key, in: store)
        }
        try await store.delete(key)
        try await put(noise(10), key, in: store)
        try await store.delete(key)
        #expect(try await store.size(of: key) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/audio") == [".parts"])
    }

    @Test func linksAreNeverFollowed() async throws {
        let store = try store()
        let secret = folder.path + "/secret"
        try FileManager.default.createDirectory(atPath: secret + "/session", withIntermediateDirectories: true)
        try Data(noise(10)).write(to: URL(filePath: secret + "/session/answer"))
        symlink(secret, folder.path + "/audio/user")
        #expect(try await store.size(of: key) == nil)
        await #expect(throws: AudioStoreError.self) { try await put(noise(10), key, in: store) }
        unlink(folder.path + "/audio/user")
        try await put(noise(20), AudioKey("user/session/other")!, in: store)
        symlink(secret + "/session/answer", folder.path + "/audio/user/session/answer")
        #expect(try await store.size(of: key) == nil)
        await #expect(throws: AudioStoreError.self) { try await put(noise(30), key, in: store) }
        #expect(FileManager.default.contents(atPath: secret + "/session/answer") == Data(noise(10)))
    }

    @Test(.needs(SmallDisk.obstacle)) func aFullDiskLeavesNothingHalfWritten() async throws {
        let disk = try SmallDisk(kibibytes: 256)
        let store = try FolderAudioStore(path: disk.path + "/audio")
        let path = try folder.file(noise(1_000_000))
        do {
            try await store.put(
                path, as: key, sha256: SHA256.hexadecimal(of: noise(1_000_000)), mediaType: "audio/ogg")
            Issue.record("a megabyte fits on a quarter of one")
        } catch {
            #expect(error.kind == .unavailable)
        }
        #expect(try await store.size(of: key) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path + "/audio/.parts") == [])
        disk.fill(leaving: 0)
        await #expect(throws: AudioStoreError.self) { try await store.ping() }
        disk.clear()
        try await store.ping()
        try await put(noise(1_000), key, in: store)
        #expect(try await bytes(key, in: store) == noise(1_000))
    }

    /// A writer holds a lock on its file. If the writer was killed, the lock is gone.
    @Test func remainsOfAKilledProcessAreRemoved() async throws {
        let store = try store()
        let parts = folder.path + "/audio/.parts"
        for name in ["left", "being-written"] { try Data(noise(10)).write(to: URL(filePath: "\(parts)/\(name)")) }
        let file = open("\(parts)/being-written", O_RDWR)
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        #expect(store.removeLeftovers() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts) == ["being-written"])
        close(file)
        _ = try self.store()
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts) == [])
    }

    @Test func allThatLiesUnderAUserIsFound() async throws {
        let store = try store()
        let (user, other) = (UUID(), UUID())
        var keys: Set<String> = []
        for (owner, name) in [(user, "a"), (user, "b"), (other, "c")] {
            let key = try #require(AudioKey("\(owner.name)/\(UUID().name)/\(name)"))
            try await put(noise(10), key, in: store)
            if owner == user { keys.insert(key.text) }
        }
        #expect(Set(try await store.keys(of: user).map(\.text)) == keys)
        #expect(try await store.keys(of: UUID()).isEmpty)
    }

    @Test(arguments: [
        "", "a/b", "a/b/c/d", "a//c", "../b/c", "a/b/.c", "a/b/c d", "a/b/c\n", "a/b/ä", "/a/b", "a/b/c%2e",
    ])
    func invalidKeysAreRefused(_ text: String) { #expect(AudioKey(text) == nil) }
}
