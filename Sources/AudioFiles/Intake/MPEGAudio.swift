/// The MPEG audio (MP3, and its older layers) in a file, found by its frames: runs of them, without the tags of other programs
/// around and between.
///
/// Each run is decoded by itself, so that a decoder never meets anything but frames. What the first frame of a recording promises
/// (Xing) is compared with the frames that are there.
struct MPEGAudio {
    /// Frames that follow one another.
    struct Run {
        let part: Range<Int>
        /// Samples of each channel before the sound: what the encoder put there, and what a decoder lags behind.
        var skipped = 0
        /// Samples of each channel after those; nil: all.
        var sampleCount: Int?
    }

    /// In order.
    private(set) var runs: [Run] = []
    /// The missing sound that the frames tell of.
    private(set) var warnings: [RecordingWarning] = []

    /// Whether there is a frame with the number of frames, and no other.
    private(set) var promisesNothing = false

    /// The most bytes before the sound that are searched.
    private static let mostJunk = 65_536
    /// Damage in the middle may be longer: a megabyte is a minute.
    private static let mostDamage = 4 << 20
    /// So many frames in a row are no accident: a header alone comes up in 64 kB of noise.
    private static let enough = 3

    /// Frames that one encoder wrote: a run, or several with damage between them.
    private struct Recording {
        let first: MPEGFrames.Header
        /// The frames that it should have; nil if it does not say.
        let promise: Int?
        /// Whether its first frame is there to tell the number of the others, and has no sound.
        let hasNumber: Bool
        /// Samples that the encoder added; nil if it does not say.
        let added: (before: Int, after: Int)?
        /// The runs that it consists of, by their places in the list.
        var runs: [Int] = []
        var frameCount = 0
        var lastIsCut = false
        /// The warning about its last damage, by its place in the list.
        var damage: Int?

        func seconds(_ frames: Int) -> Double { Double(frames * first.sampleCount) / Double(first.sampleRate) }

        var missing: Int {
            let least = lastIsCut ? 1 : 0
            // Some programs count the frame that holds the number, too.
            guard let promise, promise > frameCount + 1 else { return least }
            return promise - frameCount
        }

        /// Samples that the encoder added are not missing.
        ///
        /// - Parameter lag: samples that the decoder lags behind.
        func missingSeconds(afterLag lag: Int) -> Double {
            guard let added, let promise, promise >= frameCount else { return seconds(missing) }
            let wanted = promise * first.sampleCount - added.before - added.after
            let there = frameCount * first.sampleCount - added.before - lag
            return Double(max(0, wanted - max(0, there))) / Double(first.sampleRate)
        }
    }

    /// Looks for frames where the sound begins: at the file's beginning, or after tags (ID3v2).
    init?(atBeginningOf bytes: SoundBytes) {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        guard frames.chain(at: start, Self.enough, orToTheEnd: true) else { return nil }
        read(&frames, from: start)
    }

    /// Looks for frames farther on, too.
    init?(somewhereIn bytes: SoundBytes) {
        var frames = MPEGFrames(bytes)
        guard let start = frames.find(from: 0, Self.mostJunk, Self.enough) else { return nil }
        let sound = frames.afterTags(0)
        if start > sound { warnings.append(.damaged(at: 0, byteCount: start - sound, seconds: nil)) }
        read(&frames, from: start)
    }

    private mutating func read(_ frames: inout MPEGFrames, from start: Int) {
        var recordings: [Recording] = []
        var (runStart, place) = (start, start)
        var continues = false
        while true {
            if let header = frames.header(at: place), recordings.isEmpty || header.isLike(recordings.last!.first) {
                guard place + header.size <= frames.size else {
                    if !recordings.isEmpty { recordings[recordings.count - 1].lastIsCut = true }
                    break
                }
                let promise = frames.promise(in: header, at: place)
                if promise != nil || recordings.isEmpty {
                    end(runStart..<place, of: &recordings)
                    // A frame that tells numbers holds no sound.
                    runStart = promise == nil ? place : place + header.size
                    recordings.append(
                        Recording(
                            first: header, promise: promise?.frames, hasNumber: promise != nil, added: promise?.added))
                }
                if promise == nil { recordings[recordings.count - 1].frameCount += 1 }
                place += header.size
                continue
            }
            guard !recordings.isEmpty, let next = frames.find(from: place, Self.mostDamage, Self.enough),
                let header = frames.header(at: next)
            else { break }
            continues = !frames.isTag(at: place) && header.isLike(recordings.last!.first)
            end(runStart..<place, of: &recordings)
            if continues {
                let seconds = recordings.reduce(0) { $0 + $1.seconds($1.frameCount) }
                recordings[recordings.count - 1].damage = warnings.count
                warnings.append(.damaged(at: seconds, byteCount: next - place, seconds: nil))
            } else if frames.promise(in: header, at: next) == nil {
                recordings.append(Recording(first: header, promise: nil, hasNumber: false, added: nil))
            }
            (runStart, place) = (next, next)
        }
        end(runStart..<place, of: &recordings)
        promisesNothing =
            !recordings.isEmpty && recordings.allSatisfy { $0.frameCount == 0 && !$0.lastIsCut && $0.hasNumber }
        trim(recordings)
        warn(of: recordings.filter { $0.frameCount > 0 })
    }

    private mutating func end(_ part: Range<Int>, of recordings: inout [Recording]) {
        guard !part.isEmpty, !recordings.isEmpty else { return }
        recordings[recordings.count - 1].runs.append(runs.count)
        runs.append(Run(part: part))
    }

    /// Samples that a decoder of layer III lags behind: those of its filters, and one.
    private static let lag = 529

    /// Leaves out what encoders added before the sound and, if nothing is missing, after it.
    private mutating func trim(_ recordings: [Recording]) {
        for recording in recordings {
            guard let added = recording.added, let first = recording.runs.first else { continue }
            runs[first].skipped = added.before + Self.lag
            let sound = recording.frameCount * recording.first.sampleCount - added.before - added.after
            if recording.runs.count == 1, recording.missing == 0 { runs[first].sampleCount = max(0, sound) }
        }
    }

    private mutating func warn(of recordings: [Recording]) {
        let total = recordings.reduce(0) { $0 + $1.frameCount }
        for (number, recording) in recordings.enumerated() where recording.missing > 0 {
            // A program that joins files may write the number of all frames into the first.
            if number == 0, !recording.lastIsCut, let promise = recording.promise, promise <= total + recordings.count {
                continue
            }
            let seconds = recording.missingSeconds(afterLag: Self.lag)
            if let damage = recording.damage, case .damaged(let second, let byteCount, _) = warnings[damage] {
                warnings[damage] = .damaged(at: second, byteCount: byteCount, seconds: seconds)
            } else {
                warnings.append(.endsEarly(seconds: seconds))
            }
        }
        if recordings.count > 1 { warnings.append(.joined(count: recordings.count)) }
    }

    /// Whether a file begins as MPEG audio does, so that libsndfile would take it for that.
    static func seemsToBegin(_ bytes: SoundBytes) -> Bool {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        return frames.byte(start) == 0xff && frames.byte(start + 1) & 0xe0 == 0xe0
    }
}
