import Foundation

/// The recogniser that `make words` installs for tests, in a folder of its own. Other tests don't see it, so that they
/// do the same whether it is installed or not.
public enum TrialWords {
    /// The folder of the installation, as `oracy words install` makes it.
    public static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/words"

    /// The reason why tests that need it are skipped; nil if it is there.
    public static var obstacle: String? {
        FileManager.default.fileExists(atPath: folder + "/installed.json")
            ? nil : "the recogniser is not installed for tests: make words"
    }
}
