import CSndFile
import Glibc
import SystemSupport

/// The bytes of a sound file for libraries: all of an open file, or the part that contains sound.
///
/// libsndfile never gets a file's name: the extension could make it open a letter as an MP3. The file is closed with
/// the last reference.
final class SoundBytes {
    /// The range of the sound in the file.
    private(set) var part: Range<Int>
    /// The bytes that a library gets before the part.
    private var preface: [UInt8] = []
    /// The reason why bytes could not be read. Nil while they can.
    private(set) var failure: String?
    private let opened: OpenedFile
    private var file: Int32 { opened.number }
    /// The position of the next byte for a library, counted from the preface's first byte.
    private var position = 0

    /// Creates the bytes of an open file.
    ///
    /// - Parameter file: the descriptor of an open file of `size` bytes. It belongs to this value from now on.
    init(file: Int32, size: Int) {
        opened = OpenedFile(number: file)
        part = 0..<size
    }

    private init(_ opened: OpenedFile, _ part: Range<Int>, after preface: [UInt8]) {
        self.opened = opened
        self.part = part
        self.preface = preface
    }

    /// Returns a piece of the part with a preface, which can be read independently of this value.
    ///
    /// - Parameter piece: counted from the part's first byte.
    func piece(_ piece: Range<Int>, after preface: [UInt8] = []) -> SoundBytes {
        let start = part.lowerBound
        return SoundBytes(opened, (start + piece.lowerBound)..<(start + piece.upperBound), after: preface)
    }

    /// Returns the bytes at an offset in the part. There are fewer at its end.
    func bytes(at start: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            filled = read(at: start, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Lets another process read the whole file.
    func withFile<Value, Failure: Error>(_ body: (Int32) throws(Failure) -> Value) throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try body(file)
    }

    /// Goes back to the first byte for a library that reads sequentially.
    func rewind() { position = 0 }

    /// Appends bytes.
    ///
    /// - Returns: whether all of them were written. If not, `errno` says why.
    func append(_ more: ArraySlice<UInt8>) -> Bool {
        var rest = more
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(part.upperBound)) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            part = part.lowerBound..<(part.upperBound + count)
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Fills `bytes` from an offset in the part on. Returns fewer at the end, or if reading fails.
    func read(at start: Int, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        let wanted = min(bytes.count, max(0, part.count - start))
        var offset = 0
        while offset < wanted {
            let place = off_t(part.lowerBound + start + offset)
            let count = pread(file, bytes.baseAddress! + offset, wanted - offset, place)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { failure = systemWords(errno) }
            if count <= 0 { break }
            offset += count
        }
        return offset
    }

    /// Opens the part, with its preface, as a sound file. Nil if libsndfile doesn't open it. `LibraryOpening` calls
    /// this.
    ///
    /// - Returns: a handle that must be closed before this value is released.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(SoundBytes.of($0).count) },
            seek: { offset, whence, user in SoundBytes.of(user).seek(Int(offset), whence) },
            read: { bytes, count, user in SoundBytes.of(user).readOn(bytes, Int(count)) },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(SoundBytes.of($0).position) })
        position = 0
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> SoundBytes {
        Unmanaged<SoundBytes>.fromOpaque(user!).takeUnretainedValue()
    }

    private var count: Int { preface.count + part.count }

    /// Moves the reading position.
    ///
    /// - Parameter offset: a number from a header, which may have any value.
    func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let start =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: count
            default: 0
            }
        let (sum, isOver) = start.addingReportingOverflow(offset)
        position = max(0, isOver ? count : sum)
        return sf_count_t(position)
    }

    /// Reads the next bytes.
    ///
    /// - Parameter wanted: also a number from a header: libsndfile passes on negative values.
    func readOn(_ bytes: UnsafeMutableRawPointer?, _ wanted: Int) -> sf_count_t {
        guard let bytes, wanted > 0 else { return 0 }
        let target = UnsafeMutableRawBufferPointer(start: bytes, count: wanted)
        let first = preface.dropFirst(position).prefix(wanted)
        target.copyBytes(from: first)
        let rest = UnsafeMutableRawBufferPointer(rebasing: target[first.count...])
        let count = first.count + read(at: max(0, position - preface.count), into: rest)
        position += count
        return sf_count_t(count)
    }
}

/// An open file that is closed when its last reader is released.
private final class OpenedFile {
    let number: Int32

    init(number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
