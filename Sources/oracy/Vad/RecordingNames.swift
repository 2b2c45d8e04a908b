/// The names of recordings in the output.
enum RecordingNames {
    /// Returns the files' names without extensions, or all paths as given if two names would be equal.
    static func of(_ paths: [String]) -> [String] {
        let names = paths.map(name)
        return Set(names).count == names.count ? names : paths
    }

    /// Returns the name of one path: `part1_q1` for `takes/part1_q1.opus`, `stdin` for `-`.
    private static func name(_ path: String) -> String {
        let file = NamedRecording.called(path).split(separator: "/").last ?? path[...]
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    /// Returns a name that can be a file's: `a_x.wav` for `../a/x.wav`.
    static func fileName(_ name: String) -> String {
        name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "_")
    }
}
