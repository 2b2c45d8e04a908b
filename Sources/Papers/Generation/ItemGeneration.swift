import ExamCore
import SystemSupport

/// Items that a model writes, one after the other, each held to every rule: a value that can be kept, and goes on where it was.
///
/// ```
///            asked            answered, cut, declined
/// ready ───────────► asking ──────────────────────────┬─ no fault ─────────────────► written ──┐
///   ▲                  │                              └─ faults ─┐                             ├─► ready, or over
///   │                  │ unavailable, time is up                 ├─ no attempt left ─┐         │      after the last
///   │                  └─────────────────────────────────────────┼───────────────────┴─► an item of the bank, or failed
///   └──────── repair: the next attempt, told what was wrong ◄────┘
/// ```
///
/// It asks nobody and never the time: whoever drives it puts `prompt` before a model and tells what came of it. It ends: each event of a question
/// that was asked takes an attempt, and there are five.
public struct ItemGeneration: Codable, Equatable, Sendable {
    public struct Limits: Codable, Equatable, Sendable {
        /// Answers to one wish.
        public var attempts = 5
        /// For one wish.
        public var milliseconds = 60_000

        public init() {}
    }

    /// A question that is to be put, or was.
    public struct Attempt: Codable, Equatable, Sendable {
        /// Which wish it is for.
        public var wish: Int
        /// 1 …
        public var number = 1
        /// What the wish has taken.
        public var milliseconds = 0
        /// What was wrong with the answer before.
        public var faults: [ItemFinding] = []
        /// That answer, where a model can mend it.
        public var earlier: String?
    }

    public enum State: Codable, Equatable, Sendable {
        /// The model is to be asked.
        case ready(Attempt)
        /// It was, and has not answered yet. Whoever was killed here asks again.
        case asking(Attempt)
        /// Each wish has an outcome.
        case over
    }

    public enum Event: Codable, Equatable, Sendable {
        /// The question was put; again where a program was killed before the answer.
        case asked
        /// So long was waited since the last time this was told.
        case passed(milliseconds: Int)
        case answered(String)
        /// The answer was longer than allowed: `finish_reason` is `length`.
        case cut
        case declined
        /// The model cannot be reached, and was tried more than once.
        case unavailable(String)
        /// What failed is tried again.
        case retry
    }

    public enum Outcome: Codable, Equatable, Sendable {
        case written(BankItem)
        /// An item of the bank stands in, and why.
        case fallback(item: String, why: String)
        /// There is neither; one sentence without a full stop.
        case failed(String)
    }

    /// What was told in a state where it cannot have happened.
    public struct IllegalEvent: Error, Equatable {
        public var sentence: String
    }

    public let wishes: [ItemWish]
    /// The model's name: what it writes bears it.
    public let writer: String
    public let seed: UInt64
    public let limits: Limits
    public private(set) var state: State
    /// By wish; nil: not yet.
    public private(set) var outcomes: [Outcome?]
    /// What happened, in a line each.
    public private(set) var transcript: [Step] = []

    public init(_ wishes: [ItemWish], writer: String, seed: UInt64, limits: Limits = Limits()) {
        self.wishes = wishes
        self.writer = writer
        self.seed = seed
        self.limits = limits
        outcomes = wishes.map { _ in nil }
        state = wishes.isEmpty ? .over : .ready(Attempt(wish: 0))
    }

    /// The attempt that is being made; nil when all is over.
    public var attempt: Attempt? {
        switch state {
        case .ready(let attempt), .asking(let attempt): attempt
        case .over: nil
        }
    }

    /// Items that were written so far.
    public var written: [BankItem] {
        outcomes.compactMap { if case .written(let item) = $0 { item } else { nil } }
    }

    /// What the model is to be asked now; nil when all is over.
    public func prompt(beside known: KnownItems) -> ItemPrompt? {
        attempt.map {
            ItemPrompt(
                wishes[$0.wish], known: all(known), faults: $0.faults, earlier: $0.earlier)
        }
    }

    // MARK: - What happens

