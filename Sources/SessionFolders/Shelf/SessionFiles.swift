import FoundationEssentials
import Glibc

// The names of a session's own files. Any other file in its folder is foreign.

extension SessionFolder {
    /// Whether the name belongs to a session's file in the folder itself.
    static func isOwn(_ name: String) -> Bool {
        let own = [
            "exam.json", "session.json", "log.jsonl", "clock", "notes.txt", "manifest.json", "delivery",
            "assessment.json", "transcripts.json", "marks.json", "findings.json", "calls.jsonl", "mended.json",
            "figures.json", "report.html", "tellings.html",
        ]
        return own.contains(name) || own.contains { name == $0 + ".part" }
    }

    /// Whether the name belongs to a file in the folder of takes: `part1_q9.opus`, `part3_q2_a2.wav`. A killed encoder
    /// leaves a `.part`.
    ///
    /// A `Regex` takes some 60 µs a name, and a list of 500 exams has 15,000.
    static func isTake(_ name: String) -> Bool {
        var rest = name.utf8[...]
        func has(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }
        func hasNumber() -> Bool {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[digits.endIndex...]
            return !digits.isEmpty
        }
        guard has("part"), hasNumber(), has("_q"), hasNumber(), !has("_a") || hasNumber(), has(".wav") || has(".opus")
        else { return false }
        _ = has(".part")
        return rest.isEmpty
    }

    /// The session's own files with their sizes, the takes first. Links and unfinished files are left out.
    var files: [(name: String, byteCount: Int)] {
        ["takes", "."].flatMap { folder in
            files(in: folder).sorted { inPeoplesOrder($0.name, $1.name) }.map { name, byteCount in
                (folder == "takes" ? "takes/\(name)" : name, byteCount)
            }
        }
    }

    /// The size of the session's own files.
    var byteCount: Int {
        ["takes", "."].reduce(0) { sum, folder in files(in: folder).reduce(sum) { $0 + $1.byteCount } }
    }

    private func files(in folder: String) -> [(name: String, byteCount: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
        return names.compactMap { name in
            var status = stat()
            let isOurs = folder == "takes" ? Self.isTake(name) : Self.isOwn(name)
            guard isOurs, !name.hasSuffix(".part"), lstat("\(path)/\(folder)/\(name)", &status) == 0, status.isFile
            else { return nil }
            return (name, Int(status.st_size))
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
