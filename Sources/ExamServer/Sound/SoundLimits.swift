/// What decoding one recording may cost, by the recording's own size: a file that promises hours in some kilobytes is given up, and the
/// work goes on with the next.
public struct SoundLimits: Codable, Equatable, Sendable {
    /// Seconds of processor for any recording. An answer takes a tenth of a second.
    public var seconds = 10.0
    /// Further seconds of processor for each megabyte. A megabyte of Opus as browsers send it is four minutes, which take some three.
    public var secondsAMegabyte = 20.0
    /// Bytes of memory for any recording: what the program itself maps, and ffmpeg.
    public var memory = 1 << 30
    /// Further bytes of memory for each byte of the recording.
    public var memoryAByte = 16
    /// Whether memory is limited. An address sanitizer maps terabytes.
    public var limitsMemory = true
    /// The time by the clock, as a multiple of the processor's: other programs run beside it.
    public var patience = 6.0

    /// The limits that a server has unless it is set up otherwise.
    public init() {}

    func processorSeconds(_ byteCount: Int) -> Double { seconds + secondsAMegabyte * Double(byteCount) / 1_048_576 }
    func memory(_ byteCount: Int) -> Int { memory + memoryAByte * byteCount }
    func clockSeconds(_ byteCount: Int) -> Double { patience * processorSeconds(byteCount) }
}
