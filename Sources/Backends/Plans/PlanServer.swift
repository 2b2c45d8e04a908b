import Foundation

/// Where plans come from, where nobody says otherwise (V13).
public enum PlanServer {
    /// The variable of the environment that names it.
    public static let variable = "ORACY_PLAN_URL"

    /// The server of a build that is being worked on; nil in a release, whose users have a server of their own.
    public static var standard: String? {
        #if DEBUG
            "http://localhost:8081"
        #else
            nil
        #endif
    }

    /// What was said, or else the environment's, or else `standard`, or else what is configured.
    ///
    /// - Parameters:
    ///   - override: a test's, or somebody's who types it.
    ///   - configured: an application's own setting.
    ///   - environment: nil: this process's.
    /// - Returns: nil where there is none.
    public static func url(
        override: String? = nil, configured: String? = nil, environment: [String: String]? = nil
    ) -> String? {
        let named = (environment ?? ProcessInfo.processInfo.environment)[variable]
        return [override, named, standard, configured].lazy.compactMap(\.self).first { !$0.isEmpty }
    }
}
