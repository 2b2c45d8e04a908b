import Foundation
import Glibc
import SystemSupport
import Testing

/// The end of locks on files.
@Suite struct FileLockTests {
    /// A program that another thread is starting has copies of all descriptors for a moment.
    @Test func aLockEndsAlthoughACopyOfItsDescriptorIsOpen() throws {
        let path = NSTemporaryDirectory() + "oracy-lock-\(UUID().uuidString)"
        defer { unlink(path) }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        let copy = dup(file)
        let next = open(path, O_RDWR | O_CLOEXEC)
        defer {
            close(copy)
            close(next)
        }
        #expect(flock(next, LOCK_EX | LOCK_NB) != 0)
        FileLock.end(file)
        #expect(flock(next, LOCK_EX | LOCK_NB) == 0)
    }
}
