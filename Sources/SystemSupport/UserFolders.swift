import Glibc

/// The places of a user's files, by the XDG base directory specification.
public enum UserFolders {
    /// The folder for data that can be made again: `$XDG_CACHE_HOME/oracy`, or `~/.cache/oracy`.
    public static var cache: String { folder("XDG_CACHE_HOME", ".cache") }

    /// The folder for data that a user would miss: `$XDG_DATA_HOME/oracy`, or `~/.local/share/oracy`.
    public static var data: String { folder("XDG_DATA_HOME", ".local/share") }

    /// Creates the cache's folder if necessary, for its owner only, and returns it.
    ///
    /// - Throws: `Problem.unwritable`.
    public static func makeCache() throws(Problem) -> String {
        try PrivateFile.createFolder(cache)
        return cache
    }

    private static func folder(_ variable: String, _ fallback: String) -> String {
        // By the specification, a relative path is invalid and must be ignored.
        if let path = environment(variable), path.hasPrefix("/") { return path + "/oracy" }
        return (environment("HOME") ?? "/tmp") + "/" + fallback + "/oracy"
    }

    package static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The folder of the recorded prompts that come with Oracy. The search goes up from the running program, for
    /// `AudioFixtures/prompts` in the source tree or `share/oracy/prompts` beside `bin` in an installation. Nil if
    /// neither exists. `ORACY_PROMPTS` overrides the search.
    public static var recordedPrompts: String? {
        if let folder = environment("ORACY_PROMPTS") { return folder }
        return above(["AudioFixtures/prompts", "share/oracy/prompts"])
    }

    /// The recordings in a better voice from the package `oracy-voice`: `share/oracy/voice` beside `bin` in an
    /// installation. Nil if the package isn't installed.
    public static var recordedVoice: String? {
        environment("ORACY_PROMPTS") == nil ? above(["share/oracy/voice"]) : nil
    }

    /// All folders with recordings of prompts.
    public static var recordings: [String] { [recordedVoice, recordedPrompts].compactMap(\.self) }

    /// Returns the first of these places that exists in a folder above the running program.
    private static func above(_ places: [String]) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return nil }
        var folder = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        while folder != "/" && folder != "." {
            for place in places where access("\(folder)/\(place)", R_OK | X_OK) == 0 { return "\(folder)/\(place)" }
            folder = folder.folder
        }
        return nil
    }
}
