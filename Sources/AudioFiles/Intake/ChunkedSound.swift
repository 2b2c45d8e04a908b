/// The sound in a file that is made of chunks (WAV and its relatives, AIFF, AU, CAF), by its own numbers: how long its header says
/// that it is, and how long it is.
///
/// If the two differ, libsndfile gets a header with the right length.
struct ChunkedSound {
    /// The sound to open: the file itself, or with a corrected header.
    let bytes: SoundBytes
    /// The faults that the numbers show.
    let warnings: [RecordingWarning]
    /// MPEG audio that lies in a WAV file as in a box; nil if it holds any other sound.
    let mpeg: SoundBytes?

    /// A header of more bytes than this is left as it is.
    private static let largestHeader = 1 << 20
    /// Bytes beyond the header's end are sound only if they last so long; less is a tag or a filled-up block.
    private static let shortestRest = 0.1

    /// - Parameter file: in one of these containers; others are left as they are.
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
