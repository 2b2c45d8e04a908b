import ExamKit
import Foundation

/// A moment in UTC as texts have it, to the second.
struct UTCText {
    private let time: WallTime

    init(_ time: Date) {
        self.time = WallTime(secondsSince1970: Int(time.timeIntervalSince1970.rounded(.down)))
    }

    /// - Parameter iso: as the store has moments; nil where it is none.
    init?(iso: String) {
        guard let time = try? Date(iso, strategy: .iso8601) else { return nil }
        self.init(time)
    }

    /// `2026-11-21T09:12:29Z`: as the store has moments.
    var iso: String { time.utc }

    /// `20261121T091229Z`: as signatures have them.
    var compact: String { iso.filter { $0 != "-" && $0 != ":" } }

    /// `Sat, 21 Nov 2026 09:12:29 GMT`: as headers have them (RFC 9110, section 5.6.7), whatever language the machine speaks.
    var header: String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1 January 1970 was a Thursday.
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = iso.split { !$0.isNumber }
        let day = days[(Int((Double(time.secondsSince1970) / 86_400).rounded(.down)) % 7 + 7) % 7]
        return "\(day), \(parts[2]) \(months[Int(parts[1])! - 1]) \(parts[0]) \(parts[3...].joined(separator: ":")) GMT"
    }
}
