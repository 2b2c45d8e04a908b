import Foundation
import SystemSupport

/// A time in UTC as text, to the second.
struct UTCText {
    private let time: WallTime

    init(_ time: Date) {
        self.time = WallTime(secondsSince1970: Int(time.timeIntervalSince1970.rounded(.down)))
    }

    /// Reads a time.
    ///
    /// - Parameter iso: the time in the store's form. Nil if it is invalid.
    init?(iso: String) {
        guard let time = try? Date(iso, strategy: .iso8601) else { return nil }
        self.init(time)
    }

    /// The store's form: `2026-11-21T09:12:29Z`.
    var iso: String { time.utc }

    /// The form in headers (RFC 9110, section 5.6.7), independent of the machine's language: `Sat, 21 Nov 2026 09:12:29
    /// GMT`.
    var header: String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1 January 1970 was a Thursday.
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = iso.split { !$0.isNumber }
        let day = days[(Int((Double(time.secondsSince1970) / 86_400).rounded(.down)) % 7 + 7) % 7]
        return "\(day), \(parts[2]) \(months[Int(parts[1])! - 1]) \(parts[0]) \(parts[3...].joined(separator: ":")) GMT"
    }
}
