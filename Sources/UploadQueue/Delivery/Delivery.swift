/// Decides what is sent when: uploads come in, fail and arrive; commands to send and to write down go out.
///
/// No clock, no disk, no network: time is an argument, counted by a clock that nobody can set (CLOCK_BOOTTIME). It is what
/// `Exam` is for an exam.
///
/// ```
///              found ──▶ waiting ──send──▶ sending ──delivered──▶ (gone)
///                           ▲                 │
///                           │◀─ not counted ──┤  unreachable, cancelled, sign-in needed
///                           │◀─ counted ──────┤  transient: 0.2 s, 0.5 s, 1 s, then full jitter up to 10 min
///                           │                 ▼
///                           └──a person──── parked   refused, file missing or altered, 20 attempts, 72 h
///
///   circuit breaker:  closed ──unreachable, or budget spent──▶ halfOpen: one upload, every 1 … 60 s
///                       ▲◀── an answer, or an arrival ───────────┘
/// ```
///
/// **Order.** Of a session one upload is sent at a time, and none before all of the earlier stages have arrived (session, answers,
/// completion). Among answers one that waits or is parked does not hold up the next. Sessions know nothing of each other.
public struct Delivery: Equatable, Sendable {
    /// Since the machine was started.
    public typealias Moment = Duration

    /// An upload as far as this machine needs to know it.
    public struct Item: Equatable, Sendable {
        /// Its place in the journal: unique, and in the order of enqueueing.
        public var number: Int64
        /// Which session it is of, by the journal's number.
        public var session: Int64
        /// What has to arrive before it.
        public var stage: Upload.Stage
        /// Of its file; decides nothing.
        public var byteCount: Int
        /// Where it stands.
        public var record: Record

        public init(
            number: Int64, session: Int64, stage: Upload.Stage, byteCount: Int = 0, record: Record = Record()
        ) {
            self.number = number
            self.session = session
            self.stage = stage
            self.byteCount = byteCount
            self.record = record
        }
    }

    /// Where an upload stands; what of it survives a crash.
    public struct Record: Equatable, Sendable {
        /// Where it stands; waiting at once, to begin with.
        public var state = State.waiting(until: nil)
        /// Counted ones: those that the backend answered, or that broke after something was sent.
        public var attempts = 0
        /// When it was first in counted trouble; nil: never yet.
        public var troubledSince: Moment?

        public init(state: State = .waiting(until: nil), attempts: Int = 0, troubledSince: Moment? = nil) {
            self.state = state
            self.attempts = attempts
            self.troubledSince = troubledSince
        }
    }

    /// Where an upload stands.
    public enum State: Equatable, Sendable {
        /// nil: since it came in; it goes as soon as there is room.
        case waiting(until: Moment?)
        /// An uploader has it.
        case sending
        /// The backend confirmed it.
        case delivered
        /// Until a person retries or drops it.
        case parked
    }

    /// What happens to uploads.
    public enum Event: Equatable, Sendable {
        /// New in the journal, or read again after somebody else changed it there; all that is known at once, or an answer might
        /// go before its session.
        case found([Item])
        /// Not in the journal any more.
        case gone(Int64)
        /// The backend confirmed it.
        case delivered(Int64)
        /// It did not arrive this time, and why; with what the backend asked for.
        case failed(Int64, DeliveryFailure.Kind, retryAfter: Duration?)
        /// A person signed in again.
        case signedIn
        /// A moment that the machine asked for has come.
        case timePassed
        /// The program ends: nothing more is sent.
        case closing
    }

    /// What is to be done.
    public enum Command: Equatable, Sendable {
        /// To be on disk before anything after it is carried out.
        case keep(Int64, Record)
        /// Have the uploader deliver it.
        case send(Int64)
    }

    /// How things stand with the backend (Nygard, "Release It!", 2007). It is never quite open: a backend is tried on and on.
    public enum Breaker: Equatable, Sendable {
        /// Everything goes.
        case closed
        /// Not before a moment, and then with one upload at a time, until one is answered (`spent`: until one arrives).
        case halfOpen(after: Moment, failures: Int, spent: Bool)
        /// Nothing is sent until a person signs in.
        case signInNeeded
    }

