import Glibc
import SystemSupport

/// The program that hears words, `oracy-words`.
package enum WordsProgram {
    /// The path of the program, for the tests of an installation and of broken workers.
    private static let variable = "ORACY_WORDS_PROGRAM"

    /// Returns the program's path: beside this program, or in the `libexec` of its installation. Nil if it is
    /// missing.
    package static func find() -> String? {
        if let chosen = UserFolders.environment(variable) { return access(chosen, X_OK) == 0 ? chosen : nil }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return nil }
        let folder = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        let installed = ["oracy", "oracy-server"].map { "\(folder.folder)/libexec/\($0)/oracy-words" }
        return (["\(folder)/oracy-words"] + installed).first { access($0, X_OK) == 0 }
    }
}
