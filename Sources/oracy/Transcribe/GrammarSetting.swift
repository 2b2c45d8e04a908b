import AddOns
import Assessors
import FoundationEssentials
import SystemSupport

/// The grammar checker that `ORACY_GRAMMAR` names: `harper`, `harper:/path/to/python`, `none`, or the address of a
/// LanguageTool server. Without the variable it is Harper, if `oracy words install --grammar` has installed it.
enum GrammarSetting {
    /// - Returns: nil if none is wanted or installed.
    /// - Throws: `Problem.malformed` for any other value.
    static func checker() throws(Problem) -> (any LanguageChecking)? {
        let setting = ProcessInfo.processInfo.environment["ORACY_GRAMMAR"] ?? ""
        if setting == "none" { return nil }
        let installed = InstalledWords.find()?.grammar
        if setting.isEmpty { return installed.map { HarperChecker(packages: $0) } }
        if setting == "harper" { return HarperChecker(packages: installed) }
        if setting.hasPrefix("harper:") { return HarperChecker(python: String(setting.dropFirst("harper:".count))) }
        guard setting.hasPrefix("http://") || setting.hasPrefix("https://") else {
            throw Problem(
                .malformed,
                "ORACY_GRAMMAR: \(setting) is not a checker; use harper, harper:/path/to/python, none, or an https://… address"
            )
        }
        return try LanguageToolChecker(address: setting)
    }
}
