import AudioFiles
import Foundation
import Testing

/// Returns a tone. With a whole number of hertz, every second of it contains whole periods.
func sine(_ hertz: Int, amplitude: Double = 0.5, seconds: Double, rate: Int = AudioFormat.sampleRate) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { index in
        // Reduced before the division: an argument of thousands of radians would cost precision.
        let phase = Double(index * hertz % rate) / Double(rate)
        return Float(amplitude * sin(2 * .pi * phase))
    }
}

/// Every 16-bit value once, in an order with large jumps.
let everySampleValue: [Float] = (0..<65_536).map { Float(Int16(truncatingIfNeeded: $0 &* 40_503)) / 32_768 }

/// Returns a candidate's answer from the project's fixtures, 16 kHz mono.
func spokenAnswer(_ name: String) throws -> [Float] {
    try samples(ofFile: fixture("answers/\(name).flac"))
}

func fixture(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../AudioFixtures/\(name)").standardized
        .path
}

/// Runs a test in its own folder, which is removed afterwards.
func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension URL {
    /// Returns the path of a file in this folder.
    func file(_ name: String) -> String { appending(path: name).path }
}
