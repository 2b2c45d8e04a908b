import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Papers

/// Tests of drawing papers: the seed decides, a learner gets no paper twice, and missing items are reported.
@Suite struct DrawTests {
    /// The built-in format's requirements: a frame about home or work, two topics, and a card with its questions.
    private let format: ExamFormat

    init() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/ExamKit/Formats/ielts-style.json").path
        format = try JSONFile.decode(
            ExamFormat.self, "format", version: ExamFormat.layoutVersion, from: PrivateFile.read(path), name: path)
    }

    private func request(_ seed: UInt64, _ topics: [String] = [], _ difficulty: Paper.Difficulty? = nil) -> PaperRequest
    {
        PaperRequest(format: format.id, topics: topics, difficulty: difficulty, seed: seed)
    }

    @Test func theSameRequestDrawsTheSameBytes() throws {
        let bank = try SampleItems.bank(200)
        let papers = try (0..<40).map { try bank.draw(request(UInt64($0)), for: format) }
        let again = try (0..<40).map { try bank.draw(request(UInt64($0)), for: format) }
        #expect(papers.map { JSONFile.encode($0.paper) } == again.map { JSONFile.encode($0.paper) })
        #expect(Set(papers.map(\.paper.id)).count == 40)
        // The result must not depend on a library's shuffle, on the order of a dictionary, or on rounding.
        let all = papers.flatMap { JSONFile.encode($0.paper) }
        #expect(SHA256.hexadecimal(of: all).prefix(16) == "2908024651fb2d02")
    }

    /// 300 papers of each difficulty and of mixed ones: each can be sat, has no keyword twice, and meets the request.
    @Test func everyPaperCanBeSat() throws {
        let bank = ItemBank.builtIn
        for seed in UInt64(0)..<300 {
            for difficulty in [nil] + Paper.Difficulty.allCases {
                let drawn = try bank.draw(request(seed, [], difficulty), for: format)
                let (script, validation) = ExamScript.assemble(format, drawn.paper)
                #expect(script != nil, "\(validation.errors)")
                #expect(validation.warnings.isEmpty, "\(validation.warnings)")
                #expect(
                    drawn.shortfalls.allSatisfy { $0.sentence.hasPrefix("home-or-work.1: ") && difficulty == .hard })
                let items = try drawn.items.map { try #require(bank[$0]) }
                let words = items.flatMap(\.about.keywords)
                #expect(Set(words).count == words.count)
                if let difficulty { #expect(items.dropFirst().allSatisfy { $0.about.difficulty == difficulty }) }
                #expect(drawn.items.count == 4 && drawn.paper.origin?.items == drawn.items)
                let counts = drawn.paper.sections.mapValues(\.count)
                #expect(counts == ["home-or-work": 1, "topics": 2, "card": 1, "rounding-off": 1, "discussion": 2])
            }
        }
    }

    /// A blueprint states beforehand the contents of the paper.
    @Test func aPaperIsWhatItsBlueprintSays() throws {
        let drawn = try ItemBank.builtIn.draw(request(7), for: format)
        let blueprint = drawn.blueprint
        #expect(
            blueprint.frames.map(\.id) == [
                "home-or-work.1", "topics.1", "topics.2", "card.1", "rounding-off.1", "discussion.1", "discussion.2",
            ])
        #expect(blueprint.frames.compactMap(\.linkedTo) == ["card.1", "card.1", "card.1"])
        #expect(blueprint.quotas == ["home-or-work": 1, "topics": 2, "card": 1])
        #expect(blueprint.frames.flatMap(\.slots).count == 5 + 10 + 1 + 2 + 12)
        #expect(blueprint.bloomDistribution == [.remember: 17, .apply: 1, .analyze: 12])
        for frame in blueprint.frames {
            let own = try #require(drawn.paper.sections[frame.section])
            #expect(own.allSatisfy { $0.questions.count == frame.slots.count })
        }
        #expect(PaperBlueprint(request(7), of: format) == blueprint)
    }

    @Test func wantedItemsComeFirst() throws {
        let drawn = try ItemBank.builtIn.draw(request(3, ["Rain", "useful-tool"]), for: format)
        #expect(drawn.items.contains("useful-tool"))
        #expect(drawn.items.contains { ItemBank.builtIn[$0]?.about.keywords.contains("rain") == true })
        // The bank has no item about homes on the wanted topics, which is reported.
        #expect(drawn.shortfalls.contains { $0.kind == .topic && $0.sentence.hasPrefix("home-or-work.1: ") })
        let nothing = try ItemBank.builtIn.draw(request(3, ["quantum"]), for: format)
        #expect(nothing.shortfalls.count == 4)
    }

    /// One learner sits an exam a day for 50 days. No item comes again while the bank has others. After that the item
    /// met longest ago comes, and this is reported.
    @Test func nothingComesAgainAsLongAsTheBankAllows() throws {
        let bank = ItemBank.builtIn
        var met: [String: Int] = [:]
        let sections = Dictionary(grouping: bank.items, by: \.section).mapValues(\.count)
        var again = 0
        for day in 0..<50 {
            let seen = met.map { SeenItem(item: $0.key, days: day - $0.value) }
            let drawn = try bank.draw(request(UInt64(day) &* 7_919), for: format, seen: seen)
            var repeated = 0
            for (item, section) in zip(drawn.items, ["home-or-work", "topics", "topics", "card"]) {
                guard let last = met[item], day - last < SeenRules.standard.days else { continue }
                repeated += 1
                // In these days the learner met all items of the section, except those that do not fit the rest.
                let recent = met.filter { bank[$0.key]?.section == section && day - $0.value < 30 }.count
                #expect(recent >= sections[section]! - 3, "day \(day): \(item)")
                #expect(day - last >= 3, "day \(day): \(item) was met \(day - last) days ago")
            }
            #expect(drawn.shortfalls.count == repeated)
            again += repeated
            for item in drawn.items { met[item] = day }
        }
        // Cards last for all of this time, and topics for two weeks.
        #expect(again > 0 && again <= 115)
        let three = try (0..<3).reduce(into: [String]()) { items, number in
            let seen = items.map { SeenItem(item: $0, days: 0) }
            items += try bank.draw(request(UInt64(number)), for: format, seen: seen).items
        }
        #expect(Set(three).count == 12)
    }

    /// Two items that share a keyword are never together, even if another one has to be searched for.
    @Test func conflictingItemsAreKeptApart() throws {
        let frame = SampleItems.bankFrame
        let card = SampleItems.bankCard
        func item(_ id: String, _ section: String, _ words: [String]) -> BankItem {
            var own = frame
            (own.about, own.section) = (SampleItems.label(id, words), section)
            return .frame(own)
        }
        func bank(_ last: [String]) throws -> ItemBank {
            try ItemBank([
                item("home", "home-or-work", ["a", "b", "c"]), item("one", "topics", ["d", "e", "f"]),
                item("two", "topics", ["d", "g", "h"]), item("three", "topics", last), .card(card),
            ])
        }
        for seed in UInt64(0)..<50 {
            let drawn = try bank(["i", "j", "k"]).draw(request(seed), for: format)
            #expect(drawn.items.contains("three"))
        }
        let failure = #expect(throws: DrawFailure.self) { try bank(["d", "j", "k"]).draw(request(1), for: format) }
        #expect(
            failure?.frame == "topics.2" && failure?.sentence.contains("3 items") == true, "\(failure?.sentence ?? "")")
        let empty = #expect(throws: DrawFailure.self) { try ItemBank([.card(card)]).draw(request(1), for: format) }
        #expect(empty?.frame == "home-or-work.1" && empty?.sentence.contains("no item for it") == true)
    }

    /// Each built-in format has five tests without a common item.
    @Test(arguments: [
        "ielts-style", "ieltspeak", "questions", "toefl-2026", "pte-style", "celpip-style", "aptis-style", "interview",
        "hskk-style",
    ]) func fiveTestsHaveNothingInCommon(_ name: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/ExamKit/Formats/\(name).json").path
        let format = try JSONFile.decode(
            ExamFormat.self, "format", version: ExamFormat.layoutVersion, from: PrivateFile.read(path), name: path)
        var met: [String] = []
        for seed in UInt64(0)..<5 {
            let seen = met.map { SeenItem(item: $0, days: 0) }
            let drawn = try ItemBank.builtIn.draw(PaperRequest(format: name, seed: seed), for: format, seen: seen)
            let (script, validation) = ExamScript.assemble(format, drawn.paper)
            #expect(script != nil && drawn.shortfalls.isEmpty, "\(validation.errors) \(drawn.shortfalls)")
            met += drawn.items
        }
        #expect(Set(met).count == met.count)
    }

    @Test func seenItemsRegainHalfTheirWeightInAWeek() {
        let rules = SeenRules.standard
        #expect(rules.weight(0) == 0 && rules.weight(7) == 0.5 && rules.weight(14) == 0.75)
        for day in 0..<30 { #expect(abs(rules.weight(day) - (1 - exp2(-Double(day) / 7))) < 1e-12) }
    }
}
