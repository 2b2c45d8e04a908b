import Glibc

/// The state of some files. If two states are equal, the files have not changed in between.
package struct FileState: Codable, Equatable, Sendable {
    /// The inode, the size and the times of the last change of each file: of its content (a program may set that one)
    /// and of anything. A missing file has only zeros.
    private let numbers: [Int]

    package init(of paths: String...) {
        numbers = paths.flatMap { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return [0, 0, 0, 0, 0, 0] }
            return [
                Int(bitPattern: UInt(status.st_ino)), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    package init(from decoder: any Decoder) throws {
        numbers = try decoder.singleValueContainer().decode([Int].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers)
    }
}
