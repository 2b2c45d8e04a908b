/// The sound in a file made of chunks (WAV and its relatives, AIFF, AU, CAF): its length by the header, and its actual
/// length.
///
/// If the two differ, libsndfile gets a header with the correct length.
struct ChunkedSound {
    /// The bytes to open: the file itself, or the file with a corrected header.
    let bytes: SoundBytes
    /// The faults found by comparing the numbers.
    let warnings: [RecordingWarning]
    /// MPEG audio wrapped in a WAV file. Nil for any other sound.
    let mpeg: SoundBytes?

    /// The largest header that is corrected, in bytes.
    private static let largestHeader = 1 << 20
    /// The seconds that bytes after the stated end must last to count as sound. Less is a tag or padding.
    private static let shortestRest = 0.1

    /// Compares the header with the file.
    ///
    /// - Parameter file: a file in one of these containers. Other files are left unchanged.
    init(_ file: SoundBytes, in container: RecordingContainer) {
        let size = file.part.count
        guard let header = ChunkHeader(file, container), header.soundStart < size else {
            (bytes, warnings, mpeg) = (file, [], nil)
            return
        }
        let there = size - header.soundStart
        mpeg =
            header.isMPEG
            ? file.piece(header.soundStart..<(header.soundStart + min(header.promised ?? there, there))) : nil
        let seconds = { (count: Int) in Double(count) / header.bytesPerSecond }
        var right: Int?
        switch header.promised {
        case nil: warnings = []
        case let promised? where promised > there:
            right = there
            warnings = [.endsEarly(seconds: seconds(promised - there))]
        case 0? where !header.chunksFollow(at: header.soundStart, in: file):
            right = there
            warnings = [.unfinished(seconds: seconds(there))]
        case let promised?
        where promised > 0 && seconds(there - promised) >= Self.shortestRest
            && !header.chunkMayBegin(at: header.soundStart + promised, in: file):
            right = there
            warnings = [.goesOn(seconds: seconds(there - promised))]
        default: warnings = []
        }
        guard let right, header.soundStart <= Self.largestHeader,
            let corrected = header.corrected(to: right, in: file)
        else {
            bytes = file
            return
        }
        bytes = file.piece(header.soundStart..<size, after: corrected)
    }
}
