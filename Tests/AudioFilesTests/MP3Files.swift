import AudioFiles
import CSndFile
import Foundation
import Testing

/// MPEG audio, layer III: the numbers of `SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III`, which libsndfile has since 1.1.0.
private let mp3 = 0x23_0000 | 0x82

private let libraryHasMP3: Bool = {
    var info = SF_INFO(frames: 0, samplerate: 44_100, channels: 1, format: Int32(mp3), sections: 0, seekable: 0)
    return sf_format_check(&info) != 0
}()

@Suite(.enabled(if: libraryHasMP3, "libsndfile was built without MP3"))
struct MP3Files {
    /// LAME at its usual rate: 39 dB mono, 42 dB stereo.
    @Test(arguments: [1, 2])
    func anMP3FileIsRead(_ channels: Int) throws {
        try inFolder { folder in
            let tone = sine(1_000, seconds: 2, rate: 44_100).flatMap { Array(repeating: $0, count: channels) }
            try write(tone, to: folder.file("a.mp3"), rate: 44_100, channels: channels, format: mp3)
            let heard = try blocks(ofFile: folder.file("a.mp3"))
            #expect(abs(heard.count - 32_000) <= HouseSound.blockSize)
            let measured = ToneMeasurement(of: 1_000, in: heard)
            #expect(abs(decibels(measured.amplitude * measured.amplitude / 0.25)) < 0.5)
            #expect(measured.signalToNoise > 35)
        }
    }

    /// Most programs' MP3 has no length in it; what libsndfile guesses of it counts their tags as sound.
    @Test func anMP3FileWithoutALengthIsRead() throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            let said = try spokenAnswer("sentence-4")
            try writeAtConstantRate(said, to: path)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            try #require(["Info", "Xing"].allSatisfy { bytes.firstRange(of: Array($0.utf8)) == nil })
            try Data(bytes + [UInt8](repeating: 0, count: 800)).write(to: URL(filePath: path))
            let heard = try blocks(ofFile: path).count
            #expect(abs(heard - said.count) < 16_000 / 4, "\(heard) of \(said.count)")
        }
    }

    private func writeAtConstantRate(_ samples: [Float], to path: String) throws {
        var info = SF_INFO(frames: 0, samplerate: 16_000, channels: 1, format: Int32(mp3), sections: 0, seekable: 0)
        let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
        defer { sf_close(file) }
        var constant: Int32 = 0  // SF_BITRATE_MODE_CONSTANT, for SFC_SET_BITRATE_MODE.
        sf_command(file, 0x1305, &constant, Int32(MemoryLayout<Int32>.size))
        #expect(sf_writef_float(file, samples, sf_count_t(samples.count)) == samples.count)
    }

    @Test func anMP3FileThatIsCutOffIsRefused() throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            try write(try spokenAnswer("sentence-4"), to: path, rate: 16_000, format: mp3)
            try cutOff(path, after: 0.6)
            let error = try #require(whatIsWrong(with: path))
            #expect(error.kind == .unusable)
            #expect(error.reason.hasPrefix("is cut off: it has "))
            #expect(error.reason.hasSuffix(" s of the 3.714 s its header promises"))
        }
    }
}
