import ExamCore
import SystemSupport

/// A run in which a model writes pieces, one after the other. Every piece is checked against all rules. A generation is
/// a value that can be stored and continued. The wishes decide on the pieces and their rules (`GenerationWish`).
///
/// ```
///            asked            answered, cut, declined
/// ready ───────────► asking ──────────────────────────┬─ no fault ─────────────────► written ──┐
///   ▲                  │                              └─ faults ─┐                             ├─► ready, or over
///   │                  │ unavailable, time is up                 ├─ no attempt left ─┐         │      after the last
///   │                  └─────────────────────────────────────────┼───────────────────┴─► one of the bank, or failed
///   └──────── repair: the next attempt, told what was wrong ◄────┘
/// ```
///
/// A generation calls no model and reads no clock. Its driver sends `prompt` to a model and reports what happened. A
/// generation always ends: each unusable answer uses up an attempt, a wish has five of them, and its time is limited.
public struct Generation<Wish: GenerationWish>: Codable, Equatable, Sendable {
    /// An attempt at one wish: a prompt for the model, sent or still to be sent.
    public struct Attempt: Codable, Equatable, Sendable {
        /// The index of the wish.
        public var wish: Int
        /// The number of the attempt, from 1.
        public var number = 1
        /// The time spent on the wish so far.
        public var milliseconds = 0
        /// The faults of the previous answer.
        public var faults: [ItemFinding] = []
        /// The previous answer, if a model can repair it.
        public var earlier: String?
    }

    public enum State: Codable, Equatable, Sendable {
        /// The model is to be asked.
        case ready(Attempt)
        /// The model was asked and has not answered yet. After a crash in this state, it is asked again.
        case asking(Attempt)
        /// Each wish has an outcome.
        case over
    }

    public enum Event: Codable, Equatable, Sendable {
        /// The prompt was sent to the model. This event comes again after a crash before the answer.
        case asked
        /// This much time has passed since the last such event.
        case passed(milliseconds: Int)
        case answered(String)
        /// The answer was longer than allowed: `finish_reason` is `length`.
        case cut
        case declined
        /// The model could not be reached after several tries.
        case unavailable(String)
        /// Failed wishes are tried again.
        case retry
    }

    public enum Outcome: Codable, Equatable, Sendable {
        case written(Wish.Piece)
        /// An item of the bank stands in, with the reason.
        case fallback(item: String, why: String)
        /// The model wrote nothing usable and no item can stand in. One sentence without a full stop.
        case failed(String)
    }

    public let wishes: [Wish]
    /// The name of the model, which is stored with the pieces it writes.
    public let writer: String
    public let seed: UInt64
    public let limits: GenerationLimits
    public private(set) var state: State
    /// The outcomes by wish. Nil before a wish is done.
    public private(set) var outcomes: [Outcome?]
    /// The steps so far.
    public private(set) var transcript: [Step] = []

    public init(_ wishes: [Wish], writer: String, seed: UInt64, limits: GenerationLimits = .init()) {
        self.wishes = wishes
        self.writer = writer
        self.seed = seed
        self.limits = limits
        outcomes = wishes.map { _ in nil }
        state = wishes.isEmpty ? .over : .ready(Attempt(wish: 0))
    }

    /// The present attempt. Nil when all wishes are done.
    public var attempt: Attempt? {
        switch state {
        case .ready(let attempt), .asking(let attempt): attempt
        case .over: nil
        }
    }

    /// The pieces written so far.
    public var written: [Wish.Piece] {
        outcomes.compactMap { if case .written(let item) = $0 { item } else { nil } }
    }

    /// Returns the next prompt for the model. Nil when all wishes are done.
    public func prompt(beside known: Wish.Known) -> GenerationPrompt? {
        attempt.map {
            wishes[$0.wish].prompt(beside: all(known), repairing: $0.faults, earlier: $0.earlier)
        }
    }

    // MARK: - Events

