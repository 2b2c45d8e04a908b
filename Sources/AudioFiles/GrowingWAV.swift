import Glibc
import SystemSupport

/// A WAV file that is complete at every moment: 16-bit mono at 16 kHz, for sound that must not be lost while it is
/// being recorded.
///
/// Each `append` writes the samples and then the header with their count. After a crash, or for another reader, the
/// file is playable and its header is right. libsndfile can do the same with four more system calls each time, which
/// took a sixth of a replay's time. Use it on one thread at a time. The file is closed with the last reference.
public final class GrowingWAV {
    /// The path given to the initializer.
    public let path: String
    /// The number of samples on disk.
    public private(set) var sampleCount = 0
    private let file: Int32

    /// Creates the file, readable and writable by its owner only, and replaces one that exists.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public init(path: String) throws(SoundFileError) {
        self.path = path
        file = try createPrivateFile(path)
        do throws(SoundFileError) {
            try writeHeader()
        } catch {
            close(file)
            throw error
        }
    }

    /// Continues a file that a killed process left, or creates it. Every whole sample counts, even if the header
    /// doesn't count it yet.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public init(continuing path: String) throws(SoundFileError) {
        self.path = path
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
        var status = stat()
        do throws(SoundFileError) {
            guard fstat(file, &status) == 0 else { throw unwritable() }
            sampleCount = Self.sampleCount(ofSize: Int(status.st_size))
            try writeHeader()
        } catch {
            close(file)
            throw error
        }
    }

    deinit {
        close(file)
    }

    /// Returns the number of whole samples in a file of this many bytes, regardless of its header.
    public static func sampleCount(ofSize byteCount: Int) -> Int { max(0, (byteCount - WAVHeader.size) / 2) }

    /// Appends samples, full scale ±1. Values beyond are clipped.
    ///
    /// - Throws: `SoundFileError.unwritable` if not all of them were written. The samples that were written count.
    public func append(_ samples: [Float]) throws(SoundFileError) {
        let written = withUnsafeTemporaryAllocation(of: Int16.self, capacity: samples.count) { pcm in
            samples.withUnsafeBufferPointer { roundToPCM16($0, pcm) }
            return write(UnsafeRawBufferPointer(pcm), at: WAVHeader.size + 2 * sampleCount)
        }
        sampleCount += written / 2
        if written < 2 * samples.count {
            let error = unwritable()
            try? writeHeader()
            throw error
        }
        try writeHeader()
    }

    /// Waits until everything appended is on the disk.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public func synchronize() throws(SoundFileError) {
        guard fsync(file) == 0 else { throw unwritable() }
    }

    /// Writes at a position rather than at the end, so that the next write replaces half a sample left by a full disk.
    ///
    /// - Returns: the number of bytes written, which is smaller than given after a failure.
    private func write(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        var offset = 0
        while offset < bytes.count {
            let count = pwrite(file, bytes.baseAddress! + offset, bytes.count - offset, off_t(start + offset))
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            offset += count
        }
        return offset
    }

    private func writeHeader() throws(SoundFileError) {
        let written = withUnsafeTemporaryAllocation(byteCount: WAVHeader.size, alignment: 4) { header in
            WAVHeader.put(sampleCount: sampleCount, into: header)
            return pwrite(file, header.baseAddress, WAVHeader.size, 0)
        }
        guard written == WAVHeader.size else { throw unwritable() }
    }

    private func unwritable() -> SoundFileError {
        SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno))
    }
}

/// Creates a file that only its owner can read: recordings are personal data.
func createPrivateFile(_ path: String) throws(SoundFileError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
    // The mode above applies only to new files. A replaced file must become private, too. A device keeps its mode.
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG || fchmod(file, 0o600) == 0 else {
        let reason = systemWords(errno)
        close(file)
        throw SoundFileError(kind: .unwritable, path: path, reason: reason)
    }
    return file
}
