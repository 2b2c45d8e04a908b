/// The header `Retry-After` (RFC 9110, section 10.2.3): the time for which a server asks not to be called, as seconds
/// or as a date.
package enum RetryAfter {
    /// Longer times are cut, so that a wrong year doesn't stop a queue for good.
    static let longest = Duration.seconds(3_600)

    /// Returns the time; nil if the header is missing or unintelligible.
    ///
    /// A date counts from the response's own `Date`, never from this machine's clock, which may be wrong. Without
    /// `Date` it is unintelligible.
    package static func read(_ headers: [String: String]) -> Duration? {
        guard let text = headers["retry-after"]?.trimmed, !text.isEmpty else { return nil }
        if let seconds = seconds(text) { return min(seconds, longest) }
        guard let now = headers["date"].flatMap({ HTTPDate($0.trimmed) }), let until = HTTPDate(text, near: now) else {
            return nil
        }
        return min(max(.seconds(until.secondsSince1970 - now.secondsSince1970), .zero), longest)
    }

    /// Returns a number of seconds. A negative number means "now", and one that is too large means "long".
    private static func seconds(_ text: String) -> Duration? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        if text.hasPrefix("-") { return .zero }
        // Clamped first, since a larger number would overflow a duration.
        return .seconds(min(Int(digits) ?? .max, 1_000_000))
    }
}

extension String {
    package var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
