import Glibc

/// Where a user's own files lie, by the XDG base directory specification.
public enum UserFolders {
    /// What can be made again: `$XDG_CACHE_HOME/oracy`, else `~/.cache/oracy`.
    public static var cache: String { folder("XDG_CACHE_HOME", ".cache") }

    /// What a person would miss: `$XDG_DATA_HOME/oracy`, else `~/.local/share/oracy`.
    public static var data: String { folder("XDG_DATA_HOME", ".local/share") }

    /// The cache's folder, made if need be, for its owner only.
    ///
    /// - Throws: `Problem.unwritable`.
    public static func makeCache() throws(Problem) -> String {
        try PrivateFile.createFolder(cache)
        return cache
    }

    private static func folder(_ variable: String, _ fallback: String) -> String {
        // The specification: a relative path is invalid and must be ignored.
        if let path = environment(variable), path.hasPrefix("/") { return path + "/oracy" }
        return (environment("HOME") ?? "/tmp") + "/" + fallback + "/oracy"
    }

    package static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The recorded prompts that come with Oracy: above the running program, `AudioFixtures/prompts` of the source or
    /// `share/oracy/prompts` beside the `bin` that it was installed to; nil where there are none. `ORACY_PROMPTS` names another folder.
    public static var recordedPrompts: String? {
        if let folder = environment("ORACY_PROMPTS") { return folder }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return nil }
        var folder = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        while folder != "/" && folder != "." {
            for place in ["AudioFixtures", "share/oracy"] {
                let prompts = "\(folder)/\(place)/prompts"
                if access(prompts, R_OK | X_OK) == 0 { return prompts }
            }
            folder = folder.folder
        }
        return nil
    }
}
