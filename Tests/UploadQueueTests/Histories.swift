import ExamCore
import TestSupport
import Testing

@testable import UploadQueue

/// Thousands of random histories, each from a seed. Anything may happen to a queue in any order. A model checks what
/// must never happen, and what must have happened in the end.
@Suite struct Histories {
    private static let count = Thoroughness.count(500, check: 10_000)

    @Test func everyHistoryEndsWithEachUploadThereOnce() {
        var totals = History.Totals()
        for seed in 0..<UInt64(Self.count) {
            var history = History(seed: seed)
            if let violation = history.tell() { Issue.record("seed \(seed): \(violation)") }
            totals.add(history.totals)
        }
        #expect(totals.crashes > Self.count && totals.lostAnswers > Self.count && totals.parked > Self.count / 10)
        print(
            "row 14: \(Self.count) histories, \(totals.uploads) uploads, \(totals.sends) sends, \(totals.crashes) crashes, "
                + "\(totals.lostAnswers) lost answers, \(totals.parked) parked, 0 lost, 0 duplicated effects")
    }
}

/// A history: a queue's machine, its journal as a dictionary, a backend as a set, and a random generator.
struct History {
    struct Totals {
        var uploads = 0, sends = 0, crashes = 0, lostAnswers = 0, parked = 0

        mutating func add(_ other: Totals) {
            uploads += other.uploads
            sends += other.sends
            crashes += other.crashes
            lostAnswers += other.lostAnswers
            parked += other.parked
        }
    }

    private(set) var totals = Totals()
    private var chance: SplitMix64
    private var delivery: Delivery
    private var now = Duration.seconds(1000)
    /// The data on disk. It survives a crash.
    private var journal: [Int64: Delivery.Item] = [:]
    private var dropped: Set<Int64> = []
    /// The uploads that the backend has, and those that are being sent.
    private var effects: Set<Int64> = []
    private var underWay: Set<Int64> = []
    /// The uploads that the backend refuses until a person has corrected them.
    private var poisoned: Set<Int64> = []
    private var violation: String?
    /// Whether there are no more faults.
    private var isHealthy = false
    private var limits = DeliveryLimits()

    init(seed: UInt64) {
        chance = SplitMix64(seed: seed)
        limits.parallel = 1 + Int(seed % 3)
        delivery = Delivery(limits, seed: seed)
    }

    /// - Returns: The violation, if any.
    mutating func tell() -> String? {
        for _ in 0..<(20 + chance.below(60)) where violation == nil {
            switch chance.below(20) {
            case 0...2: enqueue()
            case 3...11: end()
            case 12...15: pass()
            case 16: crash()
            case 17: byHand()
            case 18: handle(.signedIn)
            default: if let number = journal.keys.sorted().first { handle(.found([journal[number]!])) }
            }
        }
        heal()
        return violation
    }

    private mutating func enqueue() {
        let session = Int64(chance.below(4))
        var items: [Delivery.Item] = []
        for _ in 0...chance.below(3) {
            let number = Int64(journal.count + dropped.count + items.count + 1)
            let stage: Upload.Stage = [.session, .answer, .answer, .answer, .completion][chance.below(5)]
            items.append(Delivery.Item(number: number, session: session, stage: stage))
            if chance.below(12) == 0 { poisoned.insert(number) }
        }
        for item in items { journal[item.number] = item }
        totals.uploads += items.count
        handle(.found(items))
    }

    /// Ends an upload in progress: it arrived, it failed, or it arrived and its answer was lost.
    private mutating func end() {
        guard let number = underWay.sorted().randomElement(using: &chance) else { return pass() }
        underWay.remove(number)
        if poisoned.contains(number) {
            return handle(.failed(number, chance.below(2) == 0 ? .refused : .fileAltered, retryAfter: nil))
        }
        switch isHealthy ? 0 : chance.below(10) {
        case 0...4: arrive(number)
        case 5:
            effects.insert(number)
            totals.lostAnswers += 1
            handle(.failed(number, .transient, retryAfter: nil))
        case 6: handle(.failed(number, .unreachable, retryAfter: nil))
        case 7:
            handle(.failed(number, .timedOut, retryAfter: chance.below(2) == 0 ? .seconds(chance.below(10_000)) : nil))
        case 8:
            handle(
                .failed(
                    number, [.signInNeeded, .parentMissing, .unwritable, .cancelled][chance.below(4)], retryAfter: nil))
        default: handle(.failed(number, .transient, retryAfter: nil))
        }
    }

