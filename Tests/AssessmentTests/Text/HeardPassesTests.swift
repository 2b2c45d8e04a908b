import Testing

@testable import Assessment

/// Tests of the rules by which a recogniser's two passes over a piece are believed.
@Suite struct HeardPassesTests {
    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    // MARK: - Loops

    @Test(arguments: [
        ("no no no", WordLoop(length: 1, times: 3, start: 0)),
        ("well i was i was i was", WordLoop(length: 2, times: 3, start: 1)),
        ("so i i i i think", WordLoop(length: 1, times: 4, start: 1)),
        // A group that breaks off after three and a half times comes three times.
        ("a b c a b c a b c a b", WordLoop(length: 3, times: 3, start: 0)),
        // The first loop counts, even if its group is longer.
        ("a b a b a b then x x x", WordLoop(length: 2, times: 3, start: 0)),
    ]) func aLoopIsFound(_ text: String, _ loop: WordLoop) {
        #expect(WordLoop.first(in: Self.words(text)) == loop)
    }

    @Test(arguments: ["", "no", "no no", "very very good", "i was i was there", "a b c a b c a b d", "a b a c a d a e"])
    func ordinaryRepetitionIsNoLoop(_ text: String) {
        #expect(WordLoop.first(in: Self.words(text)) == nil)
    }

    /// Every loop of 1 to 10 different words is found at its place, and the words without it contain none.
    @Test(arguments: 1...10, 3...5) func everyLengthOfLoopIsFound(_ length: Int, _ times: Int) {
        let (before, after) = ((0..<7).map { "before\($0)" }, (0..<7).map { "after\($0)" })
        let group = (0..<length).map { "word\($0)" }
        let loop = Array(repeating: group, count: times).flatMap(\.self)
        #expect(
            WordLoop.first(in: before + loop + after) == WordLoop(length: length, times: times, start: before.count))
        #expect(WordLoop.first(in: before + group + group + after) == nil)
    }

    @Test func groupsThatAreTooLongAreNotLookedFor() {
        let group = (0..<11).map { "word\($0)" }
        #expect(WordLoop.first(in: group + group + group) == nil)
        #expect(WordLoop.first(in: group + group + group, longest: 11)?.length == 11)
    }

    // MARK: - Hesitations

    @Test(arguments: [
        ("um i think er it is", "i think it is"), ("i i i think", "i think"),
        ("it was a it was a good day", "it was a good day"),
        // A filler between the copies.
        ("i um i think", "i think"), ("we we went we went home", "we went home"),
        ("one two three four five one two three four five", "one two three four five one two three four five"),
        ("um", ""), ("", ""),
    ]) func hesitationsAreTakenOut(_ text: String, _ rest: String) {
        #expect(Self.words(text).withoutHesitations == Self.words(rest))
    }

    // MARK: - Passes

    @Test func hesitationsOfTheVerbatimPassAreKept() {
        let said = "Um, I, I think it was, uh, it was a good day."
        let passes = HeardPasses(plain: "I think it was a good day.", verbatim: said)
        #expect(passes.distance == 0)
        #expect(passes.chosen().text == said && passes.chosen().isVerbatim)
    }

    @Test(arguments: [
        ("I live in a small town by the sea.", "Um, I live in a small town by the see.", true),  // 1 of 9
        ("I live in a town.", "I lived in the town.", false),  // 2 of 5
        ("I live here.", "I mean, I was going to say that I live here.", false),
        ("I live here.", nil, false), ("I live here.", "", false), ("", "Um, I think so.", false), ("", "Um.", false),
        ("Um.", "Um, uh.", true), ("Um.", "Um, I think so.", false),
    ]) func theVerbatimPassIsBelievedOnlyIfItAgrees(_ plain: String, _ verbatim: String?, _ isBelieved: Bool) {
        let chosen = HeardPasses(plain: plain, verbatim: verbatim).chosen()
        #expect(chosen.isVerbatim == isBelieved)
        #expect(chosen.text == (isBelieved ? verbatim : plain))
    }

    @Test func theLimitItselfAgrees() {
        let passes = HeardPasses(plain: "one two three four five", verbatim: "one two three four six")
        #expect(passes.distance == 0.2)
        #expect(passes.chosen().isVerbatim)
        #expect(!passes.chosen(tolerance: 0.19).isVerbatim)
    }

    @Test(arguments: [
        ("", "", 0), ("a b c", "", 3), ("", "a b", 2), ("a b c", "a b c", 0), ("a b c", "a x c", 1),
        ("a b c", "b c", 1), ("a b c", "a b x c", 1), ("a b c d", "d c b a", 4),
    ]) func theEditDistanceCountsWords(_ text: String, _ other: String, _ distance: Int) {
        #expect(Self.words(text).editDistance(to: Self.words(other)) == distance)
        #expect(Self.words(other).editDistance(to: Self.words(text)) == distance)
    }
}
