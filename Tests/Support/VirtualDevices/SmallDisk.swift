import Foundation
import Glibc

/// A small file system in memory that is unmounted when this object is released, for tests of a full or missing disk.
public final class SmallDisk: Sendable {
    public let path: String

    /// The reason why none can be made here, in one plain sentence; nil if this user may mount one.
    public static let obstacle =
        (try? SmallDisk(kibibytes: 16)) == nil ? "a small disk cannot be made: this user may not mount a tmpfs" : nil

    /// - Throws: `Failure` if this user may not mount one.
    public init(kibibytes: Int) throws {
        path = "/tmp/oracy-disk-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount(kibibytes: kibibytes) else {
            try? FileManager.default.removeItem(atPath: path)
            throw Failure()
        }
    }

    public struct Failure: Error {}

    deinit {
        // Programs that still have a file open on it keep it until then.
        _ = Self.run("umount", "-l", path)
        rmdir(path)
    }

    /// Mounts an empty disk in its place.
    @discardableResult public func mount(kibibytes: Int) -> Bool {
        Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path)
    }

    @discardableResult public func unplug() -> Bool { Self.run("umount", path) }

    /// Makes the disk read-only.
    public func becomesReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", path) }

    public func becomesWritable(kibibytes: Int) -> Bool {
        Self.run("mount", "-o", "remount,rw,size=\(kibibytes)k", path)
    }

    /// Fills the disk until a number of bytes is left, in whole pages.
    public func fill(leaving left: Int) {
        var disk = statvfs()
        statvfs(path, &disk)
        let free = Int(disk.f_bavail) * Int(disk.f_frsize)
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if free > left { posix_fallocate(file, 0, off_t(free - left)) }
        close(file)
    }

    public func clear() { unlink(path + "/ballast") }

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