    private mutating func arrive(_ number: Int64) {
        effects.insert(number)
        handle(.delivered(number))
    }

    private mutating func pass() {
        now += .milliseconds(chance.below([100, 5_000, 100_000][chance.below(3)]))
        handle(.timePassed)
    }

    /// Kills the program. Uploads in progress may have arrived. The machine is made again from the data on disk.
    private mutating func crash() {
        totals.crashes += 1
        for number in underWay.sorted() where !poisoned.contains(number) && chance.below(2) == 0 {
            effects.insert(number)
        }
        underWay = []
        // The computer was restarted, so earlier moments are meaningless.
        if chance.below(3) == 0 {
            now = .seconds(chance.below(100))
            for number in journal.keys {
                journal[number]!.record.troubledSince = nil
                if case .waiting = journal[number]!.record.state {
                    journal[number]!.record.state = .waiting(until: nil)
                }
            }
        }
        delivery = Delivery(limits, seed: chance.next())
        handle(.found(journal.values.filter { $0.record.state != .delivered }.sorted { $0.number < $1.number }))
    }

    private mutating func byHand() {
        guard let number = journal.keys.sorted().randomElement(using: &chance), !underWay.contains(number) else {
            return
        }
        guard journal[number]!.record.state != .delivered else { return }
        if chance.below(3) == 0 {
            journal[number] = nil
            dropped.insert(number)
            handle(.gone(number))
        } else {
            journal[number]!.record = Delivery.Record()
            handle(.found([journal[number]!]))
        }
    }

    /// Makes everything work from now on, and lets a person correct parked uploads.
    private mutating func heal() {
        isHealthy = true
        totals.parked += journal.values.count { $0.record.state == .parked }
        poisoned = []
        handle(.signedIn)
        for _ in 0..<10_000 where violation == nil {
            for number in journal.keys.sorted() where journal[number]!.record.state == .parked {
                journal[number]!.record = Delivery.Record()
                handle(.found([journal[number]!]))
            }
            if !underWay.isEmpty {
                end()
            } else if let next = delivery.nextMoment(after: now) {
                now = next
                handle(.timePassed)
            } else {
                break
            }
        }
        guard violation == nil else { return }
        for item in journal.values.sorted(by: { $0.number < $1.number }) {
            if item.record.state != .delivered { violation = "upload \(item.number) is left \(item.record.state)" }
            if !effects.contains(item.number) { violation = "upload \(item.number) is lost" }
        }
    }

    private mutating func handle(_ event: Delivery.Event) {
        var written: Set<Int64> = []
        for command in delivery.handle(event, at: now) {
            switch command {
            case .keep(let number, let record):
                guard journal[number] != nil else {
                    violation = "\(number) is written down, but gone"
                    return
                }
                if record.state == .delivered && !effects.contains(number) { violation = "\(number) is given up" }
                if record.attempts > limits.attempts { violation = "\(number) was tried \(record.attempts) times" }
                journal[number]!.record = record
                written.insert(number)
            case .send(let number):
                check(number, written)
                totals.sends += 1
                underWay.insert(number)
            }
        }
        let isSending = delivery.sending
        if isSending > limits.parallel { violation = "\(isSending) on their way" }
    }

    private mutating func check(_ number: Int64, _ written: Set<Int64>) {
        guard let item = journal[number] else {
            violation = "\(number) is sent, but gone"
            return
        }
        if item.record.state != .sending || !written.contains(number) {
            violation = "\(number) is sent, but not written down"
        }
        for other in journal.values where other.session == item.session && other.number != number {
            if other.stage < item.stage && other.record.state != .delivered {
                violation = "\(number) is sent before \(other.number)"
            }
            if underWay.contains(other.number) {
                violation = "\(number) and \(other.number) of a session are on their way"
            }
        }
    }
}
