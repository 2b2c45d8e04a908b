import ExamCore
import Testing

@testable import UploadQueue

/// A whole day with an unreachable backend in virtual time. Five hundred answers wait, and all arrive when it is over.
@Suite struct Outage {
    @Test(arguments: [DeliveryFailure.Kind.unreachable, .transient, .timedOut])
    func aDayWithoutABackendLosesNothingAndDoesNotHammer(_ trouble: DeliveryFailure.Kind) {
        let day = Duration.seconds(24 * 3600)
        /// The time for an upload if all is well.
        let service = Duration.milliseconds(150)
        var day500 = Day(seed: 11)
        day500.run(until: day) { _ in trouble }
        let tries = day500.tries
        // Every answer once, the hundred retries of the budget, and then a test every half minute on average.
        #expect(tries < 500 + 100 + 24 * 3600 / 30 * 3 / 2, "\(tries)")
        #expect(day500.delivery.load.parked == 0)
        #expect(day500.mostAttempts <= 20)

        let back = day500.now
        day500.run(until: back + .seconds(3600), taking: service) { _ in nil }
        #expect(day500.delivered == 500 && day500.delivery.isAtRest)
        let drained = day500.now - day500.firstArrival!
        #expect(drained < .seconds(60))
        #expect(day500.firstArrival! - back <= .seconds(61))
        print(
            "row 10: 24 h of \(trouble), 500 answers, \(tries) tries, at most \(day500.mostAttempts) counted for one; "
                + "back after \(day500.firstArrival! - back), drained in \(drained), 500 delivered, 0 parked")
    }

    /// Answers are added during the first hour. Each try ends at once, or after the service time.
    private struct Day {
        var delivery: Delivery
        var now = Duration.zero
        var tries = 0
        var delivered = 0
        var mostAttempts = 0
        var firstArrival: Duration?
        private var added: Int64 = 0
        private var underWay: [(number: Int64, ends: Duration)] = []

        init(seed: UInt64) { delivery = Delivery(seed: seed) }

        mutating func run(
            until end: Duration, taking service: Duration = .zero, _ fate: (Int64) -> DeliveryFailure.Kind?
        ) {
            while now < end {
                let nextAnswer = added < 500 ? Duration.seconds(Int(added) * 7) : nil
                let next = [delivery.nextMoment(after: now), underWay.map(\.ends).min(), nextAnswer].compactMap(\.self)
                    .min()
                guard let next, next <= end else {
                    now = delivery.isAtRest ? now : end
                    return
                }
                now = max(now, next)
                if let nextAnswer, nextAnswer <= now {
                    added += 1
                    let item = Delivery.Item(number: added, session: added / 10, stage: .answer)
                    handle(.found([item]), service)
                } else if let index = underWay.firstIndex(where: { $0.ends <= now }) {
                    let number = underWay.remove(at: index).number
                    if let kind = fate(number) {
                        handle(.failed(number, kind, retryAfter: nil), service)
                    } else {
                        delivered += 1
                        firstArrival = firstArrival ?? now
                        handle(.delivered(number), service)
                    }
                } else {
                    handle(.timePassed, service)
                }
            }
        }

        private mutating func handle(_ event: Delivery.Event, _ service: Duration) {
            for command in delivery.handle(event, at: now) {
                switch command {
                case .keep(_, let record): mostAttempts = max(mostAttempts, record.attempts)
                case .send(let number):
                    tries += 1
                    underWay.append((number, now + service))
                }
            }
        }
    }
}

/// One answer among a thousand that a backend never accepts.
@Suite struct Poison {
    @Test(arguments: 0..<10) func aFailingUploadHoldsUpNoOther(_ seed: Int) {
        var chance = SplitMix64(seed: UInt64(seed))
        let poisoned = Int64(1 + chance.below(1000))
        let kind: DeliveryFailure.Kind = seed.isMultiple(of: 2) ? .transient : .refused
        var delivery = Delivery(seed: UInt64(seed))
        var now = Duration.zero
        var delivered: Set<Int64> = []
        var tries = 0
        let items = (1...1000).map { Delivery.Item(number: $0, session: ($0 - 1) / 10, stage: .answer) }
        _ = delivery.handle(.found(items), at: now)
        while !delivery.isAtRest {
            while let number = delivery.sendingNumbers.first {
                if number == poisoned { tries += 1 }
                let event: Delivery.Event =
                    number == poisoned ? .failed(number, kind, retryAfter: nil) : .delivered(number)
                if number != poisoned { delivered.insert(number) }
                _ = delivery.handle(event, at: now)
            }
            guard let next = delivery.nextMoment(after: now) else { break }
            now = next
            _ = delivery.handle(.timePassed, at: now)
        }
        #expect(delivered.count == 999 && delivery.load.parked == 1 && delivery.load.open == 0)
        #expect(tries == (kind == .refused ? 1 : 20))
        if seed == 9 { print("row 12: 10 × 1 poisoned among 1000: 9990 delivered, 10 parked") }
    }
}
