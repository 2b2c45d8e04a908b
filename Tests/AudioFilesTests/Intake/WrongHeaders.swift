import AudioFiles
import CSndFile
import Foundation
import Testing

/// Wrong headers of other programs. Lengths come from the bytes in the file.
@Suite struct WrongHeaders {
    private static let tone = sine(400, seconds: 2, rate: 48_000)

    /// Returns a WAV file of 16 bits and one channel at 48 kHz, like that of a recorder for browsers.
    private func wav(byteRate: UInt32 = 96_000, riff: UInt32? = nil, data: UInt32? = nil, after: [UInt8] = []) -> Data {
        let pcm = Self.tone.map { Int16(($0 * 32_767).rounded()) }
        let byteCount = UInt32(2 * pcm.count)
        var bytes = Data()
        func put(_ text: String) { bytes += Data(text.utf8) }
        func put<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes += Data($0) }
        }
        put("RIFF")
        put(riff ?? 36 + byteCount)
        put("WAVEfmt ")
        put(UInt32(16))
        put(UInt16(1))
        put(UInt16(1))
        put(UInt32(48_000))
        put(byteRate)
        put(UInt16(2))
        put(UInt16(16))
        put("data")
        put(data ?? byteCount)
        for sample in pcm { put(sample) }
        return bytes + Data(after)
    }

    private func reading(_ file: Data) throws -> (samples: [Float], warnings: [RecordingWarning], sampleRate: Int) {
        try inFolder { folder in
            try file.write(to: folder.appending(path: "a"))
            return try AudioFilesTests.reading(ofFile: folder.file("a"))
        }
    }

    /// RecordRTC and Recorderjs write the byte rate of two channels.
    @Test(arguments: [UInt32(192_000), 96_001, 48_000, 0, .max])
    func aWrongByteRateIsNotReportedAsLoss(_ rate: UInt32) throws {
        let heard = try reading(wav(byteRate: rate))
        #expect(heard.samples.count == Self.tone.count && heard.sampleRate == 48_000)
        #expect(heard.warnings.isEmpty)
    }

    /// The recorder was stopped before it updated its header.
    @Test(arguments: [UInt32(0), 36, 192_036])
    func aHeaderWithoutALengthIsReadToTheEnd(_ riff: UInt32) throws {
        let heard = try reading(wav(riff: riff, data: 0))
        #expect(heard.samples.count == Self.tone.count)
        #expect(heard.warnings == [.unfinished(seconds: 2)])
    }

    /// The recorder continued after it had written its header for the last time.
    @Test func soundBeyondTheHeadersEndIsRead() throws {
        let heard = try reading(wav(riff: 36 + 96_000, data: 96_000))
        #expect(heard.samples.count == Self.tone.count)
        #expect(heard.warnings == [.goesOn(seconds: 1)])
    }

    /// Chunks and tags after the sound are not read as sound.
    @Test(arguments: [
        Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8),
        Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125),
        [UInt8](repeating: 0, count: 4_096),
    ])
    func bytesAfterTheSoundAreNotRead(_ rest: [UInt8]) throws {
        let heard = try reading(wav(after: rest))
        #expect(heard.samples.count == Self.tone.count)
        #expect(heard.warnings.isEmpty)
    }

    /// An empty recording with a title is empty.
    @Test func aTitleIsNotSound() throws {
        try inFolder { folder in
            let header = wav(data: 0)[..<44]
            let title = Array("LIST".utf8) + [12, 0, 0, 0] + Array("INFOINAM".utf8) + [0, 0, 0, 0]
            try (header + Data(title)).write(to: folder.appending(path: "a.wav"))
            #expect(
                whatIsWrong(with: folder.file("a.wav"))?.reason == "holds no sound: not one sample follows its header")
        }
    }

    /// The same for AIFF, Wave64 and AU, which store the length at other places.
    @Test(arguments: [(SF_FORMAT_AIFF, "SSND", 4, 4), (SF_FORMAT_W64, "data", 16, 8), (SF_FORMAT_AU, ".snd", 8, 4)])
    func otherHeadersWithoutALengthAreReadToTheEnd(_ format: Int, _ mark: String, _ offset: Int, _ width: Int) throws {
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try write(answer, to: folder.file("a"), rate: 16_000, format: format | SF_FORMAT_PCM_16)
            var bytes = [UInt8](try Data(contentsOf: folder.appending(path: "a")))
            let place = try #require(bytes.firstRange(of: Array(mark.utf8))).lowerBound + offset
            for index in 0..<width { bytes[place + index] = 0 }
            try Data(bytes).write(to: folder.appending(path: "a"))
            let heard = try AudioFilesTests.reading(ofFile: folder.file("a"))
            #expect(heard.samples == answer)
            #expect(heard.warnings == [.unfinished(seconds: Double(answer.count) / 16_000)])
        }
    }

    /// The bytes of a file determine its container, not its name.
    @Test func theContainerIsNamedByItsBytes() throws {
        try inFolder { folder in
            for (kind, container) in [
                (Recording.wav, RecordingContainer.wav), (.flac, .flac), (.opus(bitRate: 32_000), .ogg),
            ] {
                try record(sine(400, seconds: 1), to: folder.file("a.mp3"), as: kind)
                #expect(try SoundFileReader(path: folder.file("a.mp3")).container == container)
            }
        }
    }
}
