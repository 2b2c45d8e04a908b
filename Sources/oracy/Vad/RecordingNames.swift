/// How recordings are called in what is written about them.
enum RecordingNames {
    /// The files' names without extensions; where two would be the same, all paths as given.
    static func of(_ paths: [String]) -> [String] {
        let names = paths.map(name)
        return Set(names).count == names.count ? names : paths
    }

    /// `takes/part1_q1.opus` is called `part1_q1`, and `-` is `stdin`.
    private static func name(_ path: String) -> String {
        let file = NamedRecording.called(path).split(separator: "/").last ?? path[...]
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    /// A name as a file's: `../a/x.wav` is `a_x.wav`.
    static func fileName(_ name: String) -> String {
        name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "_")
    }
}
