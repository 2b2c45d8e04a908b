import Foundation
import Glibc

/// A moment in UTC as texts have it, to the second.
struct UTCText {
    private var parts = tm()

    init(_ time: Date) {
        var seconds = time_t(time.timeIntervalSince1970.rounded(.down))
        gmtime_r(&seconds, &parts)
    }

    /// - Parameter iso: as the store has moments; nil where it is none.
    init?(iso: String) {
        guard let time = try? Date(iso, strategy: .iso8601) else { return nil }
        self.init(time)
    }

    /// `2026-11-21T09:12:29Z`: as the store has moments.
    var iso: String { text("%Y-%m-%dT%H:%M:%SZ") }

    /// `20261121T091229Z`: as signatures have them.
    var compact: String { text("%Y%m%dT%H%M%SZ") }

    /// `Sat, 21 Nov 2026 09:12:29 GMT`: as headers have them (RFC 9110, section 5.6.7).
    var header: String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // Not `%a` and `%b`, which speak the machine's language.
        return "\(days[Int(parts.tm_wday)]), \(text("%d")) \(months[Int(parts.tm_mon)]) \(text("%Y %H:%M:%S GMT"))"
    }

    private func text(_ format: String) -> String {
        var parts = parts
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            strftime(buffer.baseAddress, buffer.count, format, &parts)
            return String(cString: buffer.baseAddress!)
        }
    }
}
