import Foundation
import Glibc
import LoopbackServers
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import AddOns

/// Whole installations of small packages. If any step fails, nothing is installed.
@Suite struct AddOnInstallerTests {
    private let home: TemporaryFolder
    private let folder: String

    init() throws {
        home = try TemporaryFolder()
        folder = home.path + "/words"
    }

    private static let package = MadePackage.archive([
        .init("x/lib.so", Array("library".utf8)), .init("x/unused", [1, 2, 3]),
    ])
    private static let whole = MadePackage.archive([
        .init("g/__init__.py", Array("pass".utf8)), .init("g/deep/data", [9]),
    ])
    private static let model = Array("model".utf8)

    private static let contents = ["lib": package, "grammar": whole, "model": model]

    private static let files: [String: AddOnFile] = {
        var files = contents.mapValues {
            AddOnFile(name: "", byteCount: $0.count, sha256: SHA256.hexadecimal(of: $0), licence: "MIT")
        }
        for id in files.keys { files[id]?.name = id + ".whl" }
        files["model"]?.name = "m.bin"
        let library = Array("library".utf8)
        files["lib"]?.members = [
            "x/lib.so": .init(
                to: "library/lib.so", byteCount: library.count, sha256: SHA256.hexadecimal(of: library))
        ]
        files["grammar"]?.folder = "grammar"
        return files
    }()

    private static let parts = [
        AddOnPart("library", [.init(["lib"], .unpack)]), AddOnPart("model", [.init(["model"], .copy)]),
    ]
    private static let grammar = AddOnPart("grammar", [.init(["grammar"], .unpack)])

    /// A source that fails after it has supplied a number of files.
    private final class Source: AddOnSource {
        let contents: [String: [UInt8]]
        let most: Int
        let given = Count()
        var name: String { "the test" }

        init(_ contents: [String: [UInt8]] = AddOnInstallerTests.contents, most: Int = .max) {
            self.contents = contents
            self.most = most
        }

        func fetch(
            _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
        ) async throws(Problem) {
            guard given.value < most,
                let content = contents.values.first(where: { SHA256.hexadecimal(of: $0) == file.sha256 })
            else { throw Problem(.unavailable, "no \(file.name)") }
            given.add()
            try PrivateFile.replace(path, with: content)
        }
    }

    private func installer(
        _ parts: [AddOnPart] = parts, from source: some AddOnSource = Source(),
        attempt: @escaping @Sendable (String, Installation) async throws(Problem) -> Void = { _, _ in }
    ) -> AddOnInstaller {
        AddOnInstaller(
            AddOnInstall(parts, workBytes: 0, files: Self.files), in: folder, from: source, files: Self.files,
            features: [], attempt: attempt)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }

    @Test func everythingIsInItsPlace() async throws {
        let list = try await installer(Self.parts + [Self.grammar]).run()
        #expect(try text("library/lib.so") == "library")
        #expect(try text("model/m.bin") == "model")
        #expect(try text("grammar/g/__init__.py") == "pass")
        #expect(home.names() == ["words", "words.lock"])
        #expect(home.names(in: "/words") == ["grammar", "installed.json", "library", "model", "words.lock"])
        #expect(Installation.find(in: folder) == list)
        #expect(list.damage(in: folder) == nil)
        #expect(list.parts[0].origins == [.init(title: "lib.whl", licence: "MIT", sha256: Self.files["lib"]!.sha256)])
    }

    @Test func afterAFailureOnlyTheRestIsFetched() async throws {
        let first = Source(most: 1)
        await #expect(throws: Problem(.unavailable, "no m.bin")) { try await installer(from: first).run() }
        #expect(Installation.find(in: folder) == nil)
        #expect(home.names(in: "/words.downloads") == ["lib.whl"])
        let second = Source()
        _ = try await installer(from: second).run()
        #expect(second.given.value == 1)
        #expect(home.names() == ["words", "words.lock"])
    }

    @Test func aDownloadThatWasDamagedIsFetchedAgain() async throws {
        try FileManager.default.createDirectory(atPath: folder + ".downloads", withIntermediateDirectories: true)
        try Data([UInt8](repeating: 0, count: Self.package.count)).write(
            to: URL(filePath: folder + ".downloads/lib.whl"))
        let source = Source()
        _ = try await installer(from: source).run()
        #expect(source.given.value == 2)
    }

