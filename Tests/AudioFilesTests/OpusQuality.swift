import AudioFiles
import Testing

/// Opus loses something; how much is measured on candidates' answers at the 32 kbit/s that takes are stored with.
@Suite struct OpusQuality {
    /// libopus 1.3.1 has 20.3 to 22.8 dB here, and 27.2 to 29.5 kbit/s with the container.
    @Test(arguments: ["sentence-4", "home-1", "talk-20"])
    func opusAt32KilobitsKeepsTheAnswer(_ name: String) throws {
        let answer = try spokenAnswer(name)
        try inFolder { folder in
            let path = folder.file("take.opus")
            try record(answer, to: path, as: .opus(bitRate: 32_000))
            let decoded = try samples(ofFile: path)
            #expect(decoded.count == answer.count)
            #expect(abs(lag(of: decoded, behind: answer)) <= 1)
            #expect(signalToNoise(of: decoded, against: answer) > 19)
            let bitRate = try size(ofFile: path) * 8 * AudioFormat.sampleRate / answer.count
            #expect((26_000...32_000).contains(bitRate), "\(bitRate) bit/s (B2)")
        }
    }

    /// 11.6, 20.3 and 29.2 dB.
    @Test func moreBitsMakeABetterCopy() throws {
        let answer = try spokenAnswer("sentence-4")
        try inFolder { folder in
            let quality = try [12_000, 32_000, 96_000].map { bitRate in
                let path = folder.file("\(bitRate).opus")
                try record(answer, to: path, as: .opus(bitRate: bitRate))
                return signalToNoise(of: try samples(ofFile: path), against: answer)
            }
            #expect(quality[0] + 6 < quality[1])
            #expect(quality[1] + 6 < quality[2])
        }
    }

    @Test func whatIsBeyondFullScaleIsClippedInOpusToo() throws {
        try inFolder { folder in
            try record(sine(400, amplitude: 4, seconds: 1), to: folder.file("a.opus"), as: .opus(bitRate: 32_000))
            let decoded = try samples(ofFile: folder.file("a.opus"))
            // A clipped wave that is coded overshoots: 1.65. Unclipped it comes back as 4.04.
            #expect(decoded.max()! < 2)
            #expect(decoded.min()! > -2)
        }
    }
}
