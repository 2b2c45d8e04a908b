/// Decides what to send and when. Takes in new, failed and arrived uploads, and gives commands to send and to store.
///
/// It uses no clock, no disk and no network. Time is an argument, read from a clock that can't be set (CLOCK_BOOTTIME).
/// This type does for deliveries what `Exam` does for an exam.
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
/// **Order.** One upload of a session is sent at a time, and only after all earlier stages have arrived (session,
/// answers, completion). An answer that waits or is parked doesn't hold up the next answer. Sessions are independent.
public struct Delivery: Equatable, Sendable {
    /// The time since the machine was started.
    public typealias Moment = Duration

    /// The facts about an upload that the decisions need.
    public struct Item: Equatable, Sendable {
        /// The number in the journal: unique, in the order of enqueueing.
        public var number: Int64
        /// The journal's number of its session.
        public var session: Int64
        /// The stage, which decides what has to arrive first.
        public var stage: Upload.Stage
        /// The size of its file. It doesn't affect decisions.
        public var byteCount: Int
        /// The state of the upload.
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

    /// The state of an upload that survives a crash.
    public struct Record: Equatable, Sendable {
        /// The state. At first the upload waits, and may be sent at once.
        public var state = State.waiting(until: nil)
        /// The counted attempts: those that the backend answered, or that broke after something was sent.
        public var attempts = 0
        /// The time of the first counted failure; nil before that.
        public var troubledSince: Moment?

        public init(state: State = .waiting(until: nil), attempts: Int = 0, troubledSince: Moment? = nil) {
            self.state = state
            self.attempts = attempts
            self.troubledSince = troubledSince
        }
    }

    /// The state of an upload.
    public enum State: Equatable, Sendable {
        /// Waits until a moment; nil if it may be sent as soon as there is room.
        case waiting(until: Moment?)
        /// An uploader is sending it.
        case sending
        /// The backend confirmed it.
        case delivered
        /// It waits until the user retries or drops it.
        case parked
    }

    /// An event that concerns uploads.
    public enum Event: Equatable, Sendable {
        /// Uploads that are new in the journal, or that another program has changed. All of them come in one event,
        /// since otherwise an answer might be sent before its session.
        case found([Item])
        /// An upload is no longer in the journal.
        case gone(Int64)
        /// The backend confirmed it.
        case delivered(Int64)
        /// An upload did not arrive this time, with the reason and the backend's wish for a pause.
        case failed(Int64, DeliveryFailure.Kind, retryAfter: Duration?)
        /// The user signed in again.
        case signedIn
        /// A moment that the machine asked for has come.
        case timePassed
        /// The program ends, so nothing more is sent.
        case closing
    }

    /// An action to carry out.
    public enum Command: Equatable, Sendable {
        /// Store the record on disk before any later command.
        case keep(Int64, Record)
        /// Deliver it with the uploader.
        case send(Int64)
    }

    /// The state of the backend (a circuit breaker: Nygard, "Release It!", 2007). The breaker is never fully open,
    /// because the backend is tried again and again.
    public enum Breaker: Equatable, Sendable {
        /// Everything is sent.
        case closed
        /// Nothing is sent before a moment. After that, one upload at a time is sent until the backend answers one or,
        /// if `spent`, confirms one.
        case halfOpen(after: Moment, failures: Int, spent: Bool)
        /// Nothing is sent until the user signs in.
        case signInNeeded
    }

    /// Whether the backend is believed to be available.
    public private(set) var breaker = Breaker.closed
    /// The moment until which the backend asked not to be called.
    public private(set) var quietUntil: Moment?
    /// The budget left for retries.
    public private(set) var budget: RetryBudget
    /// The number of uploads being sent.
    public private(set) var sending = 0

    private let limits: DeliveryLimits
    private var isClosing = false
    private var jitter: Jitter
    private var lanes: [Int64: Lane] = [:]
    /// The lanes that aren't empty. The one that waited longest comes first, and one with a failure goes to the end.
    private var order: [Int64] = []
    private var laneOf: [Int64: Int64] = [:]

    /// - Parameter seed: The seed of the jitter. The same events then give the same commands.
    public init(_ limits: DeliveryLimits = DeliveryLimits(), seed: UInt64) {
        self.limits = limits
        budget = RetryBudget(limits)
        jitter = Jitter(seed: seed)
    }

    /// - Returns: The commands, to be carried out in this order.
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

    /// Returns the next moment at which time alone changes something; nil if it never does.
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

    /// Whether nothing is being sent, and nothing will be unless the user acts.
    public var isAtRest: Bool {
        sending == 0 && (breaker == .signInNeeded || lanes.values.allSatisfy { $0.nextDue == nil })
    }

    var sendingNumbers: [Int64] { laneOf.keys.filter { item($0)?.record.state == .sending }.sorted() }

    /// The numbers of the uploads that aren't delivered.
    var numbers: some Collection<Int64> { laneOf.keys }

    /// The number of uploads that are neither delivered nor parked, their bytes, and the number of parked ones.
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
            // The outcome of an upload that is being sent will be known soon.
            if !lanes[found.session]!.isSending(found.number) { lanes[found.session]!.replace(found) }
            return []
        }
        laneOf[found.number] = found.session
        if lanes[found.session] == nil {
            lanes[found.session] = Lane()
            order.append(found.session)
        }
        var item = found
        // The program was killed while it sent this upload, perhaps because of the upload. This counts as a failure.
        // Otherwise such an upload could be tried forever.
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
        // The user dropped it while it was being sent.
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
        // The other lanes now come first. Otherwise an upload that always fails would be tried every time.
        order.removeAll { $0 == item.session }
        order.append(item.session)
        return [.keep(number, record)]
    }

    /// Counts a failure of an upload, unless the backend currently fails for all uploads. In that case the attempt
    /// tests the backend, not the upload.
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
        // The backend may give every client the same moment, so this client comes back a little later.
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
