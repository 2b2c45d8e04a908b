import Foundation
import HTTPTypes
import Synchronization

/// Facts found out about a request on its way through the routes, for its line in the log. All copies of its context
/// share them.
final class RequestTrail: Sendable {
    private let state = Mutex<UUID?>(nil)

    /// The session that the request is about.
    var session: UUID? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A proxy's trace of a request: W3C's `traceparent` (w3.org/TR/trace-context, 3.2).
///
/// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`: version, trace, the proxy's own span, flags.
struct TraceParent: Equatable {
    /// The trace in 32 hexadecimal digits.
    let trace: String

    /// Reads a field. Nil if it is malformed, because the standard then requires that it be ignored.
    init?(_ field: String) {
        let parts = field.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ Self.isHexadecimal($0, count: $1) }) else {
            return nil
        }
        // Later versions may append fields after the flags. Version 00 may not, and ff is not a version.
        guard parts[0] != "ff", parts[0] != "00" || parts.count == 4, parts[1...2].allSatisfy({ !Self.isZero($0) })
        else { return nil }
        trace = String(parts[1])
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private static func isZero(_ text: Substring) -> Bool { text.allSatisfy { $0 == "0" } }
}

extension HTTPField.Name {
    static let traceParent = HTTPField.Name("traceparent")!
}