    /// Whether the backend is taken to be there.
    public private(set) var breaker = Breaker.closed
    /// The backend asked to be left alone until then.
    public private(set) var quietUntil: Moment?
    /// What is left for retries.
    public private(set) var budget: RetryBudget
    /// Uploads on their way.
    public private(set) var sending = 0

    private let limits: DeliveryLimits
    private var isClosing = false
    private var jitter: Jitter
    private var lanes: [Int64: Lane] = [:]
    /// Of lanes with anything in them: who waited longest comes first; who failed goes to the end.
    private var order: [Int64] = []
    private var laneOf: [Int64: Int64] = [:]

    /// - Parameter seed: of the jitter: the same events give the same commands.
    public init(_ limits: DeliveryLimits = DeliveryLimits(), seed: UInt64) {
        self.limits = limits
        budget = RetryBudget(limits)
        jitter = Jitter(seed: seed)
    }

    /// - Returns: what is to be done, in this order.
    public mutating func handle(_ event: Event, at now: Moment) -> [Command] {
        var commands: [Command] = []
        switch event {
        case .found(let items): for item in items { commands += find(item, at: now) }
        case .gone(let number): forget(number)
        case .delivered(let number): commands += arrive(number)
        case .failed(let number, let kind, let retryAfter): commands += fail(number, kind, retryAfter, at: now)
        case .signedIn: if breaker == .signInNeeded { breaker = .closed }
        case .timePassed: break
        case .closing: isClosing = true
        }
        return commands + send(at: now)
    }

    /// When time alone will change something; nil: never.
    public func nextMoment(after now: Moment) -> Moment? {
        if isClosing || breaker == .signInNeeded || !hasRoom { return nil }
        var gate = quietUntil ?? .zero
        if case .halfOpen(let after, _, _) = breaker { gate = max(gate, after) }
        var next: Moment?
        for lane in lanes.values {
            guard let due = lane.nextDue else { continue }
            next = min(next ?? due, due)
        }
        return next.map { max($0, gate, now) }
    }

    /// Nothing is on its way, and nothing will be unless a person helps.
    public var isAtRest: Bool {
        sending == 0 && (breaker == .signInNeeded || lanes.values.allSatisfy { $0.nextDue == nil })
    }

    var sendingNumbers: [Int64] { laneOf.keys.filter { item($0)?.record.state == .sending }.sorted() }

    /// All that is not delivered.
    var numbers: some Collection<Int64> { laneOf.keys }

    /// Uploads that are neither delivered nor parked, their bytes, and those that are parked.
    var load: (open: Int, bytes: Int, parked: Int) {
        lanes.values.reduce(into: (0, 0, 0)) { load, lane in
            for item in lane.items {
                if item.record.state == .parked {
                    load.2 += 1
                } else {
                    load.0 += 1
                    load.1 += item.byteCount
                }
            }
        }
    }

    private var hasRoom: Bool {
        if case .halfOpen = breaker { sending == 0 } else { sending < limits.parallel }
    }

    // MARK: Steps

    private mutating func find(_ found: Item, at now: Moment) -> [Command] {
        if found.record.state == .delivered {
            if item(found.number)?.record.state != .sending { forget(found.number) }
            return []
        }
        if laneOf[found.number] != nil {
            // Of one that is on its way the fate is known soon.
            if !lanes[found.session]!.isSending(found.number) { lanes[found.session]!.replace(found) }
            return []
        }
        laneOf[found.number] = found.session
        if lanes[found.session] == nil {
            lanes[found.session] = Lane()
            order.append(found.session)
        }
        var item = found
        // Its program was killed while it was on its way, perhaps by it: that counts, or it could be tried for ever.
        let wasSending = item.record.state == .sending
        if wasSending { count(.transient, in: &item.record, at: now) }
        lanes[item.session]!.insert(item)
        return wasSending ? [.keep(item.number, item.record)] : []
    }

