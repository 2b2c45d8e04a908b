import Learning
import Testing

/// Misspelt names.
@Suite struct NearestNameTests {
    private static let names = ["practice", "plan", "papers", "vad", "run", "report"]

    @Test(arguments: [("practise", "practice"), ("Pratice", "practice"), ("repotr", "report"), ("rn", "run")])
    func aSlipFindsItsName(_ word: String, _ name: String) { #expect(Self.names.nearest(to: word) == name) }

    @Test(arguments: ["chess", "xy", "map", ""]) func anotherWordFindsNothing(_ word: String) {
        #expect(Self.names.nearest(to: word) == nil)
    }
}
