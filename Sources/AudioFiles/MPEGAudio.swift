/// The MPEG audio (MP3, and its older layers) in a file, found by its frames: from the first to the last, without the tags of
/// other programs around them.
///
/// libsndfile's decoder gets nothing else: it would complain of anything else on standard error, where users would read it.
/// And a frame tells what is cut off, which libsndfile guesses from the size of the file, tags and all.
struct MPEGAudio {
    /// The frames' bytes in the file.
    private(set) var part: Range<Int>
    /// Of each channel.
    let sampleCount: Int
    /// What the decoder gets before it: a first frame that says how many there are (Xing), where there is none, or one that
    /// does not hold. The decoder would guess the length from the first frames, and stop there or wait for more.
    private(set) var preface: [UInt8] = []
    /// What is wrong with it; nil where nothing is.
    private(set) var fault: String?

    /// What stands before sound is not looked through any farther; nor is what stands between.
    private static let mostJunk = 65_536
    /// So many frames in a row are no accident: a header alone comes up in 64 kB of noise.
    private static let enough = 3

    /// Looks for frames where the sound begins: at the file's beginning, or after tags (ID3v2).
    init?(atBeginningOf bytes: SoundBytes) {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        guard frames.chain(at: start, Self.enough, orToTheEnd: true) else { return nil }
        self.init(&frames, from: start)
    }

    /// Looks for frames farther on, too.
    init?(somewhereIn bytes: SoundBytes) {
        var frames = MPEGFrames(bytes)
        guard let start = frames.find(from: 0, Self.mostJunk, Self.enough) else { return nil }
        self.init(&frames, from: start)
    }

    private init?(_ frames: inout MPEGFrames, from start: Int) {
        guard let first = frames.header(at: start) else { return nil }
        var (end, count) = (start, 0)
        while let header = frames.header(at: end), header.isLike(first), end + header.size <= frames.size {
            end += header.size
            count += 1
        }
        guard count > 0 else { return nil }
        part = start..<end
        let promise = frames.promise(in: first, at: start)
        if promise != nil { count -= 1 }
        sampleCount = count * first.sampleCount
        let seconds = { (count: Int) in
            (Double(count * first.sampleCount) / Double(first.sampleRate)).rounded(to: 3)
        }
        // Some programs count the frame that holds the number, too.
        if let promised = promise?.frames, promised > count + 1 {
            fault = "is cut off: it has \(seconds(count)) s of the \(seconds(promised)) s its header promises"
        } else if let header = frames.header(at: end), header.isLike(first) {
            fault = "is cut off: it ends in the middle of a frame, after \(seconds(count)) s"
        } else if frames.find(from: end, Self.mostJunk, Self.enough) != nil {
            fault = "is damaged after \(seconds(count)) s: what follows is no MPEG audio, but more comes after it"
        }
        // Where the promised bytes are one per cent off, the decoder says so aloud.
        let holds = promise?.frames != nil && abs((promise?.bytes ?? part.count) - part.count) < part.count / 110
        if !holds && first.layer == 3 {
            part = (promise == nil ? start : start + first.size)..<end
            preface = frames.promise(of: count, likeThatAt: start)
        }
        if count == 0 { fault = fault ?? "holds no sound: not one frame follows the first, which tells their number" }
    }

    /// Whether a file begins as MPEG audio does, so that libsndfile would take it for that.
    static func seemsToBegin(_ bytes: SoundBytes) -> Bool {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        return frames.byte(start) == 0xff && frames.byte(start + 1) & 0xe0 == 0xe0
    }
}
