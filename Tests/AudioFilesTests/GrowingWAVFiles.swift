import AudioFiles
import Foundation
import Testing

/// Tests that the sound so far can be read at any moment of a take's recording.
@Suite struct GrowingWAVFiles {
    @Test func aWAVIsPlayableAtEveryMoment() throws {
        let sound = Array(everySampleValue.prefix(16_000))
        try inFolder { folder in
            let path = folder.file("a.wav")
            let file = try GrowingWAV(path: path)
            for count in [1, 2, 7, 320, 0, 320, 320, 1, 4_096, 319, 5_000] {
                let before = file.sampleCount
                try file.append(Array(sound[before..<(before + count)]))
                #expect(file.sampleCount == before + count)
                #expect(
                    try promisedSamples(ofFile: path) == file.sampleCount,
                    "libsndfile would mend a header without length")
                #expect(try samples(ofFile: path) == Array(sound.prefix(file.sampleCount)))
            }
            try file.synchronize()
            #expect(try samples(ofFile: path) == Array(sound.prefix(10_386)))
        }
    }

    @Test func aRecordingIsMonoAt16Kilohertz() throws {
        try inFolder { folder in
            try record(sine(400, seconds: 1), to: folder.file("a.wav"), as: .growingWAV)
            let file = try SoundFileReader(path: folder.file("a.wav"))
            #expect(file.sampleRate == 16_000)
            #expect(file.channelCount == 1)
            #expect(file.frameCount == 16_000)
        }
    }

    /// The disk accepts half a sample and then nothing. Later it has room again.
    @Test func aRecordingContinuesAfterAFullDisk() async {
        await #expect(processExitsWith: .success) {
            try inFolder { folder in
                let path = folder.file("a.wav")
                let file = try GrowingWAV(path: path)
                let sound = Array(everySampleValue.prefix(8_000))
                // Files must not grow beyond 10,001 bytes: the header's 44 bytes and 4,978 and a half samples.
                signal(SIGXFSZ, SIG_IGN)
                try limitFileSize(to: 10_001)
                let error = failure { try file.append(sound) }
                #expect(error == .init(kind: .unwritable, path: path, reason: "file too large"))
                #expect(file.sampleCount == 4_978)
                #expect(try samples(ofFile: path) == Array(sound.prefix(4_978)))

                try limitFileSize(to: .max)
                try file.append(Array(sound[4_978...]))
                let there = try samples(ofFile: path)
                #expect(there == sound)
            }
        }
    }
}

/// Returns the number of samples in a canonical header of 44 bytes. Nil if its two lengths disagree.
private func promisedSamples(ofFile path: String) throws -> Int? {
    let header = try Data(contentsOf: URL(filePath: path)).prefix(44)
    func number(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(header[offset + $1]) << (8 * $1) } }
    try #require(header.count == 44)
    return number(at: 4) == number(at: 40) + 36 ? number(at: 40) / 2 : nil
}

/// Limits the size of files. Only for a process of its own.
private func limitFileSize(to bytes: rlim_t) throws {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
