import FoundationEssentials
import Glibc

/// A moment by the machine's clock, to the second: when a session began. Nothing of an exam is counted by it.
public struct WallTime: Comparable, Hashable, Sendable {
    /// Without leap seconds; before 1970 below zero.
    public var secondsSince1970: Int

    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// By the machine's clock, which may be set.
    public static var now: WallTime { WallTime(secondsSince1970: time(nil)) }

    /// As it stands in files: `2026-11-21T09:12:29Z`.
    public var utc: String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        gmtime_r(&seconds, &parts)
        return Self.text("%Y-%m-%dT%H:%M:%SZ", &parts)
    }

    /// Reads what `utc` writes; nil where the text is anything else.
    public init?(utc text: String) {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        secondsSince1970 = Int(date.timeIntervalSince1970)
        if utc != text { return nil }
    }

    /// As people read it, in the time zone of the machine or of `TZ`: `2026-11-21 10:12`.
    public var local: String { local("%Y-%m-%d %H:%M") }

    /// As it begins the id of a session, in the same zone: `2026-11-21-1012`.
    package var stamp: String { local("%Y-%m-%d-%H%M") }

    /// How far the machine's zone, or `TZ`'s, is from UTC then: seconds east.
    public var secondsEast: Int {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }

    public static func < (a: WallTime, b: WallTime) -> Bool { a.secondsSince1970 < b.secondsSince1970 }

    private func local(_ form: String) -> String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        localtime_r(&seconds, &parts)
        return Self.text(form, &parts)
    }

    private static func text(_ form: String, _ parts: inout tm) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            strftime(text.baseAddress, text.count, form, &parts) > 0 ? String(cString: text.baseAddress!) : ""
        }
    }
}
