/// How long a server asks to be left alone: the header `Retry-After` (RFC 9110, section 10.2.3), which is seconds or a date.
package enum RetryAfter {
    /// Longer ones are cut: a mistaken year must not stop a queue for good (queue-design, "RFC 9110").
    static let longest = Duration.seconds(3_600)

    /// nil where there is none, or none that can be understood.
    ///
    /// A date counts from the response's own `Date`, never from this machine's clock, which may be wrong; without one it is
    /// not understood.
    package static func read(_ headers: [String: String]) -> Duration? {
        guard let text = headers["retry-after"]?.trimmed, !text.isEmpty else { return nil }
        if let seconds = seconds(text) { return min(seconds, longest) }
        guard let now = headers["date"].flatMap({ HTTPDate($0.trimmed) }), let until = HTTPDate(text, near: now) else {
            return nil
        }
        return min(max(.seconds(until.secondsSince1970 - now.secondsSince1970), .zero), longest)
    }

    /// Whole seconds; what is negative means "now", what no number can hold means "long".
    private static func seconds(_ text: String) -> Duration? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        if text.hasPrefix("-") { return .zero }
        // Clamped before it becomes a duration, which a larger number would overflow.
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
