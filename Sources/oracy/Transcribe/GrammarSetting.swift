import Assessors
import FoundationEssentials
import SystemSupport

/// The grammar checker that `ORACY_GRAMMAR` names: `harper`, `harper:/path/to/python`, or the address of a LanguageTool
/// server.
enum GrammarSetting {
    /// - Returns: nil if the variable is unset.
    /// - Throws: `Problem.malformed` for any other value.
    static func checker() throws(Problem) -> (any LanguageChecking)? {
        let setting = ProcessInfo.processInfo.environment["ORACY_GRAMMAR"] ?? ""
        if setting.isEmpty { return nil }
        if setting == "harper" { return HarperChecker() }
        if setting.hasPrefix("harper:") { return HarperChecker(python: String(setting.dropFirst("harper:".count))) }
        guard setting.hasPrefix("http://") || setting.hasPrefix("https://") else {
            throw Problem(
                .malformed,
                "ORACY_GRAMMAR: \(setting) is not a checker; use harper, harper:/path/to/python, or an https://… address"
            )
        }
        return try LanguageToolChecker(address: setting)
    }
}
