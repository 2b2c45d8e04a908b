/// Values that proper clients never send.
enum Oddities {
    static let numbers = [
        "0", "-0", "-0.0", "1", "-1", "1.5", "1.0", "250", "251", "2147483647", "2147483648", "-2147483649",
        "4294967295",
        "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551616", "1e18", "1e30", "1e308", "1e309", "-1e400", "1e-400", "253402300800", "8.64e15",
        "NaN", "Infinity", "-Infinity", "0x10", "007", "1e", "+1", ".5", "5.",
    ]

    static let words = [
        "true", "false", "null", "[]", "{}", "nul", "", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u0000\"", "\"\\x\"",
        "[[],[]]",
    ]

    static let texts = [
        "", " ", "\u{0}", "a\u{0}b", "\u{FEFF}", "../../../etc/passwd", "%00", "%s%n", "NaN", "-1",
        "9223372036854775808", "null",
        "e\u{301}\u{301}\u{301}", "\u{202E}abc", "👩‍👩‍👧‍👦", "\u{1F3F4}\u{E0067}\u{E007F}", "ﷺ", "İ", "ß", "\u{FFFD}", "\r\n",
        "\t", "'; DROP TABLE users", "00000000-0000-0000-0000-000000000000",
        "2026-02-31T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "-2026-11-21T09:12:29Z",
        "2026-11-21T09:12:29+99:99",
        "_a2", "x_a2", "x_a99999999999999999999", "._a", "part1", "part9", "part99999999999999999999", ".opus", "opus",
        "....",
    ]

    /// Returns a text of any length, now and then of 100 kB.
    static func text(_ chance: inout Chance) -> String {
        if chance.once(in: 200) {
            return String(repeating: chance.one(of: ["a", "é", "\u{0}", "👩‍👧", "\"", "\\"]), count: 100_000)
        }
        if chance.once(in: 6) {
            return String(
                repeating: chance.one(of: ["a", "0", "é", "%"]),
                count: chance.one(of: [36, 43, 64, 100, 101, 255, 256, 300, 4_001]))
        }
        if chance.once(in: 6) { return String(decoding: chance.bytes(1 + chance.below(40)), as: UTF8.self) }
        return chance.one(of: texts)
    }

    /// Returns nested lists, once in a while deeper than any stack.
    static func nest(_ chance: inout Chance) -> String {
        let depth = chance.one(of: [3, 100, 511, 513, 2_000, chance.once(in: 20) ? 100_000 : 513])
        return switch chance.below(3) {
        case 0: String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        case 1: String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        default: String(repeating: "[", count: depth)
        }
    }

    static func value(_ chance: inout Chance) -> JSON {
        switch chance.below(8) {
        case 0...2: .word(chance.one(of: numbers))
        case 3: .word(chance.one(of: words))
        case 4: .word(nest(&chance))
        case 5: .text(chance.one(of: numbers))
        default: .text(text(&chance))
        }
    }
}
