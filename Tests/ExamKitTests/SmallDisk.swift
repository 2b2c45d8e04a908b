import Foundation

/// A file system of so many KiB, unmounted when the test is over.
final class SmallDisk {
    let path: String

    /// nil where this user may not mount one.
    init?(kibibytes: Int) {
        path = "/tmp/oracy-disk-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path) else {
            try? FileManager.default.removeItem(atPath: path)
            print("SKIPPED: a disk cannot be made, this user may not mount a tmpfs")
            return nil
        }
    }

    deinit {
        _ = Self.run("umount", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// From here on nothing can be changed on it.
    func becomesReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", path) }

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
