import Foundation

/// A file system of so many KiB, unmounted when the test is over.
final class SmallDisk {
    let path: String

    /// nil where this user may not mount one.
    init?(kibibytes: Int) {
        path = "/tmp/oracy-disk-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount(kibibytes: kibibytes) else {
            try? FileManager.default.removeItem(atPath: path)
            print("SKIPPED: a disk cannot be made, this user may not mount a tmpfs")
            return nil
        }
    }

    deinit {
        unplug()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// An empty disk takes the place of what was there.
    @discardableResult func mount(kibibytes: Int) -> Bool {
        Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path)
    }

    @discardableResult func unplug() -> Bool { Self.run("umount", path) }

    func becomesReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", path) }

    func becomesWritable(kibibytes: Int) -> Bool {
        Self.run("mount", "-o", "remount,rw,size=\(kibibytes)k", path)
    }

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