    /// Handles an event.
    ///
    /// - Parameter known: the pieces that exist already.
    public mutating func handle(_ event: Event, beside known: Wish.Known) throws(IllegalEvent) {
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
        case (.over, .retry) where outcomes.contains(where: Self.isFailure):
            for place in outcomes.indices where Self.isFailure(outcomes[place]) { outcomes[place] = nil }
            goOn()
        case (.ready, _), (.asking, .retry), (.over, _):
            throw IllegalEvent(sentence: "\(event.name) cannot happen while \(state.name)")
        }
    }

    private mutating func check(_ text: String, _ attempt: Attempt, _ known: Wish.Known) {
        let wish = wishes[attempt.wish]
        let known = all(known)
        guard text.utf8.count <= DraftJSON.longest else {
            let fault = DraftRule.size.finding("answer", "has \(text.utf8.count) bytes")
            return repair(attempt, [fault], earlier: nil, known)
        }
        switch wish.read(text, writtenBy: writer, beside: known) {
        case .failure(let fault): repair(attempt, [fault.finding], earlier: nil, known)
        case .success(let piece):
            let faults = wish.findings(of: piece, beside: known)
            guard faults.isEmpty else { return repair(attempt, faults, earlier: Self.shown(piece), known) }
            note(attempt, .written)
            end(attempt, .written(piece))
        }
    }

    private mutating func repair(
        _ attempt: Attempt, _ faults: [ItemFinding], earlier: String?, _ known: Wish.Known
    ) {
        note(attempt, .faults(Set(faults.map(\.rule)).sorted()))
        guard attempt.number < limits.attempts else {
            let rules = Set(faults.map(\.rule)).sorted().joined(separator: ", ")
            return fallBack(attempt, "\(writer) broke rules \(limits.attempts) times, most recently \(rules)", known)
        }
        var next = attempt
        next.number += 1
        next.faults = faults
        next.earlier = earlier
        state = .ready(next)
    }

    /// Chooses an item of the bank to stand in: one that matches the wish and does not stand in already, at random from
    /// the seed.
    private mutating func fallBack(_ attempt: Attempt, _ why: String, _ known: Wish.Known) {
        let wish = wishes[attempt.wish]
        let used = outcomes.compactMap { if case .fallback(let item, _) = $0 { item } else { nil } }
        let fitting = wish.standIns(in: known, without: Set(used))
        guard !fitting.isEmpty else {
            return end(attempt, .failed("\(why); the bank has no other item that fits"))
        }
        var chance = SplitMix64(seed: seed &+ UInt64(attempt.wish) &* 0x9e37_79b9_7f4a_7c15)
        end(attempt, .fallback(item: fitting[chance.below(fitting.count)], why: why))
    }

    private mutating func end(_ attempt: Attempt, _ outcome: Outcome) {
        outcomes[attempt.wish] = outcome
        goOn()
    }

    private static func isFailure(_ outcome: Outcome?) -> Bool { if case .failed = outcome { true } else { false } }

    private mutating func goOn() {
        state = outcomes.firstIndex { $0 == nil }.map { .ready(Attempt(wish: $0)) } ?? .over
    }

    private mutating func note(_ attempt: Attempt, _ what: Step.What) {
        transcript.append(Step(wish: attempt.wish, attempt: attempt.number, what: what))
    }

    /// Returns the known pieces together with those written here.
    private func all(_ known: Wish.Known) -> Wish.Known {
        var known = known
        for piece in written where !known.has(piece.id) { known.add(piece) }
        return known
    }

    /// Returns a piece for the next prompt, if it takes at most half of the allowed bytes. The rest of the prompt needs
    /// the other half.
    private static func shown(_ piece: Wish.Piece) -> String? {
        let bytes = JSONFile.encode(piece)
        return bytes.count <= DraftJSON.longest / 2 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension Generation.State {
    fileprivate var name: String {
        switch self {
        case .ready: "no model was asked"
        case .asking: "the model is working"
        case .over: "the work is done"
        }
    }
}

extension Generation.Event {
    /// The name without the model's words.
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
