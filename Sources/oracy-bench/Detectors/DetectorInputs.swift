import Foundation
import VoiceActivity

/// `oracy-bench inputs`: what the detector makes of a recording, for the program that fits it to labels (`make train-vad`).
///
/// Reads raw 16-bit samples, 16 kHz and mono, from stdin, and writes for each whole frame of 10 ms the 32-bit numbers of its
/// surroundings to stdout, both in the machine's order of bytes.
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
