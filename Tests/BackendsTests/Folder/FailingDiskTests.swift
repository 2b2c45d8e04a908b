import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing
import UploadQueue
import VirtualDevices

@testable import Backends

/// Destinations on disks that are full, read-only or gone. They are real disks, which only root can mount.
@Suite struct FailingDiskTests {
    private let sample: SampleSession

    init() throws { sample = try SampleSession(seed: 2) }

    /// The disk fills up at a different place of the delivery each time, including the end of the recording.
    @Test(.needs(SmallDisk.obstacle)) func aFullDiskSaysSoAndKeepsNothingHalf() async throws {
        let answer = try sample.answer(byteCount: 300_000)
        var full = 0
        for kibibytes in stride(from: 4, through: 320, by: 12) {
            let disk = try SmallDisk(kibibytes: kibibytes)
            guard (try? FolderUploader.setUp(disk.path)) != nil else { continue }
            let uploader = FolderUploader(waitingFor: disk.path)
            guard let failed = await failure(of: uploader, answer) else { continue }
            full += 1
            #expect(failed.kind == .transient)
            #expect(failed.code == "errno \(ENOSPC)")
            #expect(failed.message.contains("no space left on device"))
            #expect(try parts(below: disk.path).isEmpty)
            #expect(disk.becomesWritable(kibibytes: 2048))
            #expect(await failure(of: uploader, answer) == nil, "the delivery succeeds once the disk has room")
            #expect(try Data(contentsOf: URL(filePath: "\(disk.path)/\(recording(of: answer))")).count == 300_000)
        }
        print("Folder: \(full) disks that were full at another place each")
        #expect(full >= 20)
    }

    @Test(.needs(SmallDisk.obstacle)) func aReadOnlyDiskIsTriedAgain() async throws {
        let disk = try SmallDisk(kibibytes: 1024)
        try FolderUploader.setUp(disk.path)
        let uploader = FolderUploader(waitingFor: disk.path)
        let answer = try sample.answer()
        try #require(disk.becomesReadOnly())
        let failed = await failure(of: uploader, answer)
        #expect(failed?.kind == .transient)
        #expect(failed?.message.contains("read-only file system") == true)
        try #require(disk.becomesWritable(kibibytes: 1024))
        #expect(await failure(of: uploader, answer) == nil)
    }

    @Test(.needs(SmallDisk.obstacle)) func anUnpluggedDiskIsWaitedForWithoutWriting() async throws {
        let disk = try SmallDisk(kibibytes: 1024)
        try FolderUploader.setUp(disk.path)
        let uploader = FolderUploader(waitingFor: disk.path)
        try #require(disk.unplug())
        let failed = await failure(of: uploader, try sample.answer())
        #expect(failed?.kind == .unreachable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
        #expect(disk.mount(kibibytes: 1024))
        try FolderUploader.setUp(disk.path)
        // Another disk than at the beginning of the session. Its missing files are delivered too.
        #expect(await failure(of: uploader, try sample.answer()) == nil)
        #expect(access("\(disk.path)/\(sample.facts.id.name)/session.json", F_OK) == 0)
    }

    /// Root may write anywhere, so this test puts a file in the place of a folder.
    @Test func anObstacleIsNotAReasonToGiveUp() async throws {
        let destination = sample.folder + "/destination"
        try FolderUploader.setUp(destination)
        let way = "\(destination)/\(sample.facts.id.name)"
        try Data().write(to: URL(filePath: way))
        let failed = await failure(of: FolderUploader(waitingFor: destination), sample.session)
        #expect(failed?.kind == .transient)
        #expect(failed?.message.contains("not a directory") == true)
        try FileManager.default.removeItem(atPath: way)
        #expect(await failure(of: FolderUploader(waitingFor: destination), sample.session) == nil)
    }

    private func recording(of upload: Upload) -> String {
        "\(upload.session.id.name)/responses/\(upload.session.id.name)_part1_q1.opus"
    }

    private func parts(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".part") }
    }
}
