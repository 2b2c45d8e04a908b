import Foundation
import Glibc

/// A file system in memory of so many KiB, unmounted when it is let go of: what happens on a full disk, or without one.
public final class SmallDisk: Sendable {
    public let path: String

    /// Why none can be made here, in one plain sentence; nil where this user may mount one.
    public static let obstacle =
        (try? SmallDisk(kibibytes: 16)) == nil ? "a small disk cannot be made: this user may not mount a tmpfs" : nil

    /// - Throws: `Failure` where this user may not mount one.
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
        // Whoever still has a file open on it keeps it until then.
        _ = Self.run("umount", "-l", path)
        rmdir(path)
    }

    /// An empty disk takes the place of what was there.
    @discardableResult public func mount(kibibytes: Int) -> Bool {
        Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path)
    }

    @discardableResult public func unplug() -> Bool { Self.run("umount", path) }

    /// From here on nothing can be changed on it.
    public func becomesReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", path) }

    public func becomesWritable(kibibytes: Int) -> Bool {
        Self.run("mount", "-o", "remount,rw,size=\(kibibytes)k", path)
    }

    /// Fills it until so many bytes are left, in whole pages.
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
