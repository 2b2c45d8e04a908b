import Foundation
import Glibc
import Synchronization
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// The delivery of a session into a folder on a real disk.
@Suite struct FolderUploaderTests {
    private let sample: SampleSession
    private let destination: String
    private let uploader: FolderUploader

    init() throws {
        sample = try SampleSession()
        destination = sample.folder + "/destination"
        try FolderUploader.setUp(destination)
        uploader = FolderUploader(waitingFor: destination)
    }

    @Test func aSessionLiesThereAsATree() async throws {
        for upload in try uploads { try await uploader.deliver(upload, with: Courier()) }
        #expect(try tree() == golden)
        #expect(try text("session.json") == Self.sessionJSON)
        #expect(try text("responses/\(id)_part1_q1.json") == Self.answerJSON)
        #expect(try text("complete.json") == Self.completeJSON)
    }

    @Test func onlyTheOwnerMayReadTheSession() async throws {
        for upload in try uploads { try await uploader.deliver(upload, with: Courier()) }
        let everything = try everything()
        #expect(everything.count > 3)
        for (path, isFolder) in everything {
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }

    @Test func deliveringTwiceChangesNothing() async throws {
        for upload in try uploads { try await uploader.deliver(upload, with: Courier()) }
        let before = try identities()
        for upload in try uploads.reversed() { try await uploader.deliver(upload, with: Courier()) }
        #expect(try identities() == before, "a file was written again though it was right")
    }

    @Test func aNewCountOfAnswersReplacesTheOldOne() async throws {
        try await uploader.deliver(sample.completion, with: Courier())
        var later = sample.completion
        later.content = .completion(
            CompletionFacts(completedAt: "2026-03-14T09:44:10Z", outcome: "completed", answers: 2, delivered: 1))
        try await uploader.deliver(later, with: Courier())
        #expect(try text("complete.json").contains("\"delivered\" : 1"))
    }

    /// The next delivery completes any state that a killed delivery can leave, from nothing to everything.
    @Test func leftoversOfAKilledDeliveryAreRepaired() async throws {
        let answer = try sample.answer(part: 1, order: 1)
        try await uploader.deliver(answer, with: Courier())
        let done = try tree()
        let steps = [
            "", "session.json.part", "session.json", "responses/", "responses/\(id)_part1_q1.opus.part",
            "responses/\(id)_part1_q1.opus", "responses/\(id)_part1_q1.json.part", "responses/\(id)_part1_q1.json",
        ]
        var count = 0
        for (index, step) in steps.enumerated() {
            for share in step.hasSuffix(".part") ? [0.0, 0.5, 1.0] : [1.0] {
                let folder = "\(sample.folder)/killed-\(count)"
                try FolderUploader.setUp(folder)
                for whole in steps[1..<max(1, index)] where !whole.hasSuffix(".part") { try copy(whole, 1, to: folder) }
                if !step.isEmpty { try copy(step, share, to: folder) }
                try await FolderUploader(waitingFor: folder).deliver(answer, with: Courier())
                #expect(try tree(folder) == done, "the earlier delivery was killed with a share of \(share) of \(step)")
                count += 1
            }
        }
        print("Folder: \(count) states of a killed delivery mended")
        #expect(count == 14)
    }

    @Test func anAlteredFileAtTheDestinationIsNoticedAndReplaced() async throws {
        let answer = try sample.answer()
        try await uploader.deliver(answer, with: Courier())
        let whole = try tree()
        let path = "\(destination)/\(id)/responses/\(id)_part1_q1.opus"
        for damage in ["a bit", "the end", "all", "a link"] {
            var bytes = try Data(contentsOf: URL(filePath: path))
            switch damage {
            case "a bit": bytes[100_000] ^= 1
            case "the end": bytes.removeLast()
            case "all": bytes = Data()
            default:
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: answer.file!.path)
            }
            if damage != "a link" { try bytes.write(to: URL(filePath: path)) }
            try await uploader.deliver(answer, with: Courier())
            #expect(try tree() == whole, "\(damage)")
        }
    }

    @Test func aChangedRecordingIsNotDelivered() async throws {
        let answer = try sample.answer()
        let path = answer.file!.path
        let whole = try Data(contentsOf: URL(filePath: path))
        for damage in [whole.dropLast(), whole + [0], Data(whole.reversed())] {
            try damage.write(to: URL(filePath: path))
            #expect(await failure(of: uploader, answer)?.kind == .fileAltered)
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(await failure(of: uploader, answer)?.kind == .fileMissing)
        #expect(try tree().keys.sorted() == ["\(id)/session.json"], "a part of the failed answer was left")
    }

    @Test func aMissingDestinationIsNotCreated() async throws {
        let gone = sample.folder + "/unplugged/disk"
        #expect(await failure(of: FolderUploader(waitingFor: gone), sample.session)?.kind == .unreachable)
        #expect(access(gone, F_OK) != 0)
    }

    @Test func anEmptyMountPointIsNotTakenForItsDisk() async throws {
        let mountPoint = sample.folder + "/mnt"
        try FileManager.default.createDirectory(atPath: mountPoint, withIntermediateDirectories: true)
        let failed = await failure(of: FolderUploader(waitingFor: mountPoint), sample.session)
        #expect(failed?.kind == .unreachable)
        #expect(failed?.message.contains("is its disk mounted?") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: mountPoint).isEmpty)
    }

    /// Uploads to a folder that was not set up would wait forever without a reason.
    @Test func aFolderThatWasNotSetUpIsReported() throws {
        let folder = sample.folder + "/answers"
        let problem = #expect(throws: Problem.self) { try FolderUploader(folder: folder) }
        #expect(problem?.kind == .missing)
        #expect(problem?.sentence.contains("FolderUploader.setUp") == true)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(throws: Problem.self, "the folder may be the mount point of a missing disk") {
            try FolderUploader(folder: folder)
        }
        try FolderUploader.setUp(folder)
        #expect(try FolderUploader(folder: folder).place == folder)
    }

