import Assessment
import FoundationEssentials
import Glibc

extension String {
    /// The text escaped for HTML, also for attribute values in quotation marks.
    var html: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Double {
    /// Returns the number with this many decimal places and a decimal point.
    func text(_ decimals: Int) -> String {
        guard isFinite else { return "" }
        let scale = pow(10, Double(decimals))
        let whole = (abs(self) * scale).rounded()
        guard whole < 1e15 else { return "\(self)" }
        let digits = String(Int(whole))
        let sign = self < 0 && whole > 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    /// For example, `1:07`.
    var clock: String {
        let seconds = Int(max(0, self))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// `6.5`, `6`, `6.25`
    var mark: String { self == rounded() ? text(0) : (self * 10).rounded() == self * 10 ? text(1) : text(2) }
}

extension AnswerTranscript.Source {
    /// The kind of transcript in words.
    var transcript: String {
        switch self {
        case .own: "the candidate's own transcript"
        case .recogniser: "a program's transcript, which may be wrong,"
        }
    }
}
