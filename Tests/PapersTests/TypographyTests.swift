import Testing

@testable import Papers

/// Tests of texts whose typography is brought into one form, and of the counts of changes.
@Suite struct TypographyTests {
    private static let cases: [(String, String, [Typography.Change: Int])] = [
        ("“Break a leg”", "\"Break a leg\"", [.quotes: 2]),
        ("‘don´t’", "'don't'", [.quotes: 3]),
        ("«oui»", "\"oui\"", [.quotes: 2]),
        ("one—two — three", "one – two – three", [.dashes: 2]),
        ("−5 or well‑known", "-5 or well-known", [.dashes: 2]),
        ("wait…", "wait...", [.ellipses: 1]),
        ("a\u{A0}b  c \u{2009}d", "a b c d", [.spaces: 3]),
        (" a ", "a", [.spaces: 2]),
        ("hyphen\u{AD}ation\u{200B}", "hyphenation", [.invisible: 2]),
        ("cafe\u{301} nai\u{308}ve", "café naïve", [.accents: 2]),
        ("caf&eacute; &#233;&#xE9; &Omega;&le;&copy;", "café éé Ω≤©", [.entities: 6]),
        ("１２ ＡＢ", "12 AB", [.fullWidth: 4]),
        ("plain text, as it is: 3 < 5 & more;", "plain text, as it is: 3 < 5 & more;", [:]),
        ("90° and ½, यह क्या है? นี่คืออะไร 何ですか？", "90° and ½, यह क्या है? นี่คืออะไร 何ですか？", [:]),
        // These stay for the rules to refuse.
        ("a\u{1B}[2J\u{202E}b\u{E000}\u{7}", "a\u{1B}[2J\u{202E}b\u{E000}\u{7}", [:]),
        ("&#7; &nothing; &", "&#7; &nothing; &", [:]),
    ]

    @Test(arguments: cases.indices) func eachChangeIsCounted(_ index: Int) {
        let (text, plain, counts) = Self.cases[index]
        var typography = Typography()
        let own = typography.normalised(text, decodes: true)
        // Compares code points: Swift takes é and e with an accent for the same.
        #expect(Array(own.unicodeScalars) == Array(plain.unicodeScalars), "\(own)")
        #expect(typography.counts == counts)
        var again = Typography()
        #expect(again.normalised(own, decodes: false) == own && again.total == 0)
    }

    @Test func entitiesStayWhereTheyAreNotHTML() {
        var typography = Typography()
        #expect(typography.normalised("What is &eacute;?", decodes: false) == "What is &eacute;?")
        #expect(typography.total == 0)
    }

    @Test func changesAreToldAsCounts() {
        var typography = Typography()
        _ = typography.normalised("“a” – b…", decodes: false)
        var other = Typography()
        _ = other.normalised("c… d—e", decodes: false)
        typography.add(other)
        #expect(typography.total == 5)
        #expect(typography.sentence == "2 quotation marks, 1 dash, 2 ellipses")
        #expect(Typography().sentence.isEmpty)
    }
}
