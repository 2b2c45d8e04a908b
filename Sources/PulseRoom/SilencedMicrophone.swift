import AudioFiles

/// Detects that a microphone was switched off at the device itself, for example with a headset's button. The sound
/// server doesn't report that.
///
/// A room is never silent: an open microphone delivers at least a little noise, and one that is switched off delivers
/// zeros. But some programs between the microphone and this one turn every pause into zeros, and some microphones have
/// no noise. So zeros count only after a time in which even the quietest blocks had none.
struct SilencedMicrophone {
    private var quietBlocks = 0
    private var silentBlocks = 0
    /// Whether zeros came before there was enough noise. Such a microphone is never reported as silenced.
    private var makesZeros = false

    /// Two seconds of blocks with noise but no voice. A program that mutes pauses lets a tenth of a second of each
    /// through.
    private static let noiseBlocks = 100
    /// One second of zeros.
    private static let zeroBlocks = 50
    /// An RMS of −40 dB of full scale. A louder block may contain a voice.
    private static let quiet: Float = 0.01

    /// - Returns: Whether the microphone is silenced as of this block; true only once.
    mutating func hear(_ block: AudioBlock) -> Bool {
        guard block.isDigitalSilence else {
            silentBlocks = 0
            let power = block.samples.reduce(0) { $0 + $1 * $1 } / Float(block.samples.count)
            if power < Self.quiet * Self.quiet { quietBlocks += 1 }
            return false
        }
        silentBlocks += 1
        // One or two lost blocks prove nothing.
        if silentBlocks > 2 && quietBlocks < Self.noiseBlocks { makesZeros = true }
        return silentBlocks == Self.zeroBlocks && !makesZeros
    }
}

extension AudioBlock {
    /// Whether every sample is zero.
    var isDigitalSilence: Bool { samples.allSatisfy { $0 == 0 } }
}
