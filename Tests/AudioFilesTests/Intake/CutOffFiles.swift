import AudioFiles
import CSndFile
import Foundation
import Testing

/// A file that ends too early is read to its end, and the missing sound is reported in seconds, so that an answer never
/// becomes shorter without a warning.
@Suite struct CutOffFiles {
    @Test func aWAVFileThatIsCutOffIsReadToItsEnd() throws {
        let answer = try spokenAnswer("sentence-4")
        try inFolder { folder in
            try record(answer, to: folder.file("a.wav"), as: .wav)
            try #require(truncate(folder.file("a.wav"), off_t(44 + 2 * (answer.count - 6_400))) == 0)
            let heard = try reading(ofFile: folder.file("a.wav"))
            #expect(heard.samples == Array(answer.dropLast(6_400)))
            #expect(heard.warnings == [.endsEarly(seconds: 0.4)])
            #expect(heard.warnings[0].description == "The file ends 0.4 s before its header says.")
        }
    }

    /// In lossless kinds, the samples read and the missing ones add up exactly.
    @Test(arguments: [Recording.wav, .growingWAV, .flac], [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.99, 0.9999])
    func readAndMissingSecondsAddUp(_ kind: Recording, _ part: Double) throws {
        let answer = try spokenAnswer("sentence-4")
        try inFolder { folder in
            try record(answer, to: folder.file("a"), as: kind)
            try cutOff(folder.file("a"), after: part)
            // A FLAC file may end within its first frame.
            guard let heard = try? reading(ofFile: folder.file("a")) else {
                #expect(kind == .flac && part < 0.2)
                return
            }
            #expect(answer.starts(with: heard.samples))
            let missing = heard.warnings.reduce(0) { $0 + $1.missingSeconds }
            #expect(missing > 0)
            #expect(abs(Double(heard.samples.count) / 16_000 + missing - Double(answer.count) / 16_000) < 0.001)
        }
    }

    /// The page that is cut still has the time of its end.
    @Test(arguments: [0.35, 0.5, 0.65, 0.8, 0.95])
    func anOpusFileThatIsCutOffTellsTheLossOfItsPage(_ part: Double) throws {
        let answer = try spokenAnswer("sentence-4")
        try inFolder { folder in
            try record(answer, to: folder.file("a"), as: .opus(bitRate: 32_000))
            try cutOff(folder.file("a"), after: part)
            let heard = try reading(ofFile: folder.file("a"))
            #expect(heard.samples.count < answer.count && heard.samples.count >= 16_000 / 2)
            guard case .endsEarly(let seconds)? = heard.warnings.first else {
                Issue.record("\(heard.warnings)")
                return
            }
            #expect(0.01...1.01 ~= seconds)
        }
    }

    /// A header that is cut says nothing about the sound.
    @Test(arguments: [0.0001, 0.0003])
    func aFileWithoutAWholeHeaderIsRefused(_ part: Double) throws {
        try inFolder { folder in
            for kind in Recording.all {
                try record(try spokenAnswer("sentence-4"), to: folder.file("a"), as: kind)
                try cutOff(folder.file("a"), after: part)
                #expect(whatIsWrong(with: folder.file("a"))?.kind == .unusable, "\(kind)")
            }
        }
    }

    @Test(arguments: ["AIFF", "AU", "CAF", "W64", "RF64", "WAVEX"])
    func aFileOfAnotherKindThatIsCutOff(_ name: String) throws {
        let kinds = [
            "AIFF": SF_FORMAT_AIFF, "AU": SF_FORMAT_AU, "CAF": SF_FORMAT_CAF, "W64": SF_FORMAT_W64,
            "RF64": SF_FORMAT_RF64, "WAVEX": SF_FORMAT_WAVEX,
        ]
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try write(answer, to: folder.file("a"), rate: 16_000, format: kinds[name]! | SF_FORMAT_PCM_16)
            try cutOff(folder.file("a"), after: 0.6)
            let heard = try reading(ofFile: folder.file("a"))
            #expect(answer.starts(with: heard.samples) && heard.samples.count > answer.count / 3)
            let missing = heard.warnings.reduce(0) { $0 + $1.missingSeconds }
            #expect(abs(Double(heard.samples.count) / 16_000 + missing - Double(answer.count) / 16_000) < 0.001)
        }
    }

    /// A speech synthesizer that writes to a pipe doesn't know the length when it writes the header, and announces the
    /// largest one.
    @Test(arguments: [UInt32(0x7fff_f000), 0x7fff_ffff, 0xffff_ffff])
    func aStreamedFileMayPromiseTooMuch(_ promised: UInt32) throws {
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try record(answer, to: folder.file("a.wav"), as: .growingWAV)
            try put(promised, at: 4, of: folder.file("a.wav"))
            try put(promised, at: 40, of: folder.file("a.wav"))
            let heard = try reading(ofFile: folder.file("a.wav"))
            #expect(heard.samples == answer && heard.warnings.isEmpty)
        }
    }

    @Test(arguments: [UInt32(0), 36, 1_000_000])
    func aWrongFileLengthIsIgnoredIfTheSoundsLengthIsRight(_ length: UInt32) throws {
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try record(answer, to: folder.file("a.wav"), as: .growingWAV)
            try put(length, at: 4, of: folder.file("a.wav"))
            let heard = try reading(ofFile: folder.file("a.wav"))
            #expect(heard.samples == answer && heard.warnings.isEmpty)
        }
    }

    private func put(_ number: UInt32, at offset: UInt64, of path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: withUnsafeBytes(of: number.littleEndian) { Array($0) })
        try file.close()
    }
}
