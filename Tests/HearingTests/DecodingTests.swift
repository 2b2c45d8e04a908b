import Testing

@testable import HearingWorker

/// Tests of the choice of tokens, with tables instead of a recogniser. Token 9 ends the text.
@Suite struct DecodingTests {
    /// A model whose values depend only on the number of earlier tokens: for each number, the values of tokens 0 … 11.
    private struct Table: NextToken {
        var rows: [[Float]]
        var asked: [(tokens: [Int32], past: Int)] = []
        var failsAt = Int.max

        mutating func after(_ tokens: [Int32], past: Int) -> LogitRow? {
            asked.append((tokens, past))
            guard asked.count <= failsAt else { return nil }
            return LogitRow(values: rows[min(asked.count, rows.count) - 1])
        }
    }

    /// Returns values of which one token is the most probable.
    private static func row(_ best: Int, second: Int? = nil) -> [Float] {
        (0..<12).map { $0 == best ? 5 : $0 == second ? 4 : 0 }
    }

    private static func decoding(most: Int = 10, suppressed: [Bool] = []) -> Decoding {
        Decoding(endOfText: 9, suppressed: suppressed, most: most)
    }

    @Test func theMostProbableTokensAreWrittenUntilTheEnd() {
        var model = Table(rows: [Self.row(3), Self.row(4), Self.row(9)])
        let pass = Self.decoding().pass(after: [10, 11, 1], past: 2, &model)
        #expect(pass?.tokens == [3, 4] && pass?.end == .said)
        #expect(model.asked.map(\.tokens) == [[10, 11, 1], [3], [4]])
        #expect(model.asked.map(\.past) == [2, 5, 6])
    }

    @Test func anEmptyTextIsPossible() {
        var model = Table(rows: [Self.row(9)])
        #expect(Self.decoding().pass(after: [10], &model)?.tokens == [])
    }

    /// Tokens after the end of text are times and orders to the model.
    @Test func otherTokensAreNeverWritten() {
        var model = Table(rows: [Self.row(11, second: 2), Self.row(10, second: 9)])
        #expect(Self.decoding().pass(after: [10], &model)?.tokens == [2])
    }

    @Test func suppressedTokensAreNotWritten() {
        var model = Table(rows: [Self.row(1, second: 2), Self.row(9)])
        let pass = Self.decoding(suppressed: [false, true, false]).pass(after: [10], &model)
        #expect(pass?.tokens == [2])
    }

    @Test func aPassEndsAtTheMostTokens() {
        var model = Table(rows: [Self.row(5)])
        let pass = Self.decoding(most: 4).pass(after: [10], &model)
        #expect(pass?.tokens == [5, 5, 5, 5] && pass?.end == .full && model.asked.count == 4)
    }

    @Test func aPassEndsWhenItRepeatsItself() {
        var model = Table(rows: [Self.row(5)])
        var decoding = Self.decoding(most: 100)
        decoding.isLoop = { $0.suffix(3) == [5, 5, 5] }
        let pass = decoding.pass(after: [10], &model)
        #expect(pass?.tokens == [5, 5, 5] && pass?.end == .loop)
    }

    @Test(arguments: 0...2) func aModelThatFailsEndsThePass(_ replies: Int) {
        var model = Table(rows: [Self.row(5)], failsAt: replies)
        #expect(Self.decoding().pass(after: [10], &model) == nil)
    }

    @Test func probabilitiesAreThoseOfTheAllowedTokens() {
        let row = LogitRow(values: [1, 1, 1, 1, 30])
        let best = row.best(below: 4, without: [true])
        #expect(best.token == 1 && abs(best.logProbability + 1.0986) < 0.001)
        #expect(abs(LogitRow(values: [0, 0, 0, 0]).probability(of: 2) - 0.25) < 1e-9)
        #expect(row.probability(of: 9) == 0 && row.probability(of: -1) == 0)
    }

    // MARK: - Texts

    private static let texts = TokenTexts(
        bytes: [" I", " was", ",", " happ", "y", " [", "*", " ♪", "\u{266A}", "don't", " (laughs", " 50%"].map {
            Array($0.utf8)
        } + [[0xC3], [0xA9]])

    @Test func tokensMayBePartsOfCharacters() {
        #expect(Self.texts.text(of: [0, 1, 3, 4]) == " I was happy")
        #expect(Self.texts.text(of: [12, 13]) == "é")
        #expect(Self.texts.text(of: [0, 99, -1]) == " I", "unknown tokens have no text")
    }

    @Test func signsThatNobodySaysAreSuppressed() {
        let suppressed = Self.texts.notSpoken.indices.filter { Self.texts.notSpoken[$0] }
        #expect(suppressed == [5, 6, 7, 8, 10])
    }

    /// The third time counts when its last word is complete.
    @Test func loopsAreFoundAsSoonAsTheyAreComplete() {
        let loop: [Int32] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
        for count in 0..<loop.count { #expect(!Self.texts.isLoop(Array(loop[..<count]))) }
        #expect(Self.texts.isLoop(loop))
        #expect(!Self.texts.isLoop([0, 1, 3, 4, 0, 1, 3, 4, 0]))
    }
}