    @Test func aCancelledDeliveryStopsBetweenTwoPieces() async throws {
        let answer = try sample.answer(byteCount: 64 * 65_536)
        let task = Mutex<Task<DeliveryFailure?, Never>?>(nil)
        let counts = Mutex<[Int]>([])
        let courier = Courier(sent: { count in
            counts.withLock { $0.append(count) }
            // Cancels at the third piece. The task is known by then, or this waits for it.
            if count == 3 * 65_536 {
                while true { if let task = task.withLock({ $0 }) { return task.cancel() } }
            }
        })
        let uploader = uploader
        let delivery = Task { await failure(of: uploader, answer, with: courier) }
        task.withLock { $0 = delivery }
        #expect(await delivery.value?.kind == .cancelled)
        #expect(counts.withLock { $0 } == [65_536, 131_072, 196_608])
        #expect(try tree().keys.sorted() == ["\(id)/session.json"])
        try await uploader.deliver(answer, with: Courier())
        #expect(try tree().count == 3)
    }

    // MARK: Comparisons

    private var id: String { sample.facts.id.name }

    private var uploads: [Upload] {
        get throws {
            [
                sample.session, try sample.answer(part: 1, order: 1),
                try sample.answer(part: 2, order: 1, attempt: 2, suffix: "wav"), sample.completion,
            ]
        }
    }

    private var golden: [String: String] {
        get throws {
            [
                "\(id)/complete.json": SHA256.hexadecimal(of: Array(Self.completeJSON.utf8)),
                "\(id)/responses/\(id)_part1_q1.json": SHA256.hexadecimal(of: Array(Self.answerJSON.utf8)),
                "\(id)/responses/\(id)_part1_q1.opus": try sample.answer().file!.sha256,
                "\(id)/responses/\(id)_part2_q1_a2.json": try tree()["\(id)/responses/\(id)_part2_q1_a2.json"]
                    ?? "none",
                "\(id)/responses/\(id)_part2_q1_a2.wav":
                    try sample.answer(part: 2, order: 1, attempt: 2, suffix: "wav").file!.sha256,
                "\(id)/session.json": SHA256.hexadecimal(of: Array(Self.sessionJSON.utf8)),
            ]
        }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: "\(destination)/\(id)/\(name)"), encoding: .utf8)
    }

    /// Returns every file in a destination except its mark, with its SHA-256.
    private func tree(_ folder: String? = nil) throws -> [String: String] {
        var files: [String: String] = [:]
        for (path, isFolder) in try everything(folder) where !isFolder {
            var status = stat()
            let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            let bytes = try Data(contentsOf: URL(filePath: path))
            files[String(path.dropFirst((folder ?? destination).count + 1))] =
                isLink ? "a link" : SHA256.hexadecimal(of: Array(bytes))
        }
        return files
    }

    private func everything(_ folder: String? = nil) throws -> [(String, isFolder: Bool)] {
        let folder = folder ?? destination
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0 != FolderUploader.mark }.map { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                return ("\(folder)/\(path)", isFolder.boolValue)
            }
    }

    /// Returns the inode of each name. A file that is written again has another one.
    private func identities() throws -> [String: UInt64] {
        var identities: [String: UInt64] = [:]
        for (path, _) in try everything() {
            var status = stat()
            #expect(stat(path, &status) == 0)
            identities[path] = UInt64(status.st_ino)
        }
        return identities
    }

    /// Copies a fraction of a finished file to another destination, like an interrupted delivery.
    private func copy(_ name: String, _ share: Double, to folder: String) throws {
        let target = "\(folder)/\(id)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        if name.hasSuffix("/") {
            return try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        }
        let source = name.hasSuffix(".part") ? String(name.dropLast(5)) : name
        let bytes = try Data(contentsOf: URL(filePath: "\(destination)/\(id)/\(source)"))
        try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: target))
    }

    static let sessionJSON = """
        {
          "format" : "ielts",
          "id" : "6f1c1a44-5a3b-4b8b-9f63-000000000001",
          "name" : "2026-03-14 09.30",
          "paper" : "paper-1",
          "startedAt" : "2026-03-14T09:30:00Z"
        }

        """
    static let answerJSON = """
        {
          "attempt" : 1,
          "duration" : 12.5,
          "end" : "finished",
          "id" : "0c0ffee0-0000-4000-8000-000000000111",
          "order" : 1,
          "part" : 1,
          "question" : "p1-hometown-1",
          "recording" : {
            "byteCount" : 200000,
            "mediaType" : "audio/ogg",
            "path" : "responses/6f1c1a44-5a3b-4b8b-9f63-000000000001_part1_q1.opus",
            "sha256" : "835eb85e2d2a0fee050c08b24bcd55189523cbde0809a56289fa5531b3518152"
          },
          "session" : "6f1c1a44-5a3b-4b8b-9f63-000000000001",
          "speech" : 9.25
        }

        """
    static let completeJSON = """
        {
          "answers" : 2,
          "completedAt" : "2026-03-14T09:44:10Z",
          "delivered" : 2,
          "id" : "0c0ffee0-0000-4000-8000-000000000999",
          "outcome" : "completed",
          "session" : "6f1c1a44-5a3b-4b8b-9f63-000000000001"
        }

        """
}
