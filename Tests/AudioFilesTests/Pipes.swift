import AudioFiles
import CSndFile
import Foundation
import Testing

/// Sound from a pipe is read like a file.
@Suite struct Pipes {
    /// Sends a file through a pipe while the body reads from it.
    private func sending<Value>(_ path: String, _ body: (Int32) throws -> Value) throws -> Value {
        let pipe = Pipe()
        let cat = Process()
        cat.executableURL = URL(filePath: "/bin/cat")
        cat.arguments = [path]
        cat.standardOutput = pipe
        try cat.run()
        try pipe.fileHandleForWriting.close()
        defer {
            try? pipe.fileHandleForReading.close()
            cat.waitUntilExit()
        }
        return try body(pipe.fileHandleForReading.fileDescriptor)
    }

    private func samples(of reader: SoundFileReader) throws -> [Float] {
        let reader = BlockReader(reader)
        var all: [Float] = []
        while let block = try reader.next() { all += block.samples }
        return all
    }

    @Test(arguments: Recording.all)
    func aPipeIsReadLikeItsFile(_ kind: Recording) throws {
        try inFolder { folder in
            try record(try spokenAnswer("home-4"), to: folder.file("a"), as: kind)
            let heard = try sending(folder.file("a")) { try samples(of: SoundFileReader(pipe: $0, named: "stdin")) }
            #expect(try heard == blocks(ofFile: folder.file("a")))
        }
    }

    @Test func errorsNameThePipe() throws {
        try inFolder { folder in
            try Data("Dear examiner".utf8).write(to: folder.appending(path: "letter"))
            try Data().write(to: folder.appending(path: "empty"))
            for (name, reason) in [
                ("letter", "is not a sound file that can be read (Format not recognised)"),
                ("empty", "is empty (0 bytes)"),
            ] {
                let error = try sending(folder.file(name)) { pipe in
                    failure { _ = try SoundFileReader(pipe: pipe, named: "stdin") }
                }
                #expect(error == SoundFileError(kind: .unusable, path: "stdin", reason: reason))
            }
        }
    }

    @Test func noTemporaryFileIsLeft() throws {
        try inFolder { folder in
            try record(sine(400, seconds: 1), to: folder.file("a.wav"), as: .wav)
            let reader = try sending(folder.file("a.wav")) {
                try SoundFileReader(pipe: $0, named: "stdin", in: folder.path)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wav"])
            #expect(try samples(of: reader).count == 16_000)
        }
    }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        try inFolder { folder in
            try record(sine(400, seconds: 1), to: folder.file("a.wav"), as: .wav)
            let error = try sending(folder.file("a.wav")) { pipe in
                failure { _ = try SoundFileReader(pipe: pipe, named: "stdin", in: folder.file("none")) }
            }
            #expect(error?.kind == .unwritable)
            #expect(
                error?.description == """
                    \(folder.file("none")): has no room for what stdin sends (no such file or directory); \
                    set TMPDIR to another folder
                    """)
        }
    }

    @Test(.enabled(if: smallDisksCanBeMade, "only root may mount a small disk"))
    func aDiskThatIsTooSmallForItIsNamed() throws {
        try inFolder { folder in
            try record(sine(400, seconds: 10), to: folder.file("a.wav"), as: .wav)
            try onASmallDisk { disk in
                let error = try sending(folder.file("a.wav")) { pipe in
                    failure { _ = try SoundFileReader(pipe: pipe, named: "stdin", in: disk.path) }
                }
                #expect(error?.kind == .unwritable && error?.path == disk.path)
                #expect(error?.reason.contains("(no space left on device)") == true)
            }
        }
    }
}
