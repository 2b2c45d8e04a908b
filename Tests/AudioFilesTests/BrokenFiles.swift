import AudioFiles
import CSndFile
import Foundation
import Testing

/// Tests that every broken file is refused with one sentence about the problem.
@Suite struct BrokenFiles {
    @Test func aMissingFile() throws {
        try inFolder { folder in
            let path = folder.file("none.wav")
            let expected = SoundFileError(kind: .missing, path: path, reason: "no such file or directory")
            #expect(whatIsWrong(with: path) == expected)
            #expect(expected.description == "\(path): no such file or directory")
        }
    }

    @Test func anEmptyFile() throws {
        try inFolder { folder in
            try Data().write(to: folder.appending(path: "a.wav"))
            #expect(whatIsWrong(with: folder.file("a.wav"))?.kind == .unusable)
            #expect(whatIsWrong(with: folder.file("a.wav"))?.reason == "is empty (0 bytes)")
        }
    }

    @Test func aText() throws {
        try inFolder { folder in
            try Data("Dear examiner, this is my answer in writing, and I am sorry.\n".utf8)
                .write(to: folder.appending(path: "a.wav"))
            let error = try #require(whatIsWrong(with: folder.file("a.wav")))
            #expect(error.kind == .unusable)
            #expect(error.reason == "is not a sound file that can be read (Format not recognised)")
        }
    }

    @Test func aFolder() throws {
        try inFolder { folder in
            let expected = SoundFileError(kind: .unusable, path: folder.path, reason: "is not a file")
            #expect(whatIsWrong(with: folder.path) == expected)
        }
    }

    /// Reading from a named pipe without a writer would wait for ever.
    @Test func aPipe() throws {
        try inFolder { folder in
            try #require(mkfifo(folder.file("a.wav"), 0o600) == 0)
            #expect(whatIsWrong(with: folder.file("a.wav"))?.reason == "is not a file")
        }
    }

    @Test(arguments: [Recording.growingWAV, .wav])
    func aHeaderWithoutSound(_ kind: Recording) throws {
        try inFolder { folder in
            let path = folder.file("a.wav")
            try record([], to: path, as: kind)
            try #require(size(ofFile: path) == 44)
            let reason = "holds no sound: not one sample follows its header"
            #expect(whatIsWrong(with: path) == .init(kind: .unusable, path: path, reason: reason))
        }
    }

    @Test(arguments: [Recording.flac, .opus(bitRate: 32_000)])
    func anotherHeaderWithoutSound(_ kind: Recording) throws {
        try inFolder { folder in
            try record([], to: folder.file("a"), as: kind)
            #expect(whatIsWrong(with: folder.file("a"))?.kind == .unusable)
        }
    }

    /// Its header says that the length is unknown, like that of a FLAC file from a pipe.
    @Test func aFLACHeaderWithoutSound() throws {
        try inFolder { folder in
            let path = folder.file("a.flac")
            try record(sine(400, seconds: 1), to: path, as: .flac)
            // The marker, and STREAMINFO, which is now the last block of metadata. The length is in its bytes 13 to 17
            // (RFC 9639, 8.2).
            var header = [UInt8](try Data(contentsOf: URL(filePath: path))[..<42])
            header[4] |= 0x80
            header[8 + 13] &= 0xf0
            for byte in 14...17 { header[8 + byte] = 0 }
            try Data(header).write(to: URL(filePath: path))
            #expect(whatIsWrong(with: path)?.reason == "holds no sound: not one sample follows its header")
        }
    }

    /// A chunk with the largest possible length (64 bits in W64) would end beyond any file.
    @Test(arguments: [.max, 1 << 63, (1 << 63) - 1, (1 << 63) - 40, 1 << 62] as [UInt64])
    func aChunkOfImpossibleLengthIsHandled(_ length: UInt64) throws {
        try inFolder { folder in
            let path = folder.file("a.w64")
            try write(sine(400, seconds: 0.1), to: path, rate: 16_000, format: SF_FORMAT_W64 | SF_FORMAT_PCM_16)
            let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
            // Each place in the head at which a length of 64 bits can be.
            for place in stride(from: 16, through: 120, by: 8) {
                var bytes = whole
                for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
                try Data(bytes).write(to: URL(filePath: path))
                let wrong = whatIsWrong(with: path)
                #expect(wrong == nil || wrong?.kind == .unusable)
            }
        }
    }

    /// The first invalid sample is named, at any place in the file and in any channel.
    @Test(arguments: [Float.nan, .infinity, -.infinity, .signalingNaN], [0, 11_025, 88_199])
    func aSampleThatIsNotANumber(_ sample: Float, _ frame: Int) throws {
        try inFolder { folder in
            let path = folder.file("a.wav")
            var frames = [Float](repeating: 0.1, count: 2 * 88_200)
            frames[2 * frame + 1] = sample
            frames[2 * 88_199 + 1] = sample
            try write(frames, to: path, rate: 44_100, channels: 2, format: floatWAV)
            let second = [0: "0.0", 11_025: "0.25", 88_199: "2.0"][frame]!
            let reason = "holds a sample that is not a number, at \(second) s"
            #expect(whatIsWrong(with: path) == .init(kind: .unusable, path: path, reason: reason))
        }
    }

    /// A file without resampling and mixing, too. Sums of squares are finite as well.
    @Test(arguments: [16_000, 44_100], 1...3)
    func samplesTooLoudForAnySoundAreLimited(_ rate: Int, _ channels: Int) throws {
        try inFolder { folder in
            let frames = (0..<(channels * rate)).map { frame in
                frame / channels % 200 < 100 ? Float.greatestFiniteMagnitude : -1e20
            }
            try write(frames, to: folder.file("a.wav"), rate: rate, channels: channels, format: floatWAV)
            let heard = try blocks(ofFile: folder.file("a.wav"))
            let loudest = heard.map(abs).max() ?? 0
            // A resampler overshoots at edges.
            #expect(loudest >= 100 && loudest < 256, "\(loudest)")
        }
    }

    /// As documented, a file that may not be opened counts as `missing`.
    @Test func aFileOfAnotherUser() async throws {
        await #expect(processExitsWith: .success) {
            try inFolder { folder in
                try record(sine(400, seconds: 1), to: folder.file("a.wav"), as: .wav)
                try #require(chmod(folder.file("a.wav"), 0) == 0)
                try asNobody {
                    let error = try #require(whatIsWrong(with: folder.file("a.wav")))
                    #expect(error.reason.lowercased().contains("permission denied"))
                    #expect(error.kind == .missing)
                }
            }
        }
    }
}
