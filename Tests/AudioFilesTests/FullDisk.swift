import AudioFiles
import Foundation
import Testing

/// A full disk is noticed and named at any moment: at the header, at a block, or at the end.
@Suite struct FullDisk {
    @Test(.enabled(if: smallDisksCanBeMade, "only root may mount a small disk"), arguments: Recording.all)
    func aDiskThatIsFullFromTheBeginning(_ kind: Recording) throws {
        try onASmallDisk { disk in
            try #require(failure { try record(everySampleValue, to: disk.file("filler"), as: .growingWAV) } != nil)
            let error = try #require(failure { try record(sine(400, seconds: 3), to: disk.file("a"), as: kind) })
            #expect(error.kind == .unwritable)
            #expect(error.path == disk.file("a"))
        }
    }

    @Test(.enabled(if: smallDisksCanBeMade, "only root may mount a small disk"), arguments: Recording.all)
    func aDiskThatFillsUp(_ kind: Recording) throws {
        try onASmallDisk { disk in
            // 60 s of noise, which no encoder makes small.
            let sound = Array((0..<15).map { _ in everySampleValue }.joined())
            let error = try #require(failure { try record(sound, to: disk.file("a"), as: kind) })
            #expect(error.kind == .unwritable)
            #expect(error.path == disk.file("a"))
            #expect(error.reason.hasSuffix("o space left on device"))
        }
    }

    @Test(
        .enabled(if: smallDisksCanBeMade, "only root may mount a small disk"),
        arguments: [Recording.flac, .opus(bitRate: 32_000)]
    )
    func closingReportsADiskThatFilledUp(_ kind: Recording) throws {
        try onASmallDisk { disk in
            let writer = try kind.writer(to: disk.file("a"))
            let block = everySampleValue.prefix(320)
            let error = try #require(failure { for _ in 0..<3_000 { try writer.write(block) } })
            #expect(failure { try writer.close(durably: true) } == error)
        }
    }

    @Test(.enabled(if: smallDisksCanBeMade, "only root may mount a small disk"))
    func speechBeforeTheDiskFilledIsKept() throws {
        try onASmallDisk { disk in
            let sound = Array(everySampleValue.prefix(40_000))
            let file = try GrowingWAV(path: disk.file("a.wav"))
            #expect(throws: SoundFileError.self) {
                for start in stride(from: 0, to: sound.count, by: 320) {
                    try file.append(Array(sound[start..<(start + 320)]))
                }
            }
            // 64 KiB without the header, to the last sample.
            #expect(file.sampleCount == 32_746)
            #expect(try samples(ofFile: disk.file("a.wav")) == Array(sound.prefix(file.sampleCount)))
        }
    }
}

let smallDisksCanBeMade: Bool = geteuid() == 0 && (try? onASmallDisk { _ in }) != nil

/// Mounts 64 KiB of memory as a disk while the body runs.
func onASmallDisk(_ body: (URL) throws -> Void) throws {
    try inFolder { folder in
        guard mount("oracy-test", folder.path, "tmpfs", 0, "size=64k") == 0 else { throw POSIXError(.EPERM) }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        try body(folder)
    }
}
