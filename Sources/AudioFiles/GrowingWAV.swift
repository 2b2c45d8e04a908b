import Glibc
import SystemSupport

/// A WAV file that is whole at every moment: 16-bit mono at 16 kHz, for what must not be lost while it is being recorded.
///
/// Each `append` writes the samples and then the header that counts them; so a reader, or a crash, finds a playable file that
/// promises what it has. libsndfile can do the same, with four more system calls each time, which was a sixth of a replay's
/// cost. One thread at a time; the file is closed with the last reference.
public final class GrowingWAV {
    /// As it was given.
    public let path: String
    /// Samples on disk.
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

    /// Goes on with a file that a killed process left, or creates it: every whole sample in it counts, also those that
    /// its header does not yet.
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

    /// How many whole samples a file of so many bytes has, whatever its header says.
    public static func sampleCount(ofSize byteCount: Int) -> Int { max(0, (byteCount - WAVHeader.size) / 2) }

    /// Appends samples, full scale ±1; what is beyond is clipped.
    ///
    /// - Throws: `SoundFileError.unwritable` where not all of them were written; those that were count.
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

    /// Waits until the disk has everything that was appended.
    ///
    /// - Throws: `SoundFileError.unwritable`.
    public func synchronize() throws(SoundFileError) {
        guard fsync(file) == 0 else { throw unwritable() }
    }

    /// At a place, not at the end: half a sample that a full disk left there is written over by the next one.
    ///
    /// - Returns: the bytes written; fewer than given where that failed.
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

/// A file that only its owner may read: recordings are personal data.
func createPrivateFile(_ path: String) throws(SoundFileError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SoundFileError(kind: .unwritable, path: path, reason: systemWords(errno)) }
    // The mode above counts for a new file only; one that is replaced must become private too. A device stays as it is.
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG || fchmod(file, 0o600) == 0 else {
        let reason = systemWords(errno)
        close(file)
        throw SoundFileError(kind: .unwritable, path: path, reason: reason)
    }
    return file
}
