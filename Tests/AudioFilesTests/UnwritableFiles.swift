import AudioFiles
import Foundation
import Testing

/// The place and permissions of new recordings, and the errors if they can't be made.
@Suite struct UnwritableFiles {
    @Test(arguments: Recording.all)
    func onlyItsOwnerMayReadARecording(_ kind: Recording) throws {
        try inFolder { folder in
            try record(sine(400, seconds: 0.1), to: folder.file("a"), as: kind)
            #expect(try permissions(ofFile: folder.file("a")) == 0o600)
        }
    }

    @Test(arguments: [Recording.growingWAV, .wav])
    func aRecordingInThePlaceOfAnotherFileIsAsPrivate(_ kind: Recording) throws {
        try inFolder { folder in
            try Data(repeating: 1, count: 100_000).write(to: folder.appending(path: "a.wav"))
            try #require(chmod(folder.file("a.wav"), 0o644) == 0)
            try record(sine(400, seconds: 0.1), to: folder.file("a.wav"), as: kind)
            #expect(try samples(ofFile: folder.file("a.wav")).count == 1_600)
            #expect(try size(ofFile: folder.file("a.wav")) == 3_244)
            #expect(try permissions(ofFile: folder.file("a.wav")) == 0o600)
        }
    }

    @Test(arguments: Recording.all)
    func aFolderThatIsNotThere(_ kind: Recording) throws {
        try inFolder { folder in
            let path = folder.file("none/a.wav")
            let expected = SoundFileError(kind: .unwritable, path: path, reason: "no such file or directory")
            #expect(failure { try record([0], to: path, as: kind) } == expected)
        }
    }

    @Test(arguments: Recording.all)
    func aFolderInTheFilesPlace(_ kind: Recording) throws {
        try inFolder { folder in
            let expected = SoundFileError(kind: .unwritable, path: folder.path, reason: "is a directory")
            #expect(failure { try record([0], to: folder.path, as: kind) } == expected)
        }
    }

    @Test func aFolderOfAnotherUser() async {
        await #expect(processExitsWith: .success) {
            try inFolder { folder in
                try #require(chmod(folder.path, 0o555) == 0)
                defer { chmod(folder.path, 0o755) }
                try asNobody {
                    for kind in Recording.all {
                        let path = folder.file("a.wav")
                        let expected = SoundFileError(kind: .unwritable, path: path, reason: "permission denied")
                        #expect(failure { try record([0], to: path, as: kind) } == expected)
                    }
                }
            }
        }
    }

    @Test func closingTwiceIsClosing() throws {
        try inFolder { folder in
            let writer = try SoundFileWriter(path: folder.file("a.wav"), encoding: .wav)
            try writer.write(AudioBlock.silence)
            try writer.close(durably: true)
            try writer.close(durably: true)
            #expect(failure { try writer.write(AudioBlock.silence) }?.kind == .unwritable)
            #expect(try samples(ofFile: folder.file("a.wav")).count == 320)
        }
    }

    @Test(arguments: Recording.all)
    func nothingIsOpenAfterwards(_ kind: Recording) throws {
        try inFolder { folder in
            let writer = try SoundFileWriter(path: folder.file("unfinished"), encoding: .flac)
            try writer.write(AudioBlock.silence)
            #expect(try openFiles(in: folder) == [folder.file("unfinished")])
            try writer.close(durably: false)

            try record(sine(400, seconds: 0.1), to: folder.file("a"), as: kind)
            #expect(try blocks(ofFile: folder.file("a")).count == 1_600)
            try cutOff(folder.file("a"), after: 0.01)
            #expect(whatIsWrong(with: folder.file("a")) != nil)
            #expect(try openFiles(in: folder) == [])
        }
    }
}

/// Returns the files in a folder that this process has open.
private func openFiles(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        .filter { $0.hasPrefix(folder.path) }
}

private func permissions(ofFile path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}

/// Runs the body without root's rights, if this process has them. Only for a process of its own, because the rights
/// belong to all threads.
func asNobody(_ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    // Both the real and the effective user. The saved one stays root, to restore them.
    try #require(setreuid(65_534, 0) == 0 && seteuid(65_534) == 0)
    defer { if seteuid(0) == 0 { setreuid(0, 0) } }
    try body()
}
