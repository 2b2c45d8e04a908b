import Foundation
import Glibc

/// Kills a program at one system call after another, or makes these calls fail (Debian's `strace` 6.1).
public enum Strace {
    public static let program: String? = ["/usr/bin/strace", "/usr/local/bin/strace"].first { (path: String) in
        access(path, X_OK) == 0
    }

    /// The reason why no call can be made to fail here, in one plain sentence; nil if it can.
    public static let obstacle: String? = {
        guard let program else { return "strace is not installed: apt-get install strace" }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-o", "/dev/null", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "strace cannot be started" }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : "strace may not look into other processes here"
    }()
}
