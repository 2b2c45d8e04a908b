import AudioFiles
import CSndFile
import Foundation
import Testing

/// MPEG audio, layer III: the value of `SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III`, which libsndfile has since 1.1.0.
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
            #expect(abs(heard.count - 32_000) <= AudioFormat.blockSize)
            let measured = ToneMeasurement(of: 1_000, in: heard)
            #expect(abs(decibels(measured.amplitude * measured.amplitude / 0.25)) < 0.5)
            #expect(measured.signalToNoise > 35)
        }
    }

    /// The MP3 files of most programs have no length. libsndfile's guess counts their tags as sound.
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

    /// At a variable rate, the beginning of a file doesn't show its length: a guess could take half of the sound for
    /// all of it.
    @Test func anMP3FileOfVaryingRateWithoutALengthIsReadToItsEnd() throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            let hush = [Float](repeating: 0, count: 160_000)
            for sound in [try spokenAnswer("home-4") + hush, hush + (try spokenAnswer("home-4"))] {
                try write(sound, to: path, rate: 16_000, format: mp3)
                let whole = try blocks(ofFile: path)
                // Removes the first frame with the length: 152 bytes or more.
                let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
                let promise = try #require(
                    bytes.firstRange(of: Array("Xing".utf8)) ?? bytes.firstRange(of: Array("Info".utf8)))
                let second = try #require(
                    bytes.indices.dropFirst(promise.upperBound).first {
                        bytes[$0...].starts(with: bytes[..<2]) && bytes[$0 + 2] & 0x0c == bytes[2] & 0x0c
                    })
                try Data(bytes[second...]).write(to: URL(filePath: path))
                let heard = try blocks(ofFile: path)
                #expect(abs(heard.count - whole.count) < 16_000 / 4, "\(heard.count) of \(whole.count)")
            }
        }
    }

    /// Whole frames of 36 ms are read. The number in the first frame shows how much is missing.
    @Test(arguments: [0.3, 0.6, 0.99])
    func anMP3FileThatIsCutOffIsReadToItsLastWholeFrame(_ part: Double) throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            try write(try spokenAnswer("sentence-4"), to: path, rate: 16_000, format: mp3)
            try cutOff(path, after: part)
            let heard = try reading(ofFile: path)
            let missing = heard.warnings.reduce(0) { $0 + $1.missingSeconds }
            #expect(heard.warnings == [.endsEarly(seconds: missing)])
            #expect(abs(Double(heard.samples.count) / 16_000 + missing - 3.816) < 0.15)
        }
    }

    /// Such a file remains if a download or a recorder stops. All but the last frame is there.
    @Test func anMP3FileThatLacksItsLastByteIsRead() throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            for hasLength in [true, false] {
                let said = try spokenAnswer("sentence-4")
                if hasLength {
                    try write(said, to: path, rate: 16_000, format: mp3)
                } else {
                    try writeAtConstantRate(said, to: path)
                }
                let whole = try reading(ofFile: path)
                try #require(whole.warnings.isEmpty)
                try #require(truncate(path, off_t(size(ofFile: path)) - 1) == 0)
                let heard = try reading(ofFile: path)
                let lost = whole.samples.count - heard.samples.count
                #expect(0...576 ~= lost)
                #expect(heard.warnings == [.endsEarly(seconds: Double(hasLength ? lost : 576) / 16_000)])
            }
        }
    }

    /// Tags of other programs, and the remains of a download.
    @Test func tagsAroundTheSoundAreIgnored() throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            try write(try spokenAnswer("sentence-4"), to: path, rate: 16_000, format: mp3)
            let plain = try blocks(ofFile: path)
            let bytes = try Data(contentsOf: URL(filePath: path))
            let picture = Data("ID3\u{3}\0\0\0\0\u{2}\0".utf8) + Data(repeating: 0xff, count: 256)
            let title = Data("TAG".utf8) + Data(repeating: 0x20, count: 125)
            for (before, after) in [
                (picture, Data()), (picture + picture, title), (Data(), title),
                (Data(repeating: 0, count: 5_000), Data()),
                (Data("HTTP/1.0 200 OK".utf8), Data(repeating: 0x55, count: 3_000)),
            ] {
                try (before + bytes + after).write(to: URL(filePath: path))
                #expect(try blocks(ofFile: path) == plain, "\(before.count) \(after.count)")
            }
        }
    }

    @Test(arguments: [10, 3_000])
    func otherBytesInsideTheSoundAreSkipped(_ count: Int) throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            try writeAtConstantRate(try spokenAnswer("sentence-4"), to: path)
            let whole = try reading(ofFile: path).samples
            let bytes = try Data(contentsOf: URL(filePath: path))
            let half = bytes.count / 2
            try (bytes[..<half] + Data(repeating: 0x55, count: count) + bytes[half...]).write(to: URL(filePath: path))
            let heard = try reading(ofFile: path)
            // The damaged frame is lost, and a part of the next one, which refers to it.
            #expect(abs(heard.samples.count - whole.count) <= 3 * 576)
            guard case .damaged(let second, let passedOver?, nil)? = heard.warnings.first else {
                Issue.record("\(heard.warnings)")
                return
            }
            #expect(1.5...2.5 ~= second && passedOver >= count && passedOver < count + 500)
        }
    }

    /// The files are joined as `cat` would join the parts of an answer.
    @Test func joinedMP3FilesAreReadToTheLast() throws {
        try inFolder { folder in
            var (joined, count) = (Data(), 0)
            for name in ["sentence-4", "short", "home-4"] {
                try write(try spokenAnswer(name), to: folder.file("a.mp3"), rate: 16_000, format: mp3)
                joined += try Data(contentsOf: folder.appending(path: "a.mp3"))
                count += try samples(ofFile: folder.file("a.mp3")).count
            }
            try joined.write(to: folder.appending(path: "all.mp3"))
            let heard = try reading(ofFile: folder.file("all.mp3"))
            #expect(heard.samples.count == count)
            #expect(heard.warnings == [.joined(count: 3)])
        }
    }

    /// The file has twenty-one minutes at a constant rate.
    @Test func aLongMP3FileIsRead() throws {
        try inFolder { folder in
            let minute = sine(400, seconds: 60)
            try write(minute, times: 21, to: folder.file("a.mp3"), rate: 16_000, format: mp3)
            let heard = try reading(ofFile: folder.file("a.mp3"))
            #expect(heard.samples.count == 21 * minute.count)
            #expect(heard.warnings.isEmpty)
        }
    }

    /// The decoder would otherwise print that it found no frames. A test of `oracy vad` checks that it doesn't.
    @Test(arguments: ["ID3", "\u{ff}\u{fb}\u{90}\u{64}", "TAG", "Dear examiner", ""])
    func aFileWithoutFramesIsRefused(_ beginning: String) throws {
        try inFolder { folder in
            let path = folder.file("a.mp3")
            let first = Data(beginning.unicodeScalars.map { UInt8($0.value) })
            var dice = UInt64(7)
            let noise = (0..<100_000).map { _ in
                dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(dice >> 56)
            }
            for length in [0, 1, 100, 500, 100_000] where length + first.count > 0 {
                try (first + Data(noise[..<length])).write(to: URL(filePath: path))
                let reason = "is not a sound file that can be read (Format not recognised)"
                #expect(whatIsWrong(with: path) == .init(kind: .unusable, path: path, reason: reason), "\(length)")
            }
        }
    }
}
