import CSndFile
import Foundation
import Testing

@testable import AudioFiles

/// Whole Ogg Opus files of one channel are decoded by libopus alone, all others by libsndfile.
@Suite struct WholeOpusFiles {
    private static func bytes(_ path: String) throws -> SoundBytes {
        let file = open(path, O_RDONLY)
        try #require(file >= 0)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        return SoundBytes(file: file, size: size)
    }

    /// Returns all samples of a source, read in pieces of this many frames.
    private static func samples(of source: some SampleSource, piece: Int) throws -> [Float] {
        var all: [Float] = []
        var part = [Float](repeating: 0, count: piece)
        while true {
            let count = try source.read(piece, into: &part)
            all += part[..<count]
            if count < piece { return all }
        }
    }

    @Test(arguments: [0, 104, 200, 319])
    func theSamplesAreThoseOfLibsndfileToTheBit(_ cut: Int) throws {
        try inFolder { folder in
            let answer = try spokenAnswer("sentence-4")
            try record(
                Array(answer.dropLast(cut)) + answer + [0.25], to: folder.file("a.opus"), as: .opus(bitRate: 32_000))
            let alone = try #require(OpusSource(Self.bytes(folder.file("a.opus"))))
            let library = try LibrarySource(Self.bytes(folder.file("a.opus")))
            #expect(alone.frameCount == library.frameCount)
            #expect(alone.sampleRate == library.sampleRate)
            let heard = try Self.samples(of: alone, piece: 1_000)
            let expected = try Self.samples(of: library, piece: 4_096)
            #expect(heard.count == expected.count)
            #expect(heard.map(\.bitPattern) == expected.map(\.bitPattern))
        }
    }

    @Test func otherFilesAreLeftToLibsndfile() throws {
        try inFolder { folder in
            let path = folder.file("a.opus")
            try record(spokenAnswer("sentence-4"), to: path, as: .opus(bitRate: 32_000))
            let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
            #expect(try OpusSource(Self.bytes(path)) != nil)
            func isLeft(_ bytes: [UInt8]) throws -> Bool {
                try Data(bytes).write(to: URL(filePath: path))
                return try OpusSource(Self.bytes(path)) == nil
            }
            var damaged = whole
            damaged[whole.count / 2] ^= 1
            #expect(try isLeft(damaged), "a checksum is wrong")
            #expect(try isLeft(Array(whole.dropLast(10))), "the end is missing")
            #expect(try isLeft(whole + whole), "two recordings")
            #expect(try isLeft(Array("OggS".utf8)), "no page")
            #expect(try isLeft([]), "empty")
            // A file with two channels.
            let stereo = zip(try spokenAnswer("sentence-4"), try spokenAnswer("sentence-4")).flatMap { [$0, -$1] }
            try write(stereo, to: path, rate: 48_000, channels: 2, format: SF_FORMAT_OGG | SF_FORMAT_OPUS)
            #expect(try OpusSource(Self.bytes(path)) == nil)
        }
    }
}
