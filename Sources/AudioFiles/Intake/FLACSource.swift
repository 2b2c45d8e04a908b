/// A FLAC file, decoded by libsndfile up to the first damage. From the next frame on libsndfile gets the rest as a
/// separate stream, and so on after each further damage.
final class FLACSource: SampleSource {
    let sampleRate: Int
    let channelCount: Int
    let frameCount: Int
    private(set) var warnings: [RecordingWarning] = []
    private let bytes: SoundBytes
    private let frames: FLACFrames
    private var piece: LibrarySource
    /// The number of samples in each channel so far, including missing ones.
    private var position = 0
    /// The offset from which to look for the next frame.
    private var place = 0

    /// Creates a source.
    ///
    /// - Parameter whole: the same file, opened.
    /// - Returns: nil if the frames cannot be distinguished. Then only the library can read the file.
    init?(_ bytes: SoundBytes, _ whole: LibrarySource) {
        guard let frames = FLACFrames(bytes), frames.sampleRate == whole.sampleRate else { return nil }
        self.bytes = bytes
        self.frames = frames
        piece = whole
        sampleRate = whole.sampleRate
        channelCount = whole.channelCount
        let promised = frames.sampleCount
        let there = promised > 0 ? frames.samplesThere ?? promised : promised
        frameCount = min(promised, there)
        if there < promised {
            warnings.append(.endsEarly(seconds: Double(promised - there) / Double(sampleRate)))
        }
    }

    func read(_ wanted: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        var filled = 0
        while filled < wanted {
            let count = try piece.read(wanted - filled, into: samples + filled * channelCount)
            filled += count
            position += count
            if filled == wanted || position >= frameCount { break }
            guard let next = frames.next(from: place, after: position), next.start < frameCount,
                let rest = try? LibrarySource(bytes.piece(next.place..<bytes.part.count, after: frames.preface)),
                rest.channelCount == channelCount
            else { break }
            let second = Double(position) / Double(sampleRate)
            warnings.append(
                .damaged(at: second, byteCount: nil, seconds: Double(next.start - position) / Double(sampleRate)))
            piece = rest
            position = next.start
            place = next.place + 1
        }
        return filled
    }
}
