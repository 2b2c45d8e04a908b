import Foundation
import Glibc
import SystemSupport
import Testing

@Suite struct SpawnedProgramTests {
    /// A program that outlives a connection would keep it open, and could read it.
    @Test func aProgramGetsNoOtherDescriptor() throws {
        let (kept, pipe) = (open("/dev/null", O_RDONLY), Pipe())
        try #require(kept > STDERR_FILENO)
        defer { close(kept) }
        // The program's own number 3 is the folder that it reads.
        let child = try #require(
            SpawnedProgram.start(
                ["/bin/ls", "/proc/self/fd"], input: kept, output: pipe.fileHandleForWriting.fileDescriptor,
                environment: []))
        try pipe.fileHandleForWriting.close()
        let listed = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(SpawnedProgram.wait(for: child) == 0)
        #expect(String(decoding: listed, as: UTF8.self).split(separator: "\n") == ["0", "1", "2", "3"])
    }
}
