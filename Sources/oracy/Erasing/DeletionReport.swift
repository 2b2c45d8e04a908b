import SessionFolders

/// The report on an erased session: each removed file with its hash and time, and the copies that others have. Pure.
struct DeletionReport: Encodable {
    var id: String
    var folder: String
    var removed: [SessionErasure.Removed]
    var left: [Left]
    /// The things that arrived elsewhere. They can't be erased from here.
    var sent: [Sent]

    struct Left: Encodable {
        var name: String
        var reason: String
    }

    struct Sent: Encodable {
        /// The destination: a folder's path or a backend's address.
        var place: String
        /// The session's id there; nil if the place uses none.
        var session: String?
        var things: [Thing]

        struct Thing: Encodable {
            /// An answer's name (`part1_q3`), or words: `the start of the session`, `a quiz`.
            var name: String
            /// The digest of the recording.
            var sha256: String?
            /// ISO 8601 in UTC.
            var arrivedAt: String?
        }
    }

    init(_ erasure: SessionErasure, sent: [Sent]) {
        id = erasure.folder.name
        folder = erasure.folder.path
        removed = erasure.removed
        left = erasure.left.map { left in
            switch left.reason {
            case .foreign: Left(name: left.name, reason: "not the session's own")
            case .failed(let words): Left(name: left.name, reason: words)
            }
        }
        self.sent = sent
    }

    /// The report as lines. Hashes are complete, because they identify copies elsewhere.
    var text: String {
        var rows = [[id, "", ""]]
        for thing in removed where thing.name != "." {
            let size = thing.kind == .file ? thing.byteCount.bytes : thing.kind.rawValue
            rows.append(["  " + thing.name, size, thing.sha256 ?? ""])
        }
        let files = removed.filter { $0.kind == .file }
        let bytes = files.reduce(0) { $0 + $1.byteCount }.bytes
        var lines = rows.columns(right: 1...1)
        lines.append("erased: \(files.count.of("file")), \(bytes)" + (removed.last.map { ", \($0.removedAt)" } ?? ""))
        for sent in sent {
            let known = sent.session.map { " (session id there: \($0))" } ?? ""
            lines.append("not erased at \(sent.place)\(known):")
            for thing in sent.things {
                let hash = thing.sha256.map { "  \($0)" } ?? ""
                lines.append("  \(thing.name)  arrived \(thing.arrivedAt ?? "at an unknown time")\(hash)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
