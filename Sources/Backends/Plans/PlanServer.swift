import Foundation

/// The default for the address of the plan server.
public enum PlanServer {
    /// The environment variable with the address.
    public static let variable = "ORACY_PLAN_URL"

    /// The server of a debug build; nil in a release, whose users have their own server.
    public static var standard: String? {
        #if DEBUG
            "http://localhost:8081"
        #else
            nil
        #endif
    }

    /// Returns the first of these that is set: the override, the environment variable, `standard`, the configured
    /// address.
    ///
    /// - Parameters:
    ///   - override: The address from a test or from the command line.
    ///   - configured: An application's own setting.
    ///   - environment: nil for this process's.
    /// - Returns: nil if none is set.
    public static func url(
        override: String? = nil, configured: String? = nil, environment: [String: String]? = nil
    ) -> String? {
        let named = (environment ?? ProcessInfo.processInfo.environment)[variable]
        return [override, named, standard, configured].lazy.compactMap(\.self).first { !$0.isEmpty }
    }
}
