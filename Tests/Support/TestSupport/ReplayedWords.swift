import Foundation
import Hearing

/// An installation of a recogniser whose worker replays words (`Tests/WordsReplay`).
enum ReplayedWords {
    /// The program beside this test's program.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "words-replay").path

    /// The files of an installation, which say what the recogniser needs of a processor.
    static let files: WordsFiles? = {
        let folder = FileManager.default.temporaryDirectory.path + "/oracy-words-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try? install(in: folder, saying: "")
        return WordsFiles(in: folder)
    }()

    /// Makes an installation that says the same of every piece.
    static func install(in folder: String, saying words: String) throws {
        for (path, text) in [
            ("library/libwhisper.so.1.8.5", ""), ("model/ggml-replay.bin", "say \(words)"), ("words.lock", ""),
            ("installed.json", "{}"),
        ] {
            let url = URL(filePath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }
}
