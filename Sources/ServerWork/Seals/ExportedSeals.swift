import ExamStore
import Foundation
package import SystemSupport

/// The seals in an exported folder (`UserExport`). Checks them against the files beside them, without a server or
/// database.
package struct ExportedSeals {
    private let folder: String
    private let seals, entries, sessions, answers, recordings: [[String: CanonicalJSON]]

    /// - Throws: `Problem.missing` if the folder isn't an export, `malformed` if a file of it can't be read.
    package init(of folder: String) throws(Problem) {
        guard FileFacts(at: folder + "/export.json") != nil else {
            throw Problem(.missing, "\(folder): is not an export; name a folder that \"oracy-server export\" wrote")
        }
        self.folder = folder
        seals = try Self.rows("seals", in: folder)
        entries = try Self.rows("seal-entries", in: folder)
        sessions = try Self.rows("sessions", in: folder)
        answers = try Self.rows("answers", in: folder)
        recordings = try Self.rows("recordings", in: folder)
    }

    /// The lower-case ids of the sessions that the export has, or has seals of.
    package var ids: [String] {
        Set((sessions.map { $0["id"] } + seals.map { $0["session"] }).compactMap { $0?.plain?.lowercased() }).sorted()
    }

    /// - Throws: `Problem.missing` if the export has no such session.
    package func report(of session: String) throws(Problem) -> SealReport {
        let row = sessions.first { $0["id"]?.plain == session }
        let material = try row.map { (row) throws(Problem) in try self.material(of: session, row) }
        guard let seal = seals.first(where: { $0["session"]?.plain == session }) else {
            guard row != nil else {
                throw Problem(.missing, "\(folder): has no session \(session); its folder \"sessions\" lists them")
            }
            return SealReport(session: session, state: .open, held: material?.held)
        }
        let stored = StoredSeal(
            session: UUID(uuidString: session) ?? UUID(), hash: seal["hash"]?.plain ?? "",
            manifest: seal["manifest"]?.plain ?? "", sealedAt: seal["sealed_at"]?.plain ?? "",
            entries: entries.filter { $0["session"]?.plain == session }.compactMap(SealEntry.init(exported:))
                .sorted { $0.number < $1.number })
        var report = SealReport(
            session: session, state: .sealed, held: material?.held, seal: stored.hash, sealedAt: stored.sealedAt,
            entries: stored.entries, differs: stored.differences())
        report.manifest = try? JSONDecoder().decode(SealManifest.self, from: Data(stored.manifest.utf8))
        if let manifest = report.manifest, let material {
            report.differs += SealCheck.differences(manifest, material)
            try readRecordings(of: session, manifest, into: &report)
        } else if report.manifest == nil {
            report.differs.append(SealDifference("manifest", "cannot be read"))
        }
        if !report.differs.isEmpty { report.state = .broken } else if stored.isErased { report.state = .erased }
        return report
    }

    private func material(of session: String, _ row: [String: CanonicalJSON]) throws(Problem) -> SealMaterial {
        let place = "\(folder)/sessions/\(session)"
        let log = FileFacts(at: place + "/log.jsonl") == nil ? [] : try PrivateFile.read(place + "/log.jsonl")
        let exam = FileFacts(at: place + "/exam.json") == nil ? nil : try PrivateFile.read(place + "/exam.json")
        let rows = Dictionary(recordings.compactMap { row in row["id"]?.plain.map { ($0, row) } }) { first, _ in first }
        return SealMaterial(
            session: UUID(uuidString: session) ?? UUID(), held: HeldBy(rawValue: row["held"]?.plain ?? "") ?? .client,
            facts: .init(
                name: row["name"]?.plain ?? "", format: row["format"]?.plain ?? "", paper: row["paper"]?.plain ?? "",
                mode: row["mode"]?.plain, startedAt: row["started_at"]?.plain ?? "",
                completedAt: row["completed_at"]?.plain, outcome: row["outcome"]?.plain),
            answers: answers.filter { $0["test_session_id"]?.plain == session }.compactMap { answer in
                guard let text = answer["id"]?.plain, let id = UUID(uuidString: text), let record = answer["record"],
                    let recording = rows[text], let sha256 = recording["sha256"]?.plain,
                    case .number(let byteCount)? = recording["byte_count"],
                    let mediaType = recording["media_type"]?.plain
                else { return nil }
                return .init(
                    id: id, record: record.written, recording: sha256, byteCount: Int(byteCount), mediaType: mediaType)
            },
            log: log.isEmpty
                ? []
                : String(decoding: log, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                    .dropLast().map(String.init),
            exam: exam)
    }

    private func readRecordings(
        of session: String, _ manifest: SealManifest, into report: inout SealReport
    ) throws(Problem) {
        let place = "\(folder)/audio/\(session)"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for answer in manifest.answers {
            let item = "\(answer.name) recording"
            // A file's name is its object's name, which begins with the answer's id, and a suffix.
            guard let file = files.first(where: { $0.hasPrefix(answer.id + ".") }) else {
                report.differs.append(SealDifference(item, "is not in the export"))
                continue
            }
            report.recordings += 1
            let bytes = try PrivateFile.read("\(place)/\(file)")
            if SHA256.hexadecimal(of: bytes) != answer.recording || bytes.count != answer.byteCount {
                report.differs.append(SealDifference(item, "has other bytes in the export"))
            }
        }
    }

    /// Returns the rows of a kind; empty if the export has none.
    private static func rows(_ kind: String, in folder: String) throws(Problem) -> [[String: CanonicalJSON]] {
        let path = "\(folder)/records/\(kind).json"
        guard FileFacts(at: path) != nil else { return [] }
        let bytes = try PrivateFile.read(path)
        guard case .list(let rows)? = try? CanonicalJSON(String(decoding: bytes, as: UTF8.self)) else {
            throw Problem(.malformed, "\(path): is not a list of rows")
        }
        return rows.compactMap { if case .object(let fields) = $0 { fields } else { nil } }
    }
}

extension CanonicalJSON {
    /// The value of a text; nil for anything else.
    fileprivate var plain: String? { if case .text(let text) = self { text } else { nil } }
}

extension SealEntry {
    /// Returns nil if a field is missing.
    fileprivate init?(exported row: [String: CanonicalJSON]) {
        guard let session = row["session"]?.plain, case .number(let number)? = row["number"],
            let at = row["added_at"]?.plain, let kind = row["kind"]?.plain.flatMap(Kind.init(rawValue:)),
            let who = row["who"]?.plain, let item = row["item"]?.plain, let evidence = row["evidence"]?.plain,
            let previous = row["previous"]?.plain, let hash = row["hash"]?.plain
        else { return nil }
        self.init(
            session: session, number: Int(number), at: at, kind: kind, who: who, item: item, evidence: evidence,
            content: row["content"]?.plain, previous: previous, hash: hash)
    }
}
