import AudioFiles
import FoundationEssentials
import Glibc
public import SystemSupport

/// A copy of a session, made on request: either the whole session or nothing.
public struct SessionExport: Sendable {
    /// A session folder like the original.
    public let folder: SessionFolder
    /// The files in the order in which they were written, as paths in the folder: `takes/part1_q3.opus`.
    public fileprivate(set) var files: [String] = []
    /// The size of all files together.
    public fileprivate(set) var byteCount = 0
    /// The folders that the export created, the outermost first.
    private var made: [String] = []
}

extension SessionShelf {
    /// Copies a session's files into a folder that only its owner can read, and waits until they are on disk.
    ///
    /// - Parameters:
    ///   - folder: A session on this shelf or anywhere else.
    ///   - path: A folder that is empty or missing.
    ///   - wav: Whether to decode encoded takes as well: `takes/part1_q3.wav` beside `takes/part1_q3.opus`.
    /// - Throws: `Problem`: `occupied` if a program is using the session, or `path` isn't empty; `unwritable`;
    ///   `malformed` if a take does not decode. No part of the copy remains then.
    public func export(_ folder: SessionFolder, to path: String, wav: Bool = false) throws(Problem) -> SessionExport {
        let lock = try SessionLock(folder, LOCK_SH)
        defer { lock.end() }
        var export = try SessionExport(to: path)
        do throws(Problem) {
            // The takes come first and `exam.json` last, so that a copy cut short by a kill isn't taken for a session.
            let names = folder.files.map(\.name)
            for name in names where name != "exam.json" { try export.copy(name, of: folder) }
            if wav {
                for name in names where name.hasSuffix(".opus") { try export.decode(name, of: folder) }
            }
            if names.contains("exam.json") { try export.copy("exam.json", of: folder) }
        } catch {
            export.takeBack()
            throw error
        }
        return export
    }
}

extension SessionExport {
    fileprivate init(to path: String) throws(Problem) {
        folder = SessionFolder(path: path)
        if access(path, F_OK) == 0, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty != true {
            throw Problem(.occupied, "\(path): name a folder that is empty or new")
        }
        var missing = folder.takes
        while missing != ".", access(missing, F_OK) != 0 {
            made.insert(missing, at: 0)
            missing = missing.folder
        }
        do throws(Problem) {
            try PrivateFile.createFolder(folder.takes)
        } catch {
            takeBack()
            throw Problem(.occupied, error.sentence)
        }
    }

    fileprivate mutating func copy(_ name: String, of session: SessionFolder) throws(Problem) {
        let bytes = try PrivateFile.read("\(session.path)/\(name)")
        try PrivateFile.replace("\(folder.path)/\(name)", with: bytes)
        files.append(name)
        byteCount += bytes.count
    }

    fileprivate mutating func decode(_ name: String, of session: SessionFolder) throws(Problem) {
        let wav = name.dropLast(".opus".count) + ".wav"
        guard !files.contains(String(wav)) else { return }  // The take is still the original WAV, because of a kill.
        let target = "\(folder.path)/\(wav)"
        do throws(SoundFileError) {
            try Self.decode("\(session.path)/\(name)", to: target + ".part")
        } catch {
            unlink(target + ".part")
            throw Problem(error)
        }
        try PrivateFile.move(target + ".part", to: target)
        files.append(String(wav))
        var status = stat()
        if stat(target, &status) == 0 { byteCount += Int(status.st_size) }
    }

    private static func decode(_ source: String, to target: String) throws(SoundFileError) {
        let reader = try SoundFileReader(path: source)
        let writer = try SoundFileWriter(path: target, encoding: .wav)
        try writer.write(reader)
        try writer.close(durably: true)
    }

    fileprivate func takeBack() {
        for file in files { unlink("\(folder.path)/\(file)") }
        for folder in made.reversed() { rmdir(folder) }
    }
}
