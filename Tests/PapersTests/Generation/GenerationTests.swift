import ExamCore
import Foundation
import SystemSupport
import Testing

@testable import Papers

/// Tests of the generation machine: its reaction to each event.
@Suite struct GenerationTests {
    private let known: KnownItems

    init() throws { known = try WrittenItems.known() }

    private func generation(_ wishes: ItemWish...) -> Generation<ItemWish> {
        Generation(wishes, writer: "llama", seed: 7)
    }

    private func after(_ events: [Generation<ItemWish>.Event], _ start: Generation<ItemWish>) throws -> Generation<
        ItemWish
    > {
        var generation = start
        for event in events { try generation.handle(event, beside: known) }
        return generation
    }

    @Test func validDraftsAreAcceptedAtOnce() throws {
        let end = try after(
            [.asked, .passed(milliseconds: 900), .answered("Here it is:\n\(WrittenItems.rain)\nEnjoy!")],
            generation(WrittenItems.wish))
        #expect(end.state == .over)
        #expect(end.written.map(\.id) == ["rain"] && end.written[0].about.writtenBy == "llama")
        #expect(end.statistics == .init(wishes: 1, written: 1, attempts: 1, milliseconds: 900))
    }

    /// Each answer without an item uses up an attempt, and the next prompt names the rule.
    @Test(arguments: [
        (Generation<ItemWish>.Event.cut, "cut"), (.declined, "declined"), (.answered("I am sorry."), "json"),
        (.answered(WrittenItems.short), "counts"), (.answered(String(WrittenItems.rain.dropLast(40))), "cut"),
        (.answered(String(repeating: "x", count: 70_000)), "size"), (.answered("{\"title\": 3}"), "shape"),
        (.answered(WrittenItems.answer(SampleItems.card)), "place"),
    ]) func faultsAreRepaired(_ event: Generation<ItemWish>.Event, _ rule: String) throws {
        let next = try after([.asked, event], generation(WrittenItems.wish))
        guard case .ready(let attempt) = next.state else { return #expect(Bool(false), "\(next.state)") }
        #expect(attempt.number == 2 && attempt.faults.map(\.rule) == [rule], "\(attempt.faults)")
        let prompt = try #require(next.prompt(beside: known))
        #expect(prompt.user.contains("\"rule\" : \"\(rule)\"") && prompt.user.contains(attempt.faults[0].field))
        #expect(next.transcript == [.init(wish: 0, attempt: 1, what: .faults([rule]))])
        #expect(next.statistics.byRule == [rule: 1])
        let end = try after([.asked, .answered(WrittenItems.rain)], next)
        #expect(end.state == .over && end.statistics.repairs == 1 && end.statistics.written == 1)
    }

    @Test func aModelGetsFiveAttempts() throws {
        var five = generation(ItemWish(section: "topics", topic: "sleeping"))
        for number in 1...5 {
            #expect(five.attempt?.number == number)
            five = try after([.asked, .answered("no")], five)
        }
        #expect(five.state == .over)
        guard case .fallback("sleep", let why) = five.outcomes[0] else {
            return #expect(Bool(false), "\(five.outcomes)")
        }
        #expect(why == "llama broke rules 5 times, most recently json")
        #expect(five.statistics.attempts == 5 && five.statistics.repairs == 4 && five.statistics.fallbacks == 1)
    }

    @Test func writingStopsAfterAMinute() throws {
        let late = try after(
            [.asked, .passed(milliseconds: 40_000), .answered("no"), .asked, .passed(milliseconds: 20_000)],
            generation(ItemWish(section: "topics", topic: "fruit")))
        #expect(late.state == .over && late.statistics.fallbacks == 1 && late.statistics.milliseconds == 60_000)
        #expect(late.transcript.last?.what == .outOfTime)
        let inTime = try after([.asked, .passed(milliseconds: 59_999)], generation(WrittenItems.wish))
        #expect(inTime.attempt?.milliseconds == 59_999 && inTime.attempt?.number == 1)
    }

    /// A model that cannot be reached is not asked five times, because the caller has already tried several times.
    @Test func theBankStandsInForAnAbsentModel() throws {
        let away = try after(
            [.asked, .unavailable("no answer")],
            generation(ItemWish(section: "card", topic: "calm people"), WrittenItems.wish))
        #expect(away.outcomes[0] == .fallback(item: "calm-person", why: "no answer"))
        #expect(away.attempt == .init(wish: 1))
    }

    /// The bank's item matches the wish, and stands in only once.
    @Test func noItemStandsInTwice() throws {
        let any = ItemWish(section: "topics")
        var end = generation(any, any, any, any)
        for _ in 0..<4 { end = try after([.asked, .unavailable("away")], end) }
        let items = end.outcomes.compactMap { if case .fallback(let item, _) = $0 { item } else { nil } }
        #expect(Set(items) == ["sleep", "shoes", "fruit"] && items.count == 3)
        #expect(end.outcomes[3] == .failed("away; the bank has no other item that fits"))
        #expect(end.statistics.failed == 1)
        let hard = try after(
            [.asked, .unavailable("away")], generation(ItemWish(section: "topics", topic: "sleep", difficulty: .hard)))
        #expect(hard.statistics.failed == 1, "the item in the bank is not hard")
    }

    @Test func failedItemsAreTriedAgain() throws {
        let failed = try after([.asked, .unavailable("away")], generation(WrittenItems.wish))
        #expect(failed.statistics.failed == 1 && failed.state == .over)
        let again = try after([.retry], failed)
        #expect(again.attempt == .init(wish: 0))
        #expect(try after([.asked, .answered(WrittenItems.rain)], again).statistics.written == 1)
    }

    @Test func impossibleEventsAreRefused() throws {
        let ready = generation(WrittenItems.wish)
        let asking = try after([.asked], ready)
        let over = try after([.answered(WrittenItems.rain)], asking)
        let all: [Generation<ItemWish>.Event] = [
            .asked, .passed(milliseconds: 1), .answered("x"), .cut, .declined, .unavailable("x"), .retry,
        ]
        let cases: [(Generation<ItemWish>, [Generation<ItemWish>.Event])] = [
            (ready, [.asked]), (asking, all.dropLast()), (over, []),
        ]
        for (state, legal) in cases {
            for event in all where !legal.contains(event) {
                var one = state
                #expect(throws: IllegalEvent.self) { try one.handle(event, beside: known) }
                #expect(one == state)
            }
            for event in legal { _ = try after([event], state) }
        }
        #expect(Generation<ItemWish>([], writer: "llama", seed: 0).state == .over)
    }

    @Test func writtenItemsAreNotWrittenAgain() throws {
        let end = try after(
            [.asked, .answered(WrittenItems.rain), .asked, .answered(WrittenItems.rain)],
            generation(WrittenItems.wish, WrittenItems.wish))
        #expect(end.attempt?.faults.map(\.rule) == Array(repeating: "duplicate", count: 5))
        let other = KnownItems(bank: known.bank, drafts: [SampleItems.frame])
        var beside = generation(WrittenItems.wish)
        try beside.handle(.asked, beside: other)
        try beside.handle(.answered(WrittenItems.rain), beside: other)
        #expect(beside.attempt?.faults.first?.what == "is nearly the same as rain's questions[0].text")
    }

    /// A generation that is killed after any event, stored and read again ends in the same way.
    @Test func aKilledGenerationEndsAlike() throws {
        let any = ItemWish(section: "topics")
        let events: [Generation<ItemWish>.Event] = [
            .asked, .passed(milliseconds: 10), .answered("no"), .asked, .answered(WrittenItems.short), .asked,
            .answered(WrittenItems.rain), .asked, .cut, .asked, .declined, .asked, .passed(milliseconds: 60_000),
            .asked,
            .unavailable("away"),
        ]
        let wishes = [WrittenItems.wish, any, any]
        let whole = try after(events, Generation(wishes, writer: "llama", seed: 3))
        #expect(whole.state == .over && whole.statistics.fallbacks == 2)
        for kill in 0...events.count {
            var half = try after(Array(events.prefix(kill)), Generation(wishes, writer: "llama", seed: 3))
            half = try JSONDecoder().decode(Generation<ItemWish>.self, from: Data(JSONFile.encode(half)))
            // The answer was lost, so the question is asked again.
            if case .asking = half.state { half = try after([.asked], half) }
            #expect(try after(Array(events.dropFirst(kill)), half) == whole, "killed after \(kill)")
        }
    }
}
