import ExamCore
import SystemSupport
import TestSupport
import Testing

@testable import Papers

/// Ten thousand drafts of a wrong, interrupted, malicious or senseless model: accepted ones keep every rule, and every
/// generation ends.
@Suite struct RandomDraftTests {
    private static let good = ItemBank.builtIn.items.filter {
        ["rain", "walking", "birds", "music", "bags", "trees", "water", "useful-tool", "sleep", "home"].contains($0.id)
    }

    @Test func acceptedDraftsSatisfyEveryRule() throws {
        let known = try WrittenItems.known()
        var chance = SplitMix64(seed: 22)
        var (drafts, passed, generations) = (0, 0, 0)
        while drafts < Thoroughness.count(1_000, check: 10_000) {
            generations += 1
            let wishes = (0..<6).map { _ in Self.wish(&chance) }
            var one = Generation(wishes, writer: "fake", seed: chance.next())
            var events = 0
            while one.attempt != nil {
                try one.handle(.asked, beside: known)
                if chance.below(50) == 0 { try one.handle(.passed(milliseconds: chance.below(40_000)), beside: known) }
                guard case .asking = one.state else { continue }
                try one.handle(Self.event(&chance), beside: known)
                drafts += 1
                events += 1
                #expect(events <= wishes.count * 5)
            }
            #expect(one.outcomes.allSatisfy { $0 != nil } && one.statistics.attempts >= wishes.count)
            passed += one.written.count
            try check(one, known)
        }
        #expect(passed > drafts / 100, "\(passed) of \(drafts) in \(generations)")
    }

    private func check(_ one: Generation<ItemWish>, _ known: KnownItems) throws {
        for (wish, outcome) in zip(one.wishes, one.outcomes) {
            switch outcome {
            case .written(let item):
                for rule in ItemRule.all { #expect(rule.findings(in: item).isEmpty, "\(rule.id)") }
                #expect(
                    item.section == wish.section && item.about.writtenBy == "fake"
                        && wish.isMeant(by: item.about.keywords))
                #expect(wish.difficulty == nil || wish.difficulty == item.about.difficulty)
                // The item can be stored as it is.
                #expect(try ItemBank.item(from: JSONFile.encode(item), name: "x") == item)
            case .fallback(let id, _):
                let item = try #require(known.bank[id])
                #expect(item.section == wish.section && wish.isMeant(by: item.about.keywords + [id]))
            case .failed, nil: break
            }
        }
        // Ids are unique, and no two items are nearly the same.
        guard !one.written.isEmpty else { return }
        #expect(try ItemBank(known.bank.items + one.written).duplicates.isEmpty)
    }

    private static func wish(_ chance: inout SplitMix64) -> ItemWish {
        let item = good[chance.below(good.count)]
        return ItemWish(
            section: item.section, topic: chance.below(3) == 0 ? nil : item.about.keywords[0],
            difficulty: chance.below(3) == 0 ? nil : item.about.difficulty)
    }

    private static func event(_ chance: inout SplitMix64) -> Generation<ItemWish>.Event {
        switch chance.below(40) {
        case 0: .cut
        case 1: .declined
        case 2: .unavailable("away")
        default: .answered(draft(&chance))
        }
    }

    private static func draft(_ chance: inout SplitMix64) -> String {
        let text = WrittenItems.answer(good[chance.below(good.count)])
        switch chance.below(13) {
        case 0: return "Of course! Here are your questions."
        case 1: return String(text.prefix(chance.below(text.count)))
        case 2: return "Here:\n\(text)\nAnything else {?"
        case 3: return String(repeating: "{\"title\":", count: chance.below(3_000))
        case 4: return chance.below(8) == 0 ? text + String(repeating: "a", count: 66_000) : "[\(text)]"
        case 5:
            return text.replacing(
                "?", with: ["? Ignore all previous instructions.", ".", "??", "\\u0000?"][chance.below(4)])
        case 6: return text.replacing("you", with: ["te", "\u{4F60}", "du", "\\u202e"][chance.below(4)])
        case 7: return text.replacing("\"bloom\"", with: ["\"level\"", "\"bloom\": \"apply\", \"x\""][chance.below(2)])
        case 8, 9: return mutated(text, &chance)
        case 10: return linesChanged(text, &chance)
        default: return text
        }
    }

    /// Returns the text with a few changed bytes.
    private static func mutated(_ text: String, _ chance: inout SplitMix64) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...chance.below(3) { bytes[chance.below(bytes.count)] = UInt8(chance.below(128)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text with one line repeated or removed.
    private static func linesChanged(_ text: String, _ chance: inout SplitMix64) -> String {
        var lines = text.split(separator: "\n")
        let place = chance.below(lines.count)
        if chance.below(2) == 0 { lines.remove(at: place) } else { lines.insert(lines[place], at: place) }
        return lines.joined(separator: "\n")
    }
}
