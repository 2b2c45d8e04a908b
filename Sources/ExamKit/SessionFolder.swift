import ExamCore
import FoundationEssentials
import Glibc

/// A session on disk: everything that one exam leaves behind, readable by its owner only.
///
/// ```
/// exam.json       format, paper and options the exam was held with, frozen
/// log.jsonl       one line per change (SessionLog)
/// manifest.json   the takes with their digests, once the exam is over
/// takes/          part1_q1.wav while it is open, part1_q1.opus when it is closed and encoded
/// ```
public struct SessionFolder: Sendable {
    public let path: String

    public var log: String { path + "/log.jsonl" }
    public var manifest: String { path + "/manifest.json" }
    public var exam: String { path + "/exam.json" }
    public var takes: String { path + "/takes" }

    /// Makes a folder for a new session.
    ///
    /// - Throws: `Problem.occupied` where the folder exists and holds anything; `unwritable`.
    public static func create(at path: String) throws(Problem) -> SessionFolder {
        let folder = SessionFolder(path: path)
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
            throw Problem(.occupied, "\(path): holds files already; name a folder that is empty or not there")
        }
        do {
            try PrivateFile.createFolder(folder.takes)
        } catch {
            throw Problem(error.kind == .unwritable ? .occupied : error.kind, error.sentence)
        }
        return folder
    }

    /// Erases a session, if the folder holds one and nothing else; used for what a replay can make again.
    ///
    /// - Returns: whether the folder is gone.
    @discardableResult
    static func erase(at path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return true }
        let ours = ["exam.json", "log.jsonl", "manifest.json", "takes"]
        guard names.allSatisfy({ ours.contains($0) }) else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    /// What the exam is held with, as it is kept in `exam.json`.
    struct FrozenExam: Codable {
        var format: ExamFormat
        var paper: Paper
        var options: ExamOptions
    }

    /// - Returns: the SHA-256 of the file.
    func freeze(_ sitting: Sitting) throws(Problem) -> String {
        let frozen = FrozenExam(format: sitting.format, paper: sitting.paper, options: sitting.script.options)
        let bytes = JSONFile.encode(frozen)
        try PrivateFile.replace(exam, with: bytes)
        return SHA256.hexadecimal(of: bytes)
    }
}

extension ExamScript {
    /// The name of a take's file without its ending: `part1_q3` (C2), and `part1_q3_a2` for a second attempt.
    func name(of take: Exam.Take) -> String {
        let turn = turns[take.turn]
        return "part\(parts[turn.part].number)_q\(turn.order)" + (take.attempt > 1 ? "_a\(take.attempt)" : "")
    }
}
