import AudioFiles
import CSndFile
import Foundation
import Testing

/// A file that ends too early is never taken for a shorter one: a candidate's answer would be lost without a word.
@Suite struct CutOffFiles {
    @Test func aWAVFileThatIsCutOff() throws {
        let error = try complaintAboutTheAnswer(as: .growingWAV, cutOffAfter: 0.6)
        #expect(error?.kind == .unusable)
        #expect(error?.reason == "is cut off: it holds less sound than its header promises")
    }

    @Test func aFLACFileThatIsCutOff() throws {
        let error = try #require(try complaintAboutTheAnswer(as: .flac, cutOffAfter: 0.6))
        #expect(error.kind == .unusable)
        let words = error.reason.split(separator: " ")
        #expect(words.prefix(4) == ["does", "not", "decode", "after"])
        // Of 3.7 s; silence takes fewer bytes than speech.
        let seconds = try #require(Double(words[4]))
        #expect((1.5...3).contains(seconds))
        #expect(error.reason.hasSuffix(" s (Error : flac decoder lost sync)"))
    }

    @Test func anOpusFileThatIsCutOff() throws {
        let error = try complaintAboutTheAnswer(as: .opus(bitRate: 32_000), cutOffAfter: 0.6)
        #expect(error?.kind == .unusable)
        #expect(error?.reason == "is cut off: it holds less sound than its header promises")
    }

    @Test(arguments: [0.001, 0.01, 0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.99, 0.9999])
    func aFileIsRefusedWhereverItIsCutOff(_ part: Double) throws {
        for kind in Recording.all {
            let error = try complaintAboutTheAnswer(as: kind, cutOffAfter: part)
            #expect(error?.kind == .unusable, "\(kind)")
        }
    }

    @Test(arguments: ["AIFF", "AU", "CAF", "W64", "RF64", "WAVEX"])
    func aFileOfAnotherKindThatIsCutOff(_ name: String) throws {
        let kinds = [
            "AIFF": SF_FORMAT_AIFF, "AU": SF_FORMAT_AU, "CAF": SF_FORMAT_CAF, "W64": SF_FORMAT_W64,
            "RF64": SF_FORMAT_RF64, "WAVEX": SF_FORMAT_WAVEX,
        ]
        try inFolder { folder in
            let format = kinds[name]! | SF_FORMAT_PCM_16
            try write(try spokenAnswer("short"), to: folder.file("a"), rate: 16_000, format: format)
            try cutOff(folder.file("a"), after: 0.6)
            let error = whatIsWrong(with: folder.file("a"))
            #expect(error?.kind == .unusable)
        }
    }

    /// A voice that writes to a pipe cannot know the length when it writes the header, and promises the most there can be.
    @Test(arguments: [UInt32(0x7fff_f000), 0x7fff_ffff, 0xffff_ffff])
    func aStreamedFileMayPromiseTooMuch(_ promised: UInt32) throws {
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try record(answer, to: folder.file("a.wav"), as: .growingWAV)
            try put(promised, at: 4, of: folder.file("a.wav"))
            try put(promised, at: 40, of: folder.file("a.wav"))
            #expect(try samples(ofFile: folder.file("a.wav")) == answer)
        }
    }

    @Test(arguments: [UInt32(0), 36, 1_000_000])
    func theLengthOfTheWholeMayBeWrongWhereThatOfTheSoundIsRight(_ length: UInt32) throws {
        let answer = try spokenAnswer("short")
        try inFolder { folder in
            try record(answer, to: folder.file("a.wav"), as: .growingWAV)
            try put(length, at: 4, of: folder.file("a.wav"))
            #expect(try samples(ofFile: folder.file("a.wav")) == answer)
        }
    }

    private func put(_ number: UInt32, at offset: UInt64, of path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: withUnsafeBytes(of: number.littleEndian) { Array($0) })
        try file.close()
    }

    private func complaintAboutTheAnswer(
        as kind: Recording, cutOffAfter part: Double
    ) throws -> SoundFileError? {
        try inFolder { folder in
            try record(try spokenAnswer("sentence-4"), to: folder.file("a"), as: kind)
            try #require(whatIsWrong(with: folder.file("a")) == nil, "whole it is fine")
            try cutOff(folder.file("a"), after: part)
            return whatIsWrong(with: folder.file("a"))
        }
    }
}
