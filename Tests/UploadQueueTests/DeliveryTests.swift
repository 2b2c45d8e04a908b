import Testing

@testable import UploadQueue

/// The delivery machine, step by step: events in, commands out.
@Suite struct DeliveryTests {
    private var delivery = Delivery(seed: 7)

    private static func item(_ number: Int64, _ session: Int64 = 1, _ stage: Upload.Stage = .answer) -> Delivery.Item {
        Delivery.Item(number: number, session: session, stage: stage)
    }

    private static let sending = Delivery.Record(state: .sending)
    private static func sends(_ commands: [Delivery.Command]) -> [Int64] {
        commands.compactMap { if case .send(let number) = $0 { number } else { nil } }
    }

    @Test mutating func anUploadIsStoredBeforeItIsSent() {
        #expect(delivery.handle(.found([Self.item(1)]), at: .zero) == [.keep(1, Self.sending), .send(1)])
        #expect(delivery.handle(.delivered(1), at: .seconds(1)) == [.keep(1, Delivery.Record(state: .delivered))])
        #expect(delivery.isAtRest)
    }

    @Test mutating func aCompletionWaitsForAnswersAndTheyForTheirSession() {
        let all = [Self.item(1, 1, .completion), Self.item(2), Self.item(3), Self.item(4, 1, .session)]
        #expect(Self.sends(delivery.handle(.found(all), at: .zero)) == [4])
        #expect(Self.sends(delivery.handle(.delivered(4), at: .zero)) == [2])
        #expect(Self.sends(delivery.handle(.delivered(2), at: .zero)) == [3])
        #expect(Self.sends(delivery.handle(.delivered(3), at: .zero)) == [1])
    }

    @Test mutating func oneOfASessionAndTwoInAllAreOnTheirWay() {
        let all = [Self.item(1, 1), Self.item(2, 1), Self.item(3, 2), Self.item(4, 3)]
        #expect(Self.sends(delivery.handle(.found(all), at: .zero)) == [1, 3])
        #expect(Self.sends(delivery.handle(.delivered(3), at: .zero)) == [4])
        #expect(Self.sends(delivery.handle(.delivered(1), at: .zero)) == [2])
    }

