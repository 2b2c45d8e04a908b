import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemSupport

/// Files that only their owner can read, and that are complete at every moment.
@Suite struct PrivateFileTests {
    private let home: TemporaryFolder
    private var path: String { home.path + "/deep/er/file" }

    init() throws { home = try TemporaryFolder() }

    @Test func foldersAndFilesAreForTheirOwnerOnly() throws {
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.replace(path, with: [1, 2, 3])
        #expect(home.mode(of: "deep") == 0o700 && home.mode(of: "deep/er") == 0o700)
        #expect(home.mode(of: "deep/er/file") == 0o600)
        // A file that others can read is replaced by one that they can't.
        #expect(chmod(path, 0o644) == 0)
        try PrivateFile.replace(path, with: [4])
        #expect(home.mode(of: "deep/er/file") == 0o600)
        #expect(try PrivateFile.read(path) == [4])
        #expect(home.names(in: "/deep/er") == ["file"])
    }

    @Test func aFullDiskLeavesTheOldContent() throws {
        try PrivateFile.createFolder(path.folder)
        try PrivateFile.replace(path, with: [1, 2, 3])
        // A link to the kernel's full device. Afterwards only the link is removed.
        let part = path + ".full"
        #expect(symlink("/dev/full", part) == 0)
        let problem = #expect(throws: Problem.self) {
            try PrivateFile.replace(path, with: [UInt8](repeating: 9, count: 100_000), part: part)
        }
        #expect(problem?.kind == .unwritable && problem?.sentence == "\(path): no space left on device")
        #expect(try PrivateFile.read(path) == [1, 2, 3])
        #expect(home.names(in: "/deep/er") == ["file"], "nothing is left of the new content")
    }

    @Test func aWriteThatFailsSaysWhy() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(!PrivateFile.writeAll([1], to: full) && errno == ENOSPC)
        #expect(PrivateFile.writeAll([], to: full), "writing no bytes needs no room")
        #expect(!PrivateFile.writeAll([1], to: -1) && errno == EBADF)
    }

    /// A process that was killed in the middle leaves a partial new file beside the old one.
    @Test(arguments: [0, 1, 4_999]) func aTornWriteIsNeverRead(_ written: Int) throws {
        try PrivateFile.createFolder(path.folder)
        let (old, new) = ([UInt8](repeating: 1, count: 3_000), [UInt8](repeating: 2, count: 5_000))
        try PrivateFile.replace(path, with: old)
        try PrivateFile.replace(path + ".part", with: Array(new.prefix(written)), part: path + ".half")
        #expect(try PrivateFile.read(path) == old)
        try PrivateFile.replace(path, with: new)
        #expect(try PrivateFile.read(path) == new)
        #expect(home.names(in: "/deep/er") == ["file"])
    }

    /// A reader that opens the file during a replacement finds either the old content or the new one, complete.
    @Test func aReaderFindsTheOldOrTheNewContent() async throws {
        try PrivateFile.createFolder(path.folder)
        let contents = [[UInt8](repeating: 1, count: 70_000), [UInt8](repeating: 2, count: 150_000)]
        try PrivateFile.replace(path, with: contents[0])
        let path = path
        try await withThrowingTaskGroup { group in
            group.addTask { for round in 0..<50 { try PrivateFile.replace(path, with: contents[round % 2]) } }
            group.addTask {
                for _ in 0..<200 {
                    let read = try PrivateFile.read(path)
                    #expect(contents.contains(read), "\(read.count) bytes")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func failuresNameTheirPath() throws {
        func problem(_ body: () throws -> Void) -> Problem? { #expect(throws: Problem.self) { try body() } }
        let missing = home.path + "/none/file"
        #expect(problem { try PrivateFile.replace(missing, with: []) }?.kind == .unwritable)
        #expect(
            problem { _ = try PrivateFile.read(missing) }
                == Problem(.missing, "\(missing): no such file or directory"))
        #expect(problem { _ = try PrivateFile.read(home.path) } == Problem(.missing, "\(home.path): is a directory"))
        #expect(problem { try PrivateFile.synchronize(missing) }?.kind == .unwritable)
        #expect(problem { try PrivateFile.anchor(missing) }?.kind == .unwritable)
        #expect(problem { try PrivateFile.move(missing, to: home.path + "/there") }?.kind == .unwritable)
        let file = try home.file([1])
        #expect(problem { try PrivateFile.createFolder(file) } == Problem(.occupied, "\(file): is not a folder"))
        #expect(problem { try PrivateFile.createFolder(file + "/in") }?.kind == .unwritable)
        // A folder has the file's name, so none of the new content remains.
        try PrivateFile.createFolder(home.path + "/taken/inside")
        #expect(problem { try PrivateFile.replace(home.path + "/taken", with: [1]) }?.kind == .unwritable)
        #expect(!home.names().contains("taken.part"))
    }

    @Test func digestsAndChunksAreThoseOfTheWholeFile() throws {
        let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try home.file(bytes)
        let (count, sha256) = try PrivateFile.digest(file)
        #expect(count == bytes.count && sha256 == SHA256.hexadecimal(of: bytes))
        #expect(try PrivateFile.read(file) == bytes)
        #expect(try PrivateFile.digest(home.file([])).sha256 == SHA256.hexadecimal(of: []))
        // The example of NIST.
        #expect(
            SHA256.hexadecimal(of: Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func aNamelessFileIsGoneWithItsDescriptor() throws {
        let file = NamelessFile.open(in: home.path)
        try #require(file >= 0)
        defer { close(file) }
        #expect(home.names() == [])
        let facts = try #require(FileFacts(of: file))
        #expect(facts.isFile && !facts.isShared && facts.byteCount == 0)
        #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
        #expect(NamelessFile.open(in: home.path + "/none") == -1 && errno == ENOENT)
    }

    @Test func pathsAreTakenApartAndPutTogether() {
        #expect("/a/b".folder == "/a" && "/a".folder == "/" && "a".folder == ".")
        #expect("b".path(in: "/a") == "/a/b" && "/b".path(in: "/a") == "/b")
    }
}