    /// - Parameter known: the bank, and drafts of other times.
    public mutating func handle(_ event: Event, beside known: KnownItems) throws(IllegalEvent) {
        switch (state, event) {
        case (.ready(let attempt), .asked), (.asking(let attempt), .asked):
            state = .asking(attempt)
        case (.asking(var attempt), .passed(let milliseconds)):
            attempt.milliseconds += max(0, milliseconds)
            note(attempt, .passed(milliseconds: max(0, milliseconds)))
            state = .asking(attempt)
            guard attempt.milliseconds >= limits.milliseconds else { return }
            note(attempt, .outOfTime)
            fallBack(attempt, "\(writer) took longer than \(limits.milliseconds / 1_000) s", known)
        case (.asking(let attempt), .answered(let text)):
            check(text, attempt, known)
        case (.asking(let attempt), .cut):
            repair(attempt, [DraftRule.cut.finding("answer", "was cut off")], earlier: nil, known)
        case (.asking(let attempt), .declined):
            repair(attempt, [DraftRule.declined.finding("answer", "was refused")], earlier: nil, known)
        case (.asking(let attempt), .unavailable(let why)):
            note(attempt, .unavailable)
            fallBack(attempt, why, known)
        case (.over, .retry) where outcomes.contains(where: \.isFailure):
            for place in outcomes.indices where outcomes[place].isFailure { outcomes[place] = nil }
            goOn()
        case (.ready, _), (.asking, .retry), (.over, _):
            throw IllegalEvent(sentence: "\(event.name) cannot happen while \(state.name)")
        }
    }

    private mutating func check(_ text: String, _ attempt: Attempt, _ known: KnownItems) {
        let wish = wishes[attempt.wish]
        let known = all(known)
        switch ItemDraft.read(text, for: wish, writtenBy: writer, ids: known.ids) {
        case .failure(let fault): repair(attempt, [fault.finding], earlier: nil, known)
        case .success(let item):
            let faults = item.findings(as: wish, beside: known)
            guard faults.isEmpty else { return repair(attempt, faults, earlier: Self.shown(item), known) }
            note(attempt, .written)
            end(attempt, .written(item))
        }
    }

    private mutating func repair(
        _ attempt: Attempt, _ faults: [ItemFinding], earlier: String?, _ known: KnownItems
    ) {
        note(attempt, .faults(Set(faults.map(\.rule)).sorted()))
        guard attempt.number < limits.attempts else {
            let rules = Set(faults.map(\.rule)).sorted().joined(separator: ", ")
            return fallBack(attempt, "\(writer) broke rules \(limits.attempts) times, at last \(rules)", known)
        }
        var next = attempt
        next.number += 1
        next.faults = faults
        next.earlier = earlier
        state = .ready(next)
    }

    /// By chance of the seed among the bank's items that are as was wished, and that did not stand in before.
    private mutating func fallBack(_ attempt: Attempt, _ why: String, _ known: KnownItems) {
        let wish = wishes[attempt.wish]
        let used = outcomes.compactMap { if case .fallback(let item, _) = $0 { item } else { nil } }
        let fitting = known.bank.items.filter { item in
            item.section == wish.section && wish.difficulty ?? item.about.difficulty == item.about.difficulty
                && wish.isMeant(by: item.about.keywords + [item.id]) && !used.contains(item.id)
        }
        guard !fitting.isEmpty else {
            return end(attempt, .failed("\(why); the bank has no other item that is as was wished"))
        }
        var chance = SplitMix64(seed: seed &+ UInt64(attempt.wish) &* 0x9e37_79b9_7f4a_7c15)
        end(attempt, .fallback(item: fitting[chance.below(fitting.count)].id, why: why))
    }

    private mutating func end(_ attempt: Attempt, _ outcome: Outcome) {
        outcomes[attempt.wish] = outcome
        goOn()
    }

    private mutating func goOn() {
        state = outcomes.firstIndex { $0 == nil }.map { .ready(Attempt(wish: $0)) } ?? .over
    }

    private mutating func note(_ attempt: Attempt, _ what: Step.What) {
        transcript.append(Step(wish: attempt.wish, attempt: attempt.number, what: what))
    }

    /// With what was written here before.
    private func all(_ known: KnownItems) -> KnownItems {
        var known = known
        for item in written where !known.ids.contains(item.id) { known.add(item) }
        return known
    }

    /// Half of what an answer may have: the other half is for the rest of the prompt.
    private static func shown(_ item: BankItem) -> String? {
        let bytes = JSONFile.encode(item)
        return bytes.count <= ItemDraft.longest / 2 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension ItemGeneration.Outcome? {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension ItemGeneration.State {
    fileprivate var name: String {
        switch self {
        case .ready: "nobody was asked"
        case .asking: "an answer is waited for"
        case .over: "all is over"
        }
    }
}

extension ItemGeneration.Event {
    /// Without what a model said.
    fileprivate var name: String {
        switch self {
        case .asked: "asked"
        case .passed: "passed"
        case .answered: "answered"
        case .cut: "cut"
        case .declined: "declined"
        case .unavailable: "unavailable"
        case .retry: "retry"
        }
    }
}
