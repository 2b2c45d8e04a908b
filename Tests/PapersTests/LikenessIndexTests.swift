import ExamCore
import Testing

@testable import Papers

/// Tests that the index finds what comparing each pair finds.
@Suite struct LikenessIndexTests {
    private func texts(_ count: Int, words: Int, _ chance: inout SplitMix64) -> [[String]] {
        var texts: [[String]] = []
        for _ in 0..<count {
            if let known = texts.last, chance.below(2) == 0 {
                var text = known
                for _ in 0...chance.below(3) where !text.isEmpty {
                    text[chance.below(text.count)] = "w\(chance.below(words))"
                }
                if chance.below(3) == 0 { text.append("w\(chance.below(words))") }
                texts.append(text)
            } else {
                texts.append((0..<chance.below(12)).map { _ in "w\(chance.below(words))" })
            }
        }
        return texts
    }

    @Test(arguments: [3, 12, 200]) func theIndexFindsWhatComparingFinds(_ words: Int) {
        var chance = SplitMix64(seed: UInt64(words))
        let texts = texts(400, words: words, &chance)
        // Half of them are unknown when the index is made.
        var index = LikenessIndex(expecting: Array(texts.prefix(200)))
        var count = 0
        for (place, text) in texts.enumerated() {
            let found = index.duplicates(of: text)
            let expected = texts[..<place].indices.filter { TextLikeness.isDuplicate(texts[$0], text) }
            #expect(found == expected, "\(text)")
            count += found.count
            index.add(text)
        }
        #expect(count > 50)
    }
}
