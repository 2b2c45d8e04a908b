import AudioFiles
import Foundation
import Testing

/// An exam of any length fits into memory, because sound is processed in pieces.
///
/// Each test is a process of its own, so that it measures only its own memory. Ten minutes of samples would take 38 MB.
@Suite struct LongFiles {
    /// At most 0.4 MB when writing, 0.05 MB when reading.
    @Test func memoryDoesNotGrowWithTheLengthOfARecording() async {
        await #expect(processExitsWith: .success) {
            try inFolder { folder in
                let block = sine(400, seconds: 0.02)
                let file = try GrowingWAV(path: folder.file("long.wav"))
                let writing = try growthOfMemory {
                    try file.append(block)
                    return file.sampleCount < 600 * AudioFormat.sampleRate
                }
                let reader = try BlockReader(path: folder.file("long.wav"))
                var count = 0
                let reading = try growthOfMemory {
                    count += 1
                    return try reader.next() != nil
                }
                #expect(count == 30_001)
                #expect(writing < 2_000_000)
                #expect(reading < 2_000_000)
            }
        }
    }

    /// 90 s that would take 32 MB unchanged, and 6 MB at 16 kHz mono: at most 0.5 MB.
    @Test func memoryDoesNotGrowWhileResampling() async {
        await #expect(processExitsWith: .success) {
            try inFolder { folder in
                let second = sine(400, seconds: 1, rate: 44_100).flatMap { [$0, $0] }
                try write(second, times: 90, to: folder.file("long.wav"), rate: 44_100, channels: 2, format: floatWAV)
                let reader = try BlockReader(path: folder.file("long.wav"))
                var count = 0
                let reading = try growthOfMemory {
                    count += 1
                    return try reader.next() != nil
                }
                #expect(count == 90 * 50 + 1)
                #expect(reading < 2_000_000)
            }
        }
    }
}

/// Repeats a step until it returns false, and returns the growth of this process in bytes.
private func growthOfMemory(_ step: () throws -> Bool) throws -> Int {
    let before = try residentMemory()
    var most = before
    var steps = 0
    while try step() {
        steps += 1
        if steps % 500 == 0 { most = max(most, try residentMemory()) }
    }
    return most - before
}

/// Returns the resident memory of this process in bytes.
private func residentMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.split(separator: " ")[1])) * 1_024
}
