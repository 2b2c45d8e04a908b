import AudioFiles
import DetectorScores
import Foundation

/// The project's own recordings at 16 kHz: answers (one synthetic voice), prompts (another) and noises.
enum Recording {
    static func answer(_ name: String) throws -> [Float] { try sound("answers/\(name).flac") }
    static func noise(_ name: String) throws -> [Float] { try sound("noise/\(name).flac") }

    /// Returns an examiner's line, by the beginning of its file's name.
    static func prompt(_ beginning: String) throws -> [Float] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/prompts").sorted()
        guard let name = names.first(where: { $0.hasPrefix(beginning) }) else { throw CocoaError(.fileNoSuchFile) }
        return try sound("prompts/\(name)")
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AudioFixtures").path

    private static func sound(_ path: String) throws -> [Float] {
        let reader = try BlockReader(path: "\(folder)/\(path)")
        var sound: [Float] = []
        while let block = try reader.next() { sound += block.samples }
        return sound
    }
}

// MARK: - Labels

/// Returns whether a frame of 10 ms has speech.
///
/// The recordings are synthetic: their words have about −25 dBFS, and their pauses are dither below −95 dBFS, with one
/// in two hundred frames of `answers/` between −90 and −60. −55 dBFS is 30 dB below the words and 40 dB above the
/// pauses. 5 dB more or less would move an end by two frames at most.
private func isLoud(frameAt start: Int, of sound: [Float]) -> Bool {
    power(of: sound[start..<min(start + 160, sound.count)]) > 3.16e-6
}

func power(of sound: ArraySlice<Float>) -> Float {
    var sum: Float = 0
    for sample in sound { sum += sample * sample }
    return sum / Float(max(sound.count, 1))
}

/// Returns the speech of a recording without noise. Gaps below 0.2 s are closures and breaths, which people don't label
/// as pauses either.
func words(in sound: [Float]) -> Speech {
    var stretches: [Range<Int>] = []
    for start in stride(from: 0, to: sound.count, by: 160) where isLoud(frameAt: start, of: sound) {
        if let last = stretches.last, start - last.upperBound < 20 * 160 {
            stretches[stretches.count - 1] = last.lowerBound..<start + 160
        } else {
            stretches.append(start..<start + 160)
        }
    }
    return Speech(stretches.map { Double($0.lowerBound) / 16_000..<Double($0.upperBound) / 16_000 })
}

extension [Float] {
    /// Returns the sound without the silence before and after its words, except for 50 ms.
    func trimmed() -> [Float] {
        let starts = stride(from: 0, to: count, by: 160).filter { isLoud(frameAt: $0, of: self) }
        guard let first = starts.first, let last = starts.last else { return [] }
        return Array(self[Swift.max(first - 800, 0)..<Swift.min(last + 960, count)])
    }

    /// Returns the sound with this mean level of its words.
    func levelled(dBFS level: Float) -> [Float] {
        let starts = stride(from: 0, to: count, by: 160).filter { isLoud(frameAt: $0, of: self) }
        let mean =
            starts.reduce(Float(0)) { $0 + power(of: self[$1..<Swift.min($1 + 160, count)]) } / Float(starts.count)
        return scaled(amplitude(dBFS: level) / mean.squareRoot())
    }

    func scaled(_ gain: Float) -> [Float] { map { $0 * gain } }

    /// Returns the sum with another sound, which is repeated to the end.
    func with(_ other: [Float]) -> [Float] {
        var sum = self
        var next = 0
        for index in sum.indices {
            sum[index] += other[next]
            next = next + 1 == other.count ? 0 : next + 1
        }
        return sum
    }
}

/// Returns this many seconds of silence.
func nothing(_ seconds: Double) -> [Float] { [Float](repeating: 0, count: Int(seconds * 16_000)) }
