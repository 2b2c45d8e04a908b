/// Reads any sound file as 20 ms blocks of 16 kHz mono. Channels are averaged, or the loudest is used if their mean
/// would be silence. Other sample rates are resampled.
///
/// Memory does not grow with the file's length. Use a reader on one thread at a time.
public final class BlockReader {
    /// The number of samples returned so far, without the silence that fills up the last block.
    public private(set) var sampleCount = 0
    /// Whether the channels cancelled each other out for at least a tenth of the time, so that the loudest was used
    /// instead of their mean. With two microphones, a single vowel can also cancel out, which needs no warning.
    public var channelsCancelled: Bool { channels.partCancelling >= 0.1 }
    /// The faults of a file that could be read nevertheless. The list is complete once the file has been read to its
    /// end.
    public var warnings: [RecordingWarning] { file.warnings }
    private let file: SoundFileReader
    private let resampler: (any Resampler)?
    private var channels: ChannelMix
    private var frames: [Float]
    private var mono: [Float]
    /// Samples at 16 kHz. Those from index `first` on have not been returned yet.
    private var ready: [Float] = []
    private var first = 0
    private var atEnd = false

    /// About a tenth of a second at the usual sample rates. libsndfile reads this many frames of 16-bit mono with one
    /// system call.
    private static let framesAtATime = 4_096

    /// Opens a file.
    ///
    /// - Throws: the errors of `SoundFileReader`.
    public convenience init(path: String) throws(SoundFileError) {
        try self.init(SoundFileReader(path: path))
    }

    /// Creates a reader that begins at the file reader's current position.
    public init(_ file: SoundFileReader) {
        self.file = file
        resampler = AudioFiles.resampler(from: file.sampleRate)
        channels = ChannelMix(channels: file.channelCount)
        frames = Array(repeating: 0, count: Self.framesAtATime * file.channelCount)
        mono = Array(repeating: 0, count: Self.framesAtATime)
    }

    /// Returns the next 20 ms, and nil at the end. Silence fills up the last block.
    ///
    /// - Throws: the errors of `SoundFileReader.read`.
    public func next() throws(SoundFileError) -> AudioBlock? {
        while ready.count - first < AudioFormat.blockSize && !atEnd { try readMore() }
        let count = min(ready.count - first, AudioFormat.blockSize)
        guard count > 0 else { return nil }
        var samples = Array(ready[first..<(first + count)])
        first += count
        sampleCount += count
        if count < AudioFormat.blockSize {
            samples.append(contentsOf: repeatElement(0, count: AudioFormat.blockSize - count))
        }
        return AudioBlock(samples: samples)
    }

    private func readMore() throws(SoundFileError) {
        ready.removeFirst(first)
        first = 0
        let count = try read()
        atEnd = count < Self.framesAtATime
        if file.channelCount == 1 && resampler == nil {
            ready.append(contentsOf: frames[..<count])
            return
        }
        mono.withUnsafeMutableBufferPointer { mono in
            frames.withUnsafeBufferPointer { frames in
                channels.mix(frames.baseAddress!, count, rate: file.sampleRate, into: mono.baseAddress!)
            }
            let mono = UnsafeBufferPointer(rebasing: mono[..<count])
            if let resampler {
                resampler.convert(mono, last: atEnd, appendingTo: &ready)
            } else {
                ready.append(contentsOf: mono)
            }
        }
    }

    private func read() throws(SoundFileError) -> Int {
        // Typed errors do not pass through the standard library's closures, but a result does.
        try frames.withUnsafeMutableBufferPointer { frames in
            Result { () throws(SoundFileError) in try file.read(Self.framesAtATime, into: frames.baseAddress!) }
        }.get()
    }
}

/// Returns the duration of a sound file that must be complete, such as an examiner's prompt: an exam must not ask half
/// a question.
///
/// - Throws: the errors of `SoundFileReader`. `SoundFileError.unusable` if opening the file shows that sound is
///   missing.
public func duration(ofWholeSoundFile path: String) throws(SoundFileError) -> Duration {
    if let loss = try SoundFileReader(path: path).warnings.first(where: \.isLoss) {
        throw SoundFileError(kind: .unusable, path: path, reason: loss.words)
    }
    return try duration(ofSoundFile: path)
}

/// Returns the duration of a sound file, from its header if that states it, and otherwise by reading the file.
///
/// - Throws: the errors of `SoundFileReader`.
public func duration(ofSoundFile path: String) throws(SoundFileError) -> Duration {
    let file = try SoundFileReader(path: path)
    if file.frameCount > 0 { return .microseconds(file.frameCount * 1_000_000 / file.sampleRate) }
    let reader = try BlockReader(path: path)
    var blocks = 0
    while try reader.next() != nil { blocks += 1 }
    return AudioFormat.blockDuration * blocks
}
