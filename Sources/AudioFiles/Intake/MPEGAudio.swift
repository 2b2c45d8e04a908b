/// The MPEG audio (MP3, and its older layers) in a file: runs of frames, without other programs' tags around and
/// between them.
///
/// Each run is decoded separately, so that a decoder sees only frames. The number of frames stated by a recording's
/// first frame (Xing) is compared with the frames found.
struct MPEGAudio {
    /// Consecutive frames.
    struct Run {
        let part: Range<Int>
        /// The samples of each channel to skip before the sound: the encoder's padding and the decoder's delay.
        var skipped = 0
        /// The number of samples of each channel after those. Nil for all.
        var sampleCount: Int?
    }

    /// The runs in order.
    private(set) var runs: [Run] = []
    /// The warnings about missing sound that the frames show.
    private(set) var warnings: [RecordingWarning] = []

    /// Whether the file has a frame that states the number of frames, but no other frames.
    private(set) var promisesNothing = false

    /// The maximum number of bytes searched before the sound.
    private static let mostJunk = 65_536
    /// The maximum number of damaged bytes in the middle. A megabyte is a minute.
    private static let mostDamage = 4 << 20
    /// This many consecutive frames are not a coincidence. A single header occurs by chance in 64 kB of noise.
    private static let enough = 3

    /// The frames written by one encoder: a run, or several with damage between them.
    private struct Recording {
        let first: MPEGFrames.Header
        /// The number of frames stated by the recording. Nil if it states none.
        let promise: Int?
        /// Whether the first frame only states the number of the others and contains no sound.
        let hasNumber: Bool
        /// The samples that the encoder added. Nil if unknown.
        let added: (before: Int, after: Int)?
        /// The recording's runs, as indices in the list of runs.
        var runs: [Int] = []
        var frameCount = 0
        var lastIsCut = false
        /// The warning about the recording's last damage, as an index in the list of warnings.
        var damage: Int?

        func seconds(_ frames: Int) -> Double { Double(frames * first.sampleCount) / Double(first.sampleRate) }

        var missing: Int {
            let least = lastIsCut ? 1 : 0
            // Some programs also count the frame that contains the number.
            guard let promise, promise > frameCount + 1 else { return least }
            return promise - frameCount
        }

        /// Returns the seconds of missing sound. Samples that the encoder added don't count.
        ///
        /// - Parameter lag: the decoder's delay in samples.
        func missingSeconds(afterLag lag: Int) -> Double {
            guard let added, let promise, promise >= frameCount else { return seconds(missing) }
            let wanted = promise * first.sampleCount - added.before - added.after
            let there = frameCount * first.sampleCount - added.before - lag
            return Double(max(0, wanted - max(0, there))) / Double(first.sampleRate)
        }
    }

    /// Looks for frames at the file's beginning, or after tags (ID3v2).
    init?(atBeginningOf bytes: SoundBytes) {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        guard frames.chain(at: start, Self.enough, orToTheEnd: true) else { return nil }
        read(&frames, from: start)
    }

    /// Looks for frames, also beyond the beginning.
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
                    // A frame that states numbers contains no sound.
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

    /// The delay of a layer III decoder in samples: its filters' delay plus one.
    private static let lag = 529

    /// Removes the samples that encoders added before the sound and, if nothing is missing, after it.
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
            // A program that joins files may write the total number of frames into the first.
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

    /// Returns whether a file begins like MPEG audio, so that libsndfile would open it as that.
    static func seemsToBegin(_ bytes: SoundBytes) -> Bool {
        var frames = MPEGFrames(bytes)
        let start = frames.afterTags(0)
        return frames.byte(start) == 0xff && frames.byte(start + 1) & 0xe0 == 0xe0
    }
}
