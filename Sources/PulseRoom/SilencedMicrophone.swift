import AudioFiles

/// Notices that a microphone was switched off at the device itself, by a headset's own button, say: the sound server says nothing of that.
///
/// A room is never silent: an open microphone delivers noise, however little, and one that is switched off delivers zeros. There are programs
/// between a microphone and this one that make zeros of every pause, and microphones without a noise of their own. So zeros mean something only
/// after a time in which even the quietest blocks had none.
struct SilencedMicrophone {
    private var quietBlocks = 0
    private var silentBlocks = 0
    /// Whether zeros came before there was enough noise: such a microphone is never said to be silenced.
    private var makesZeros = false

    /// Two seconds of blocks with noise and no voice: a program that cuts pauses lets a tenth of a second of each through.
    private static let noiseBlocks = 100
    /// A second of zeros.
    private static let zeroBlocks = 50
    /// RMS; −40 dB of full scale. What is louder may be a voice.
    private static let quiet: Float = 0.01

    /// - Returns: whether the microphone is silenced as of this block; true once.
    mutating func hear(_ block: AudioBlock) -> Bool {
        guard block.isDigitalSilence else {
            silentBlocks = 0
            let power = block.samples.reduce(0) { $0 + $1 * $1 } / Float(block.samples.count)
            if power < Self.quiet * Self.quiet { quietBlocks += 1 }
            return false
        }
        silentBlocks += 1
        // A lost block or two are no evidence.
        if silentBlocks > 2 && quietBlocks < Self.noiseBlocks { makesZeros = true }
        return silentBlocks == Self.zeroBlocks && !makesZeros
    }
}

extension AudioBlock {
    /// Whether every sample is zero.
    var isDigitalSilence: Bool { samples.allSatisfy { $0 == 0 } }
}
