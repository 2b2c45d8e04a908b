import AudioFiles
import CSndFile
import Foundation
import Testing

/// The length of a file, found without decoding it.
@Suite struct Lengths {
    @Test(arguments: [8_000, 16_000, 44_100])
    func aHeaderTellsTheLength(_ rate: Int) throws {
        try inFolder { folder in
            let tone = sine(400, seconds: 2.5, rate: rate).flatMap { [$0, $0] }
            try write(tone, to: folder.file("a.wav"), rate: rate, channels: 2, format: floatWAV)
            #expect(try duration(ofSoundFile: folder.file("a.wav")) == .milliseconds(2_500))
        }
    }

    @Test func everyRecordingHasTheLengthThatWasWritten() throws {
        try inFolder { folder in
            for kind in Recording.all {
                try record(sine(400, seconds: 2.345), to: folder.file("a"), as: kind)
                #expect(try duration(ofSoundFile: folder.file("a")) == .milliseconds(2_345), "\(kind)")
            }
        }
    }

    /// Programs write such files to a pipe, because they can't go back to the header.
    @Test func aFLACFileWithoutALengthIsReadToItsEnd() throws {
        try inFolder { folder in
            let tone = sine(400, seconds: 2.5)
            try record(tone, to: folder.file("a.flac"), as: .flac)
            let file = try FileHandle(forUpdating: URL(filePath: folder.file("a.flac")))
            // STREAMINFO begins at byte 8. The number of samples is the last 36 bits of its bytes 10 to 17 (RFC 9639,
            // 8.2).
            try file.seek(toOffset: 8 + 13)
            let bits = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: 8 + 13)
            try file.write(contentsOf: [bits & 0xf0, 0, 0, 0, 0])
            try file.close()
            #expect(try SoundFileReader(path: folder.file("a.flac")).frameCount == 0)
            #expect(try blocks(ofFile: folder.file("a.flac")).count == tone.count)
            #expect(try duration(ofSoundFile: folder.file("a.flac")) == .milliseconds(2_500))
        }
    }

    @Test func aMissingFileHasNoLength() throws {
        try inFolder { folder in
            let error = failure { _ = try duration(ofSoundFile: folder.file("none.wav")) }
            #expect(error?.reason == "no such file or directory")
        }
    }
}
