import AudioFiles
import Testing

/// The loudest sample of each stretch of a sound.
@Suite struct SoundPeaksTests {
    @Test func eachStretchHasItsLoudest() throws {
        try inFolder { folder in
            let samples =
                [Float](repeating: 0, count: 800) + sine(400, amplitude: 0.5, seconds: 0.05)
                + sine(400, amplitude: 0.25, seconds: 0.05) + [-0.75, 0.1]
            let path = folder.file("steps.wav")
            let writer = try SoundFileWriter(path: path, encoding: .wav)
            try writer.write(samples[...])
            try writer.close(durably: false)
            // The last stretch is the remaining two samples.
            #expect(try SoundPeaks.of(path, step: 0.05) == [0, 0.5, 0.25, 0.75])
        }
    }

    @Test func aFileWithoutSoundIsAnError() throws {
        #expect(throws: SoundFileError.self) { try SoundPeaks.of(fixture("README.md"), step: 0.05) }
    }
}
