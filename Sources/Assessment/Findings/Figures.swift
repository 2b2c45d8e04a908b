// Numbers as people read them. They do not depend on a locale, so that a report reads the same everywhere.

extension Double {
    /// Returns the number with 0 to 3 decimal places: `3.4`, `81`.
    package func figure(_ digits: Int) -> String {
        guard isFinite else { return "?" }
        let scale = [1, 10, 100, 1_000][min(max(digits, 0), 3)]
        let whole = Int((self * Double(scale)).rounded())
        let text = String(abs(whole))
        guard scale > 1 else { return (whole < 0 ? "-" : "") + text }
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (whole < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }

    /// A share from 0 to 1 as a percentage: `81 %`.
    package var percent: String { (self * 100).figure(0) + " %" }

    /// A moment of a recording in seconds, as players show it: `1:04`. Rounded down to whole seconds.
    package var moment: String {
        let seconds = Int(max(0, self))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + String(seconds % 60)
    }
}

extension Int {
    /// Returns the number with a noun: `1 pause`, `2 pauses`.
    package func counted(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
