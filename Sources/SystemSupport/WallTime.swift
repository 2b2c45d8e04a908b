import FoundationEssentials
import Glibc

/// A time by the machine's clock, to the second, such as the start of a session. No timing in an exam uses it.
public struct WallTime: Comparable, Hashable, Sendable {
    /// The seconds without leap seconds; negative before 1970.
    public var secondsSince1970: Int

    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The present time by the machine's clock. It may jump in either direction if the clock is set.
    public static var now: WallTime { WallTime(secondsSince1970: time(nil)) }

    /// The time in files: `2026-11-21T09:12:29Z`.
    public var utc: String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        gmtime_r(&seconds, &parts)
        return Self.text("%Y-%m-%dT%H:%M:%SZ", &parts)
    }

    /// Reads the form of `utc`; nil for any other text.
    public init?(utc text: String) {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        secondsSince1970 = Int(date.timeIntervalSince1970)
        if utc != text { return nil }
    }

    /// The time for people, in the time zone of the machine or of `TZ`: `2026-11-21 10:12`.
    public var local: String { local("%Y-%m-%d %H:%M") }

    /// The prefix of a session's id, in the same zone: `2026-11-21-1012`.
    package var stamp: String { local("%Y-%m-%d-%H%M") }

    /// The offset of the machine's zone, or of `TZ`, from UTC at that time, in seconds east.
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
