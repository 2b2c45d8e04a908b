import FoundationEssentials
import Glibc

// The names of a session's own files. Any other file in its folder is foreign.

extension SessionFolder {
    /// Whether the name belongs to a session's file in the folder itself.
    static func isOwn(_ name: String) -> Bool {
        let own = [
            "exam.json", "session.json", "log.jsonl", "clock", "notes.txt", "manifest.json", "delivery",
            "assessment.json", "transcripts.json", "marks.json", "findings.json", "calls.jsonl", "mended.json",
            "report.html", "tellings.html",
        ]
        return own.contains(name) || own.contains { name == $0 + ".part" }
    }

    /// Whether the name belongs to a file in the folder of takes. A killed encoder leaves a `.part`.
    static func isTake(_ name: String) -> Bool {
        name.wholeMatch(of: /part[0-9]+_q[0-9]+(_a[0-9]+)?\.(wav|opus)(\.part)?/) != nil
    }

    /// The session's own files with their sizes, the takes first. Links and unfinished files are left out.
    var files: [(name: String, byteCount: Int)] {
        ["takes", "."].flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
            return names.sorted(by: inPeoplesOrder).compactMap { name -> (String, Int)? in
                var status = stat()
                let isOurs = folder == "takes" ? Self.isTake(name) : Self.isOwn(name)
                guard isOurs, !name.hasSuffix(".part"), lstat("\(path)/\(folder)/\(name)", &status) == 0, status.isFile
                else { return nil }
                return (folder == "takes" ? "takes/\(name)" : name, Int(status.st_size))
            }
        }
    }
}

/// Whether `a` comes before `b` with numbers compared by value: `part1_q9` before `part1_q10`.
func inPeoplesOrder(_ a: String, _ b: String) -> Bool {
    /// Returns the name with every number padded to at least nine digits.
    func padded(_ name: String) -> [UInt8] {
        var padded: [UInt8] = []
        var rest = name.utf8[...]
        while let byte = rest.first {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if digits.isEmpty {
                padded.append(byte)
                rest.removeFirst()
            } else {
                padded += repeatElement(UInt8(ascii: "0"), count: max(0, 9 - digits.count))
                padded += digits
                rest = rest[digits.endIndex...]
            }
        }
        return padded
    }
    return padded(a).lexicographicallyPrecedes(padded(b))
}

extension stat {
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}
