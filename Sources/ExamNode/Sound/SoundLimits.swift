/// The most that decoding one recording may cost, relative to its size. The server gives up a file that announces hours
/// in a few kilobytes, and continues with the next.
public struct SoundLimits: Codable, Equatable, Sendable {
    /// Seconds of processor time for any recording. An answer takes a tenth of a second.
    public var seconds = 10.0
    /// Further seconds of processor time for each megabyte. A megabyte of Opus from a browser is four minutes of sound,
    /// which take about three seconds.
    public var secondsAMegabyte = 20.0
    /// Bytes of memory for any recording: the mappings of the program itself and of ffmpeg.
    public var memory = 1 << 30
    /// Further bytes of memory for each byte of the recording.
    public var memoryAByte = 16
    /// Whether memory is limited. Turn it off under an address sanitizer, which maps terabytes.
    public var limitsMemory = true
    /// The allowed wall-clock time as a multiple of the processor time, since other programs run at the same time.
    public var patience = 6.0

    /// The default limits of a server.
    public init() {}

    func processorSeconds(_ byteCount: Int) -> Double { seconds + secondsAMegabyte * Double(byteCount) / 1_048_576 }
    package func memory(_ byteCount: Int) -> Int { memory + memoryAByte * byteCount }
    func clockSeconds(_ byteCount: Int) -> Double { patience * processorSeconds(byteCount) }
}
