import Testing

/// Sound that is written and read again.
@Suite struct RoundTrips {
    static let lossless: [Recording] = [.growingWAV, .wav, .flac]

    @Test(arguments: lossless)
    func everyBitIsKept(_ kind: Recording) throws {
        try inFolder { folder in
            try record(everySampleValue, to: folder.file("a"), as: kind)
            #expect(try samples(ofFile: folder.file("a")) == everySampleValue)
        }
    }

    @Test(arguments: lossless)
    func samplesAreRoundedToTheNearestValue(_ kind: Recording) throws {
        // A slow slope through zero: 50,000 different samples.
        let slope = (0..<50_000).map { Float($0 - 25_000) / 26_001.7 }
        try inFolder { folder in
            try record(slope, to: folder.file("a"), as: kind)
            let errors = zip(slope, try samples(ofFile: folder.file("a"))).map { abs($0 - $1) * 32_768 }
            #expect(errors.count == slope.count)
            #expect(errors.max()! <= 0.501)
        }
    }

    @Test(arguments: lossless)
    func samplesBeyondFullScaleAreClippedNotWrapped(_ kind: Recording) throws {
        let loud: [Float] = [1, 1.001, 1.5, 2, 40, 1e9, 3e38, -1, -1.001, -1.5, -2, -40, -1e9, -3e38]
        try inFolder { folder in
            try record(loud, to: folder.file("a"), as: kind)
            let highest: Float = 32_767 / 32_768
            let expected: [Float] = Array(repeating: highest, count: 7) + Array(repeating: -1, count: 7)
            #expect(try samples(ofFile: folder.file("a")) == expected)
        }
    }

    /// An invalid sample must not end a recording. Silence does the least harm.
    @Test func aSampleThatIsNotANumberIsRecordedAsSilence() throws {
        try inFolder { folder in
            try record([0.5, .nan, -0.5, -.nan, .infinity, -.infinity], to: folder.file("a"), as: .growingWAV)
            #expect(try samples(ofFile: folder.file("a")) == [0.5, 0, -0.5, 0, 32_767 / 32_768, -1])
        }
    }
}