    private mutating func forget(_ number: Int64) {
        guard let session = laneOf.removeValue(forKey: number) else { return }
        if lanes[session]!.remove(number)?.record.state == .sending { sending -= 1 }
        if lanes[session]!.isEmpty {
            lanes[session] = nil
            order.removeAll { $0 == session }
        }
    }

    private mutating func arrive(_ number: Int64) -> [Command] {
        // Dropped by a person while it was on its way.
        guard let item = item(number) else { return [] }
        var record = item.record
        record.state = .delivered
        budget.refund(afterAttempts: record.attempts)
        if case .halfOpen = breaker { breaker = .closed }
        forget(number)
        return [.keep(number, record)]
    }

    private mutating func fail(
        _ number: Int64, _ kind: DeliveryFailure.Kind, _ retryAfter: Duration?, at now: Moment
    ) -> [Command] {
        guard let item = item(number), item.record.state == .sending else { return [] }
        sending -= 1
        var record = item.record
        record.state = .waiting(until: nil)
        if let retryAfter { quiet(for: retryAfter, at: now) }
        switch kind {
        case .cancelled: break
        case .unreachable, .unwritable: probe(at: now, spent: false)
        case .signInNeeded: breaker = .signInNeeded
        case .fileMissing, .fileAltered: record.state = .parked
        case .refused:
            record.state = .parked
            if case .halfOpen = breaker { breaker = .closed }
        case .transient, .timedOut, .parentMissing: count(kind, in: &record, at: now)
        }
        var failed = item
        failed.record = record
        lanes[item.session]!.replace(failed)
        // Others first: what fails always must not be what is tried always.
        order.removeAll { $0 == item.session }
        order.append(item.session)
        return [.keep(number, record)]
    }

    /// A failure that counts, unless the backend fails whatever it is sent: then it is the backend that is tried, not the upload.
    private mutating func count(_ kind: DeliveryFailure.Kind, in record: inout Record, at now: Moment) {
        let since = record.troubledSince ?? now
        record.troubledSince = since
        if case .halfOpen(_, _, spent: true) = breaker {
            probe(at: now, spent: true)
        } else {
            breaker = .closed
            record.attempts += 1
            let wait = limits.delay(afterAttempts: record.attempts, &jitter)
            record.state = .waiting(until: now + wait)
            if !budget.spend(on: kind) { probe(at: now, spent: true) }
        }
        if record.attempts >= limits.attempts || now - since >= limits.longestTrouble { record.state = .parked }
    }

    private mutating func probe(at now: Moment, spent: Bool) {
        var failures = 0
        if case .halfOpen(_, let before, _) = breaker { failures = before }
        let after = now + limits.probeDelay(afterFailures: failures, &jitter)
        breaker = .halfOpen(after: after, failures: failures + 1, spent: spent)
    }

    private mutating func quiet(for asked: Duration, at now: Moment) {
        let asked = min(max(asked, .zero), limits.longestRetryAfter)
        // Everybody who was turned away is told the same moment: come a little later than that.
        let until = now + asked + jitter.upTo(min(asked / 10, .seconds(30)))
        quietUntil = max(quietUntil ?? until, until)
    }

    private mutating func send(at now: Moment) -> [Command] {
        if let quietUntil, now >= quietUntil { self.quietUntil = nil }
        guard !isClosing, breaker != .signInNeeded, quietUntil == nil else { return [] }
        if case .halfOpen(let after, _, _) = breaker, now < after { return [] }
        var commands: [Command] = []
        for session in order {
            guard hasRoom else { break }
            guard var item = lanes[session]!.next(at: now) else { continue }
            item.record.state = .sending
            lanes[session]!.replace(item)
            sending += 1
            commands += [.keep(item.number, item.record), .send(item.number)]
        }
        return commands
    }

    private func item(_ number: Int64) -> Item? {
        laneOf[number].flatMap { lanes[$0]?.item(number) }
    }
}