    @Test mutating func theFirstRetriesComeSoonAndLaterOnesAreSpread() {
        _ = delivery.handle(.found([Self.item(1)]), at: .zero)
        var now = Duration.zero
        var waits: [Duration] = []
        while true {
            let commands = delivery.handle(.failed(1, .transient, retryAfter: nil), at: now)
            guard case .keep(1, let record) = commands.first, case .waiting(let until?) = record.state else { break }
            #expect(record.attempts == waits.count + 1)
            waits.append(until - now)
            #expect(delivery.nextMoment(after: now) == until)
            #expect(
                delivery.handle(.timePassed, at: until - .milliseconds(1)).isEmpty, "the upload is not tried too early")
            now = until
            #expect(Self.sends(delivery.handle(.timePassed, at: now)) == [1])
        }
        #expect(waits.prefix(3) == [.milliseconds(200), .milliseconds(500), .seconds(1)], "V9")
        for (number, wait) in waits.dropFirst(3).enumerated() {
            #expect(wait <= min(.seconds(3) * (1 << number), .seconds(600)))
        }
        #expect(waits.count == 19, "the twentieth failure parks it")
        #expect(delivery.isAtRest && delivery.load.parked == 1)
    }

    /// "Full jitter": a uniformly random delay from zero to the ceiling. A thousand uploads fail at the same moment,
    /// each with its own seed. If they were spread over less, a recovering backend would be hit by all at once.
    @Test(arguments: [(4, Duration.seconds(3)), (5, .seconds(6)), (12, .seconds(600))])
    func laterRetriesAreSpreadEvenlyUpToTheirCeiling(_ attempts: Int, _ ceiling: Duration) {
        let limits = DeliveryLimits()
        let waits = (0..<1_000).map { seed in
            var jitter = Jitter(seed: UInt64(seed))
            return limits.delay(afterAttempts: attempts, &jitter)
        }
        let tenths = (0..<10).map { tenth -> Int in
            let (least, most): (Duration, Duration) = (ceiling * tenth / 10, ceiling * (tenth + 1) / 10)
            return waits.count { wait in wait >= least && (wait < most || tenth == 9) }
        }
        // On average a hundred in each. For a uniform spread, one count in three million deviates by more than five
        // times 9.5.
        #expect(tenths.allSatisfy { (52...148).contains($0) }, "\(tenths)")
        #expect(waits.max()! <= ceiling)
    }

    @Test mutating func threeDaysOfFailuresParkAnUpload() {
        _ = delivery.handle(.found([Self.item(1)]), at: .zero)
        _ = delivery.handle(.failed(1, .transient, retryAfter: nil), at: .zero)
        _ = delivery.handle(.timePassed, at: .seconds(71 * 3600))
        _ = delivery.handle(.failed(1, .transient, retryAfter: nil), at: .seconds(71 * 3600))
        #expect(delivery.load.parked == 0)
        _ = delivery.handle(.timePassed, at: .seconds(72 * 3600))
        _ = delivery.handle(.failed(1, .transient, retryAfter: nil), at: .seconds(72 * 3600))
        #expect(delivery.load.parked == 1)
    }

    @Test mutating func anUnreachableBackendCostsNoAttemptsAndIsProbedWithOne() {
        _ = delivery.handle(.found((1...5).map { Self.item($0, $0) }), at: .zero)
        var now = Duration.zero
        #expect(Self.sends(delivery.handle(.failed(1, .unreachable, retryAfter: nil), at: now)).isEmpty)
        #expect(Self.sends(delivery.handle(.failed(2, .unreachable, retryAfter: nil), at: now)).isEmpty)
        var tried: [Int64] = []
        for _ in 0..<40 {
            let next = delivery.nextMoment(after: now)!
            #expect(next - now <= .seconds(60))
            now = next
            let sent = Self.sends(delivery.handle(.timePassed, at: now))
            #expect(sent.count == 1, "one at a time")
            tried += sent
            let commands = delivery.handle(.failed(sent[0], .unreachable, retryAfter: nil), at: now)
            #expect(commands == [.keep(sent[0], Delivery.Record())], "no attempt is counted")
        }
        #expect(Set(tried) == [1, 2, 3, 4, 5], "all uploads get a turn")
        now = delivery.nextMoment(after: now)!
        let probe = Self.sends(delivery.handle(.timePassed, at: now))
        #expect(Self.sends(delivery.handle(.delivered(probe[0]), at: now)).count == 2, "any success wakes the rest")
    }

    @Test mutating func aFailureThatWasAnsweredOpensTheLineAgain() {
        _ = delivery.handle(.found([Self.item(1, 1), Self.item(2, 2), Self.item(3, 3)]), at: .zero)
        _ = delivery.handle(.failed(1, .unreachable, retryAfter: nil), at: .zero)
        _ = delivery.handle(.failed(2, .unreachable, retryAfter: nil), at: .zero)
        let now = delivery.nextMoment(after: .zero)!
        let probe = Self.sends(delivery.handle(.timePassed, at: now))
        _ = delivery.handle(.failed(probe[0], .transient, retryAfter: nil), at: now)
        #expect(delivery.breaker == .closed && delivery.sending == 2)
    }

    @Test mutating func aRefusedAnswerIsParkedAndDoesNotHoldUpTheNext() {
        _ = delivery.handle(.found([Self.item(1), Self.item(2), Self.item(3, 1, .completion)]), at: .zero)
        let commands = delivery.handle(.failed(1, .refused, retryAfter: nil), at: .zero)
        #expect(commands == [.keep(1, Delivery.Record(state: .parked)), .keep(2, Self.sending), .send(2)])
        #expect(Self.sends(delivery.handle(.delivered(2), at: .zero)).isEmpty, "the completion waits for all answers")
        #expect(delivery.isAtRest)
        // The user retries it, and the journal reports that.
        #expect(Self.sends(delivery.handle(.found([Self.item(1)]), at: .zero)) == [1])
        #expect(Self.sends(delivery.handle(.delivered(1), at: .zero)) == [3])
    }

    @Test mutating func droppingAParkedAnswerLetsTheSessionComplete() {
        _ = delivery.handle(.found([Self.item(1), Self.item(3, 1, .completion)]), at: .zero)
        _ = delivery.handle(.failed(1, .fileMissing, retryAfter: nil), at: .zero)
        #expect(Self.sends(delivery.handle(.gone(1), at: .zero)) == [3])
    }

    @Test mutating func anUploadDroppedWhileSendingIsForgotten() {
        _ = delivery.handle(.found([Self.item(1), Self.item(2)]), at: .zero)
        #expect(Self.sends(delivery.handle(.gone(1), at: .zero)) == [2])
        #expect(delivery.handle(.delivered(1), at: .zero).isEmpty)
        #expect(delivery.handle(.failed(1, .refused, retryAfter: nil), at: .zero).isEmpty)
        #expect(delivery.sending == 1)
    }

    @Test mutating func retryAfterStopsAllRequests() {
        _ = delivery.handle(.found([Self.item(1, 1), Self.item(2, 2), Self.item(3, 3)]), at: .zero)
        #expect(Self.sends(delivery.handle(.failed(1, .transient, retryAfter: .seconds(100)), at: .zero)).isEmpty)
        #expect(Self.sends(delivery.handle(.delivered(2), at: .seconds(1))).isEmpty)
        let next = delivery.nextMoment(after: .seconds(1))!
        #expect(next >= .seconds(100) && next <= .seconds(110))
        #expect(Self.sends(delivery.handle(.timePassed, at: next)).count == 2)
    }

    @Test mutating func noWaitIsLongerThanAnHour() {
        _ = delivery.handle(.found([Self.item(1)]), at: .zero)
        _ = delivery.handle(.failed(1, .transient, retryAfter: .seconds(1_000_000_000)), at: .zero)
        #expect(delivery.nextMoment(after: .zero)! <= .seconds(3630))
        #expect(delivery.nextMoment(after: .zero)! >= .seconds(3600))
    }

    @Test mutating func signingInIsWaitedForWithoutTrying() {
        _ = delivery.handle(.found([Self.item(1, 1), Self.item(2, 2)]), at: .zero)
        _ = delivery.handle(.failed(1, .signInNeeded, retryAfter: nil), at: .zero)
        _ = delivery.handle(.failed(2, .signInNeeded, retryAfter: nil), at: .zero)
        #expect(delivery.nextMoment(after: .zero) == nil && delivery.isAtRest)
        #expect(delivery.handle(.timePassed, at: .seconds(1_000_000)).isEmpty)
        #expect(Self.sends(delivery.handle(.signedIn, at: .seconds(1_000_000))) == [1, 2])
    }

    @Test mutating func aSpentBudgetMakesItTheBackendThatIsTriedAndNotTheUploads() {
        _ = delivery.handle(.found((1...200).map { Self.item($0, $0) }), at: .zero)
        var now = Duration.zero
        var attempts = 0
        // A backend that answers 503 for a day.
        while now < .seconds(86_400) {
            while let number = delivery.sendingNumbers.first {
                _ = delivery.handle(.failed(number, .transient, retryAfter: nil), at: now)
                attempts += 1
            }
            guard let next = delivery.nextMoment(after: now) else { break }
            now = max(next, now + .milliseconds(1))
            _ = delivery.handle(.timePassed, at: now)
        }
        #expect(delivery.load.parked == 0, "a day of 503 parks nothing")
        #expect(delivery.budget.left < 5)
        #expect(attempts < 86_400 / 30 + 200, "there is about one attempt in half a minute")
        // The backend is back.
        var delivered = 0
        let back = now
        while !delivery.isAtRest {
            while let number = delivery.sendingNumbers.first {
                _ = delivery.handle(.delivered(number), at: now)
                delivered += 1
            }
            if let next = delivery.nextMoment(after: now) { now = max(next, now) }
            _ = delivery.handle(.timePassed, at: now)
        }
        #expect(delivered == 200 && now - back < .seconds(120))
    }

    @Test mutating func aProgramThatIsKilledBySendingDoesNotTryForEver() {
        var record = Delivery.Record(state: .sending)
        for attempt in 1...20 {
            var delivery = Delivery(seed: UInt64(attempt))
            let commands = delivery.handle(
                .found([Delivery.Item(number: 1, session: 1, stage: .answer, record: record)]), at: .zero)
            guard case .keep(1, let kept) = commands.first else {
                _ = Issue.record("nothing was written down")
                return
            }
            #expect(kept.attempts == attempt)
            if attempt == 20 { return #expect(kept.state == .parked) }
            record = kept
            record.state = .sending
        }
    }

    @Test mutating func nothingIsSentWhileClosing() {
        _ = delivery.handle(.closing, at: .zero)
        #expect(delivery.handle(.found([Self.item(1)]), at: .zero).isEmpty)
        #expect(delivery.nextMoment(after: .zero) == nil)
    }
}
