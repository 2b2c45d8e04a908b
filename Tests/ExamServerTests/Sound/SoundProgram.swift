import ExamServer
import Foundation
import Glibc

@testable import ExamNode

/// The server's program as a worker, and recordings that take it long.
enum SoundProgram {
    /// Beside this very test's program.
    static let command = [
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "oracy-server").path,
        SoundWorker.argument,
    ]

    /// Writes two hours of silence, less a minute, as WAV with a hole that takes no room on the disk. Returns its path.
    static func silence(in folder: String, seconds: Int = 7_140) throws -> String {
        let path = "\(folder)/\(UUID().uuidString).wav"
        let byteCount = UInt32(seconds * 32_000)
        var head = Array("RIFF".utf8) + bytes(byteCount + 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
        head += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(16_000)) + bytes(UInt32(32_000))
        head += bytes(UInt16(2)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(byteCount)
        try Data(head).write(to: URL(filePath: path))
        guard truncate(path, off_t(head.count + Int(byteCount))) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
