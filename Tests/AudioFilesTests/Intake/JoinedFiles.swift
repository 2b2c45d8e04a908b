import AudioFiles
import CSndFile
import Foundation
import Testing

/// Ogg files that were joined end to end are one recording. RFC 3533 allows it, and `cat` makes them.
@Suite struct JoinedFiles {
    @Test(arguments: [1, 2, 5])
    func joinedOpusFilesAreReadToTheLast(_ times: Int) throws {
        try inFolder { folder in
            let names = ["sentence-4", "short"]
            var (joined, parts) = (Data(), [Float]())
            for name in names {
                try record(try spokenAnswer(name), to: folder.file("a.opus"), as: .opus(bitRate: 32_000))
                joined += try Data(contentsOf: folder.appending(path: "a.opus"))
                parts += try samples(ofFile: folder.file("a.opus"))
            }
            try Data((0..<times).flatMap { _ in joined }).write(to: folder.appending(path: "all.opus"))
            let heard = try reading(ofFile: folder.file("all.opus"))
            #expect(heard.samples == (0..<times).flatMap { _ in parts })
            #expect(heard.warnings == [.joined(count: names.count * times)])
            #expect(try SoundFileReader(path: folder.file("all.opus")).frameCount == heard.samples.count)
        }
    }

    /// Parts with another rate or number of channels become 16 kHz mono like the rest.
    @Test func partsOfDifferentKindsAreJoined() throws {
        try inFolder { folder in
            var joined = Data()
            for (rate, channels) in [(16_000, 1), (48_000, 2)] {
                let tone = sine(400, seconds: 2, rate: rate).flatMap { Array(repeating: $0, count: channels) }
                try write(
                    tone, to: folder.file("a.ogg"), rate: rate, channels: channels,
                    format: SF_FORMAT_OGG | SF_FORMAT_VORBIS)
                joined += try Data(contentsOf: folder.appending(path: "a.ogg"))
            }
            try joined.write(to: folder.appending(path: "all.ogg"))
            let heard = try reading(ofFile: folder.file("all.ogg"))
            #expect(heard.sampleRate == 16_000 && heard.samples.count == 64_000)
            let measured = ToneMeasurement(of: 400, in: Array(heard.samples[36_000..<60_000]))
            #expect(abs(decibels(measured.amplitude * measured.amplitude / 0.25)) < 0.5)
        }
    }

    /// The last part is cut off, and the first is still whole.
    @Test func aCutInTheLastPartCostsNothingOfTheFirst() throws {
        try inFolder { folder in
            try record(try spokenAnswer("sentence-4"), to: folder.file("a.opus"), as: .opus(bitRate: 32_000))
            let one = try Data(contentsOf: folder.appending(path: "a.opus"))
            let whole = try samples(ofFile: folder.file("a.opus"))
            try (one + one[..<(one.count / 2)]).write(to: folder.appending(path: "all.opus"))
            let heard = try reading(ofFile: folder.file("all.opus"))
            #expect(heard.samples.starts(with: whole) && heard.samples.count > whole.count)
            #expect(heard.warnings.contains { $0.missingSeconds > 0 })
        }
    }

    /// Damage in the middle costs a page. The sound after it is read.
    @Test func damageInTheMiddleCostsAPage() throws {
        try inFolder { folder in
            try record(try spokenAnswer("home-4"), to: folder.file("a.opus"), as: .opus(bitRate: 32_000))
            let whole = try samples(ofFile: folder.file("a.opus"))
            var bytes = try Data(contentsOf: folder.appending(path: "a.opus"))
            let half = bytes.count / 2
            bytes.replaceSubrange(half..<(half + 100), with: [UInt8](repeating: 0x55, count: 100))
            try bytes.write(to: folder.appending(path: "a.opus"))
            let heard = try reading(ofFile: folder.file("a.opus"))
            #expect(whole.count - heard.samples.count <= 16_000 + 960)
            #expect(heard.warnings.reduce(0) { $0 + $1.missingSeconds } > 0.5)
        }
    }
}
