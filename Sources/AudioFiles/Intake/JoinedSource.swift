/// Several recordings in one file, read one after another as one.
///
/// If all have the same rate and number of channels, their samples pass through unchanged. Otherwise all become 16 kHz
/// mono.
final class JoinedSource: SampleSource {
    let sampleRate: Int
    let channelCount: Int
    let frameCount: Int
    private let parts: [any SampleSource]
    /// The parts as 16 kHz mono. Nil if their samples pass through unchanged.
    private var converted: [BlockReader]?
    private var current = 0
    /// Converted samples that were not read yet.
    private var ready: [Float] = []

    var warnings: [RecordingWarning] { parts.flatMap(\.warnings) }

    /// Creates a source.
    ///
    /// - Precondition: there is at least one part.
    init(_ parts: [any SampleSource]) {
        self.parts = parts
        let isUniform = parts.allSatisfy {
            $0.sampleRate == parts[0].sampleRate && $0.channelCount == parts[0].channelCount
        }
        sampleRate = isUniform ? parts[0].sampleRate : AudioFormat.sampleRate
        channelCount = isUniform ? parts[0].channelCount : 1
        converted = isUniform ? nil : parts.map { BlockReader(SoundFileReader(part: $0)) }
        let rate = sampleRate
        frameCount =
            parts.contains { $0.frameCount == 0 }
            ? 0 : parts.reduce(0) { $0 + (isUniform ? $1.frameCount : $1.frameCount * rate / $1.sampleRate) }
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        if converted != nil { return try readConverted(frames, into: samples) }
        var filled = 0
        while filled < frames && current < parts.count {
            let wanted = frames - filled
            let count = try parts[current].read(wanted, into: samples + filled * channelCount)
            filled += count
            if count < wanted { current += 1 }
        }
        return filled
    }

    private func readConverted(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        while ready.count < frames, let converted, current < converted.count {
            let reader = converted[current]
            let before = reader.sampleCount
            let block: AudioBlock?
            do throws(SoundFileError) { block = try reader.next() } catch { throw SourceFailure(reason: error.reason) }
            if let block { ready += block.samples[..<(reader.sampleCount - before)] } else { current += 1 }
        }
        let count = min(frames, ready.count)
        for index in 0..<count { samples[index] = ready[index] }
        ready.removeFirst(count)
        return count
    }
}
