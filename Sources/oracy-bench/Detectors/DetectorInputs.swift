import Foundation
import VoiceActivity

/// `oracy-bench inputs`: prints the detector's inputs for a recording, for the program that fits it to labels (`make
/// train-vad`).
///
/// Reads raw 16-bit samples, 16 kHz mono, from stdin. For each whole frame of 10 ms, it writes the 32-bit numbers of
/// the frame's surroundings to stdout. Both are in the machine's byte order.
enum DetectorInputs {
    static func run() {
        let bytes = FileHandle.standardInput.readDataToEndOfFile()
        let samples = bytes.prefix(bytes.count & ~1).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
        }
        let numbers = VoiceDetector.surroundings(of: samples)
        numbers.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
    }
}
