/// Reads any sound file as 20 ms blocks of 16 kHz mono: channels are averaged (or, where that would leave silence, the loudest
/// is taken), other rates resampled.
///
/// Memory does not grow with the file's length. One thread at a time.
public final class BlockReader {
    /// Samples handed out so far, without the silence that fills up the last block.
    public private(set) var sampleCount = 0
    /// Whether the channels of what was read cancelled each other out for a tenth of the time or more, and the loudest was taken
    /// instead of their mean. Single vowels may do so between two microphones; that is nothing to tell.
    public var channelsCancelled: Bool { channels.partCancelling >= 0.1 }
    /// The faults of a file that can be read all the same. Complete at the end.
    public var warnings: [RecordingWarning] { file.warnings }
    private let file: SoundFileReader
    private let resampler: (any Resampler)?
    private var channels: ChannelMix
    private var frames: [Float]
    private var mono: [Float]
    /// Samples at 16 kHz that wait to be handed out, from `next` on.
    private var ready: [Float] = []
    private var first = 0
    private var atEnd = false

    /// A tenth of a second at most rates, and what libsndfile reads of 16-bit mono with one system call.
    private static let framesAtATime = 4_096

    /// - Throws: as `SoundFileReader`.
    public convenience init(path: String) throws(SoundFileError) {
        try self.init(SoundFileReader(path: path))
    }

    /// Reads all of a file from where its reader is.
    public init(_ file: SoundFileReader) {
        self.file = file
        resampler = AudioFiles.resampler(from: file.sampleRate)
        channels = ChannelMix(channels: file.channelCount)
        frames = Array(repeating: 0, count: Self.framesAtATime * file.channelCount)
        mono = Array(repeating: 0, count: Self.framesAtATime)
    }

    /// The next 20 ms, the last block filled up with silence; nil at the end.
    ///
    /// - Throws: as `SoundFileReader.read`.
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
        // Typed errors do not pass through the standard library's closures; a result does.
        try frames.withUnsafeMutableBufferPointer { frames in
            Result { () throws(SoundFileError) in try file.read(Self.framesAtATime, into: frames.baseAddress!) }
        }.get()
    }
}

/// The length of a sound file that is complete: the examiner's words. Half a question must not be taken for one.
///
/// - Throws: as `SoundFileReader`; `SoundFileError.unusable` if the file tells that sound is missing, as far as that is known without
///   reading it.
public func duration(ofWholeSoundFile path: String) throws(SoundFileError) -> Duration {
    if let loss = try SoundFileReader(path: path).warnings.first(where: \.isLoss) {
        throw SoundFileError(kind: .unusable, path: path, reason: loss.words)
    }
    return try duration(ofSoundFile: path)
}

/// How long a sound file is, looked up in its header where that has it, else by reading it.
///
/// - Throws: as `SoundFileReader`.
public func duration(ofSoundFile path: String) throws(SoundFileError) -> Duration {
    let file = try SoundFileReader(path: path)
    if file.frameCount > 0 { return .microseconds(file.frameCount * 1_000_000 / file.sampleRate) }
    let reader = try BlockReader(path: path)
    var blocks = 0
    while try reader.next() != nil { blocks += 1 }
    return AudioFormat.blockDuration * blocks
}
