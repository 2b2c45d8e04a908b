import AudioFiles
import ExamCore
import Foundation
import SystemSupport

@testable import SessionFolders

/// The contents of a session's folder, checked from outside by their documented formats. Throws errors instead of
/// trapping.
struct StoredSession {
    let folder: SessionFolder
    let script: ExamScript

    /// A fault of the folder.
    struct Broken: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    /// An answer that is closed in the log, and the samples of it on disk.
    struct Committed: Equatable {
        var take: StoredTake
        var sampleCount: Int
    }

    /// Checks everything after a kill.
    ///
    /// - Parameter earlier: The answers at the last check. All of them must still be there, unchanged.
    func check(after earlier: [Committed]) throws -> [Committed] {
        let logged = try LoggedSession(folder.log, script: script)
        for name in names("/takes") where !name.hasSuffix(".part") {
            guard SessionFolder.isTake(name) else { throw Broken("takes/\(name) is not a recorded answer") }
            _ = try sampleCount("takes/\(name)")
        }
        let committed = try logged.takes.map { take in
            Committed(take: take, sampleCount: try sampleCount(of: take))
        }
        guard committed.count >= earlier.count else {
            throw Broken("\(earlier.count) answers were committed, \(committed.count) are left")
        }
        for (now, before) in zip(committed, earlier) where now != before { throw Broken("was \(before), is \(now)") }
        return committed
    }

    /// Checks everything after the end of a whole exam.
    ///
    /// - Parameter questions: The questions that must have answers, in order.
    func checkCompleted(_ questions: [String], after earlier: [Committed]) throws {
        let committed = try check(after: earlier)
        guard let manifest = try folder.readManifest(), manifest.outcome == .completed, manifest.status == .completed
        else { throw Broken("the manifest is not that of a completed exam") }
        let finished = manifest.takes.filter { $0.end == "finished" }.map(\.question)
        guard finished == questions else { throw Broken("answered were \(finished)") }
        guard manifest.takes.map(\.logged) == committed.map(\.take.logged) else {
            throw Broken("the manifest's takes are not the log's")
        }
        for take in manifest.takes {
            let (byteCount, sha256) = try PrivateFile.digest("\(folder.path)/\(take.file)")
            let samples = try sampleCount(take.file)
            guard byteCount == take.byteCount, sha256 == take.sha256 else { throw Broken("\(take.file): digest") }
            guard take.duration == Seconds(.milliseconds(samples / 16)) else { throw Broken("\(take.file): duration") }
            guard take.file.hasSuffix(".opus") || samples == 0 else { throw Broken("\(take.file) was not encoded") }
        }
        for take in manifest.takes where take.end == "finished" {
            let said = try SoundFileReader(path: PocketExam.answers[take.question]!)
            let span = Double(said.frameCount) / Double(said.sampleRate)
            let kept = Double(take.duration.duration.milliseconds) / 1000
            // Only the soft beginning and end of a recording may be lost.
            guard kept > span - 0.1 else { throw Broken("\(take.file) lasts \(kept) s, \(span) s were said") }
        }
        let files = manifest.takes.map { String($0.file.dropFirst("takes/".count)) }.sorted()
        guard names("/takes") == files else { throw Broken("in takes/ lie \(names("/takes"))") }
        let own = ["exam.json", "log.jsonl", "manifest.json", "session.json", "takes"]
        // The measures are there once the results have been shown.
        let kept = names().filter { $0 != "assessment.json" }
        guard kept == own else { throw Broken("in the folder lie \(kept)") }
    }

    func names(_ path: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + path)) ?? []).sorted()
    }

    /// Counts the samples of a take in the log: of the encoded file, or else of the WAV.
    private func sampleCount(of take: StoredTake) throws -> Int {
        let opus = take.file.dropLast(".wav".count) + ".opus"
        if access("\(folder.path)/\(opus)", F_OK) == 0 { return try sampleCount(String(opus)) }
        return try sampleCount(take.file)
    }

    /// Opens a take as any player would, and plays it to its end.
    ///
    /// - Returns: The number of its samples, including those that a WAV's header doesn't count yet.
    func sampleCount(_ file: String) throws -> Int {
        let path = "\(folder.path)/\(file)"
        var promised: Int?
        var sampleCount = 0
        if file.hasSuffix(".wav") {
            guard let bytes = FileManager.default.contents(atPath: path) else { throw Broken("\(file) is gone") }
            if bytes.count < 44 { return 0 }  // Killed before its header was written.
            let size = (0..<4).reduce(0) { $0 | Int(bytes[40 + $1]) << (8 * $1) }
            sampleCount = (bytes.count - 44) / 2
            guard bytes.prefix(4) == Data("RIFF".utf8), size % 2 == 0, size / 2 <= sampleCount else {
                throw Broken("\(file): the header promises \(size) bytes, there are \(bytes.count - 44)")
            }
            if size == 0 { return sampleCount }
            promised = size / 2
        }
        let reader = try SoundFileReader(path: path)
        guard reader.sampleRate == 16_000, reader.channelCount == 1, promised ?? reader.frameCount == reader.frameCount
        else { throw Broken("\(file): \(reader.frameCount) samples, not \(promised ?? 0)") }
        var samples = [Float](repeating: 0, count: 4_096)
        var played = 0
        while case let count = try reader.read(samples.count, into: &samples), count > 0 { played += count }
        guard played == reader.frameCount else { throw Broken("\(file): plays \(played) of \(reader.frameCount)") }
        return max(sampleCount, played)
    }
}

extension StoredTake {
    /// The facts of a take that the log has.
    fileprivate var logged: [String] {
        let name = file.prefix { $0 != "." }
        return [
            String(name), record.question, end, "\(record.attempt)", "\(openedAt.duration)", "\(closedAt.duration)",
        ]
    }
}
