import Assessment
import Foundation

/// `oracy-bench syllables < PCM`: prints possible syllables in a recording (16 kHz, 16 bits) for
/// Training/train_syllables.py, one per line with its 16 features separated by spaces.
enum SyllableCandidates {
    static func run() {
        let bytes = FileHandle.standardInput.readDataToEndOfFile()
        let samples = bytes.prefix(bytes.count & ~1).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
        }
        for facts in SoundMeasurer.syllableCandidates(of: samples) {
            print(facts.map { "\($0)" }.joined(separator: " "))
        }
    }
}
