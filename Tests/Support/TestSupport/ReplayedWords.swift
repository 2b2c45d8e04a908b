import Foundation

/// An installation of a recogniser whose worker replays words (`Tests/WordsReplay`).
public enum ReplayedWords {
    /// The program beside this test's program.
    public static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "words-replay").path

    /// The reason why an installation is refused on this machine; nil if it is not. A recogniser's library has code
    /// only for some processors, and this is checked before anything starts.
    public static let obstacle: String? = {
        #if arch(x86_64)
            let cpuinfo = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let flags = cpuinfo.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
            let isAble = ["avx", "avx2", "bmi2", "f16c", "fma"].allSatisfy { flags.contains($0[...]) }
            return isAble ? nil : "this processor lacks AVX2: run it on another one"
        #else
            return nil
        #endif
    }()

    /// Makes an installation.
    ///
    /// - Parameter script: a line for each piece, of which the last one is repeated, such as `say I live here.`
    public static func install(in folder: String, _ script: String...) throws {
        for (path, text) in [
            ("library/libwhisper.so.1.8.5", ""), ("model/ggml-replay.bin", script.joined(separator: "\n")),
            ("words.lock", ""), ("installed.json", "{}"),
        ] {
            let url = URL(filePath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }
}
