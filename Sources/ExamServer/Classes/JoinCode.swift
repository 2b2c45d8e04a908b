/// The code with which learners join a class: eight letters and digits, without those that look alike. 30^8 codes, 39
/// bits: at the 86,400 guesses a day that the server allows one address, finding a code takes twenty thousand years.
package enum JoinCode {
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 8

    /// Returns a code from the system's random numbers.
    package static func fresh() -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    /// Returns a typed code in the stored form: `K7QM3XRT` for `k7qm-3xrt`. Nil if it cannot be a code.
    static func read(_ text: String) -> String? {
        let code = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        return code.count == length && code.allSatisfy(alphabet.contains) ? code : nil
    }

    /// Returns a code as people read it: `K7QM-3XRT`.
    package static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.dropFirst(4))" }
}

/// A member's PIN: 6 to 12 digits.
enum PIN {
    /// Returns a PIN from the system's random numbers, for a learner who has forgotten their own.
    static func random() -> String {
        while true {
            let pin = String((0..<6).map { _ in Character("\(Int.random(in: 0...9))") })
            if isGood(pin) { return pin }
        }
    }

    /// Returns whether a text is a PIN that is hard to guess: not one repeated digit, and not counting up from 0 or 1.
    static func isGood(_ text: String) -> Bool {
        guard 6...12 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return false }
        return Set(text).count > 1 && !"01234567890".hasPrefix(text) && !"1234567890".hasPrefix(text)
    }
}