    @Test func aTrialThatFailsLeavesTheOldInstallation() async throws {
        let old = try await installer().run()
        let failing = installer(Self.parts + [Self.grammar]) { (_, _) throws(Problem) in
            throw Problem(.unavailable, "it heard nothing")
        }
        await #expect(throws: Problem(.unavailable, "it heard nothing")) { try await failing.run() }
        #expect(Installation.find(in: folder) == old)
        #expect(old.damage(in: folder) == nil)
    }

    @Test func theTrialGetsTheWholeNewFolder() async throws {
        let seen = Mutex<[String]>([])
        _ = try await installer { (folder, list) in
            let found = Installation.find(in: folder)
            seen.withLock { $0 = [found == list ? "whole" : "not whole"] }
        }.run()
        #expect(seen.withLock { $0 } == ["whole"])
    }

    @Test func partsThatAreThereAreKept() async throws {
        _ = try await installer().run()
        let source = Source()
        let list = try await installer(Self.parts + [Self.grammar], from: source).run()
        #expect(source.given.value == 1)
        #expect(list.parts.map(\.name) == ["library", "model", "grammar"])
        #expect(list.damage(in: folder) == nil)
    }

    @Test func aDamagedInstallationIsMadeAnew() async throws {
        _ = try await installer().run()
        try Data("lodem".utf8).write(to: URL(filePath: folder + "/model/m.bin"))
        let source = Source()
        let list = try await installer(from: source).run()
        #expect(source.given.value == 2)
        #expect(list.damage(in: folder) == nil)
    }

    @Test func aFileThatIsNotWhatTheListSaysIsRefused() async throws {
        var files = Self.files
        files["lib"]?.members?["x/lib.so"]?.sha256 = String(repeating: "0", count: 64)
        let installer = AddOnInstaller(
            AddOnInstall(Self.parts, workBytes: 0, files: files), in: folder, from: Source(), files: files,
            features: [], attempt: { _, _ in })
        await #expect(throws: Problem(.unavailable, "lib.whl: x/lib.so is missing or damaged")) {
            try await installer.run()
        }
        #expect(Installation.find(in: folder) == nil)
    }

    /// The process was killed between the two renames.
    @Test func anInstallationThatWasMovedAwayComesBack() async throws {
        let list = try await installer().run()
        rename(folder, folder + ".old")
        #expect(Installation.find(in: folder) == nil)
        AddOnInstaller.recover(folder)
        #expect(Installation.find(in: folder) == list)
    }

    @Test func anUnfinishedNewFolderIsNotUsed() async throws {
        try FileManager.default.createDirectory(atPath: folder + ".new/model", withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: folder + ".new/model/left over"))
        _ = try await installer().run()
        #expect(home.names(in: "/words/model") == ["m.bin"])
    }

    @Test func aSecondInstallationAtOnceIsRefused() async throws {
        let folder = folder
        let result = Mutex<Problem?>(nil)
        _ = try await installer { (_, _) in
            let second = AddOnInstaller(
                AddOnInstall(Self.parts, workBytes: 0, files: Self.files), in: folder, from: Source(),
                files: Self.files, features: [], attempt: { _, _ in })
            do throws(Problem) { _ = try await second.run() } catch { result.withLock { $0 = error } }
        }.run()
        #expect(result.withLock { $0 }?.kind == .occupied)
    }

    @Test func removingLeavesNothing() async throws {
        _ = try await installer().run()
        try FileManager.default.createDirectory(atPath: folder + ".downloads", withIntermediateDirectories: true)
        #expect(try AddOnInstaller.remove(folder))
        #expect(home.names().isEmpty)
        #expect(try !AddOnInstaller.remove(folder))
    }

    @Test func anInstallationInUseIsNotRemoved() async throws {
        let list = try await installer().run()
        let file = open(folder + "/words.lock", O_RDONLY)
        #expect(flock(file, LOCK_SH) == 0)
        #expect(throws: Problem.self) { try AddOnInstaller.remove(folder) }
        #expect(Installation.find(in: folder) == list)
        close(file)
        #expect(try AddOnInstaller.remove(folder))
    }
}
