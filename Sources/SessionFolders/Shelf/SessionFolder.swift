public import ExamCore
import FoundationEssentials
import Glibc
public import SystemSupport

/// A session on disk: everything that one exam leaves behind. Only its owner can read it.
///
/// ```swift
/// let folder = try SessionFolder.create(at: "my-exam")      // For a new session.
/// let earlier = try SessionFolder.open(at: "their-exam")    // One that is there.
/// for take in try earlier.readManifest()?.takes ?? [] { print(earlier.path + "/" + take.file) }
/// ```
///
/// ```
/// exam.json       the frozen format, paper and options of the exam
/// session.json    its start and the person's consent (SessionRecord); not in replays
/// log.jsonl       one line per change (SessionLog)
/// clock           the room's time a moment ago, during preparation (SessionClock)
/// notes.txt       the candidate's notes about the card
/// delivery        the id under which its answers are delivered; only if they are to be
/// manifest.json   the takes with their digests, once the exam is over
/// assessment.json measurements of the takes; transcripts.json and marks.json: people's transcripts and marks
/// findings.json   the assessors' findings; calls.jsonl: requests to services and their answers
/// mended.json     sentences with mistakes that come back in drills
/// figures.json    a digest of the files above, made again if one of them changes
/// takes/          part1_q1.wav while it is open, part1_q1.opus when it is closed and encoded
/// ```
public struct SessionFolder: Sendable {
    /// The path as the caller gave it.
    public let path: String

    /// The last part of the path: the session's id.
    public var name: String { String(path.split(separator: "/").last ?? "session") }
    /// The path of the log, which has one line per change.
    public var log: String { path + "/log.jsonl" }
    /// The path of the list of takes. The file exists once the exam is over or was left before its end.
    public var manifest: String { path + "/manifest.json" }
    /// The path of the frozen format, paper and options.
    public var exam: String { path + "/exam.json" }
    /// The path of the record of start and consent. Replays have none.
    public var record: String { path + "/session.json" }
    /// The path of the room's time a moment ago, written during preparation.
    public var clock: String { path + "/clock" }
    /// The path of the candidate's notes about the card.
    public var notes: String { path + "/notes.txt" }
    /// The path of the folder of recordings.
    public var takes: String { path + "/takes" }
    /// The path of the id under which answers are delivered. It exists only if they are to be delivered.
    public var delivery: String { path + "/delivery" }

    /// Returns the path of a take's encoded file (`takes/part1_q1.opus`) until it is complete.
    package func unfinished(_ encodedFile: String) -> String { "\(path)/\(encodedFile).part" }

    /// Makes a folder for a new session.
    ///
    /// A folder without `exam.json`, left by a session that was killed before it began, is as good as new.
    ///
    /// - Throws: `Problem.occupied` if the folder exists and holds anything else; `unwritable`.
    public static func create(at path: String) throws(Problem) -> SessionFolder {
        let folder = SessionFolder(path: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let takes = (try? FileManager.default.contentsOfDirectory(atPath: folder.takes)) ?? []
        let remains = ["takes", "session.json", "session.json.part", "exam.json.part", "delivery", "delivery.part"]
        guard takes.isEmpty, names.allSatisfy(remains.contains) else {
            throw Problem(.occupied, "\(path): already holds files; name a folder that is empty or new")
        }
        do {
            try PrivateFile.createFolder(folder.takes)
        } catch {
            throw Problem(error.kind == .unwritable ? .occupied : error.kind, error.sentence)
        }
        return folder
    }

    /// Opens an existing session.
    ///
    /// - Throws: `Problem.missing` if the folder doesn't hold a session.
    public static func open(at path: String) throws(Problem) -> SessionFolder {
        let folder = SessionFolder(path: path)
        guard access(folder.exam, R_OK) == 0 else {
            throw Problem(.missing, "\(path): is not a session's folder: it has no exam.json")
        }
        return folder
    }

    /// Erases a session if the folder holds one and nothing else. Only for replays, which can be made again.
    ///
    /// - Returns: Whether the folder is gone.
    @discardableResult
    package static func erase(at path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return true }
        let ours = ["exam.json", "log.jsonl", "manifest.json", "takes", "clock", "assessment.json"]
        guard names.allSatisfy({ ours.contains($0) }) else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    /// Reads the format, paper and options of the session.
    ///
    /// - Throws: `Problem`: `missing`, `malformed`.
    public func frozenExam() throws(Problem) -> FrozenExam {
        try FrozenExam(PrivateFile.read(exam), from: exam)
    }

    /// Reads only the ids and options of the session's exam. A line of a list doesn't need the paper's words.
    ///
    /// - Throws: The same errors as `frozenExam`.
    func examHeading() throws(Problem) -> ExamHeading {
        let bytes = try PrivateFile.read(exam)
        guard let heading = try? JSONFile.decodeLine(ExamHeading.self, from: bytes) else {
            throw FrozenExam.malformed(exam)
        }
        return heading
    }

    /// Reads `session.json`; nil if it is missing.
    ///
    /// - Throws: `Problem.malformed`.
    public func readRecord() throws(Problem) -> SessionRecord? {
        try read(SessionRecord.self, "session", version: SessionRecord.layoutVersion, from: record)
    }

    /// - Throws: `Problem.unwritable`.
    public func write(_ record: SessionRecord) throws(Problem) {
        try PrivateFile.replace(self.record, with: JSONFile.encode(record))
    }

    /// Reads the candidate's notes; empty if the file is missing.
    public func readNotes() -> String {
        (try? PrivateFile.read(notes)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Stores the candidate's notes, so that they survive a crash.
    ///
    /// - Throws: `Problem.unwritable`.
    public func keep(notes text: String) throws(Problem) {
        try PrivateFile.replace(notes, with: Array(text.utf8))
    }

    /// Reads `manifest.json`; nil if it doesn't exist yet.
    ///
    /// - Throws: `Problem.malformed`.
    public func readManifest() throws(Problem) -> Manifest? {
        try read(Manifest.self, "manifest", version: Manifest.layoutVersion, from: manifest)
    }

    private func read<Value: Codable>(
        _ type: Value.Type,
        _ kind: String,
        version: Int,
        from path: String
    ) throws(Problem) -> Value? {
        guard access(path, F_OK) == 0 else { return nil }
        return try JSONFile.decodeOwn(type, kind, version: version, from: PrivateFile.read(path), name: path)
    }
}

/// The content of `exam.json`.
extension FrozenExam {
    /// - Parameter name: The file's name in messages: its path.
    /// - Throws: `Problem.malformed`.
    package init(_ bytes: [UInt8], from name: String) throws(Problem) {
        do {
            self = try JSONFile.decodeLine(FrozenExam.self, from: bytes)
        } catch {
            throw Self.malformed(name)
        }
    }

    fileprivate static func malformed(_ name: String) -> Problem {
        Problem(.malformed, "\(name): does not describe a session's exam")
    }

    /// The content of the file.
    package var bytes: [UInt8] { JSONFile.encode(self) }
}

/// The ids and options in `exam.json`.
struct ExamHeading: Decodable {
    struct Named: Decodable { var id: String }
    var format: Named
    var paper: Named
    var options: ExamOptions
}
