import Glibc
import Synchronization
import SystemSupport

/// The loop of a queue: wait, decide, store, send. It does for a queue what `Session` does for an exam.
final class Sender: Sendable {
    private enum News: Sendable {
        case delivery(Delivery.Event)
        case failed(Int64, DeliveryFailure)
        case tick
        case changed
        case close
    }

    private let journal: Journal
    private let uploader: any Uploader
    private let limits: DeliveryLimits
    private let report: @Sendable (SendingProgress) -> Void
    private let news: AsyncStream<News>
    private let inbox: AsyncStream<News>.Continuation
    private let progress = Mutex(SendingProgress())

    /// The longest sleep of the loop, after which it checks whether another process has written to the journal.
    private static let longestSleep = Duration.seconds(1)

    init(
        journal: Journal,
        uploader: any Uploader,
        limits: DeliveryLimits,
        report: @escaping @Sendable (SendingProgress) -> Void
    ) {
        self.journal = journal
        self.uploader = uploader
        self.limits = limits
        self.report = report
        (news, inbox) = AsyncStream.makeStream()
    }

    /// Passes on uploads that were added in this process.
    @Sendable func tell(_ items: [Delivery.Item]) {
        inbox.yield(.delivery(.found(items)))
    }

    /// Makes the loop read the journal again, because this process changed it by hand. The journal's version doesn't
    /// show that.
    @Sendable func lookAgain() {
        inbox.yield(.changed)
    }

    func run(until goal: SendingGoal, deadline: Duration?) async throws(Problem) -> SendingProgress {
        // This needs a separate task, since a cancelled one could not wait for the uploads that it interrupts.
        let running = Task { () -> Result<SendingProgress, Problem> in
            do throws(Problem) {
                return .success(try await loop(until: goal, deadline: deadline))
            } catch {
                return .failure(error)
            }
        }
        return try await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            inbox.yield(.close)
        }.get()
    }

    private func loop(until goal: SendingGoal, deadline: Duration?) async throws(Problem) -> SendingProgress {
        var sendings: [Int64: Task<Void, Never>] = [:]
        do throws(Problem) {
            try await loop(until: goal, deadline: deadline, &sendings)
        } catch {
            for task in sendings.values { task.cancel() }
            // The caller may exit now, and libraries must not be shut down while uploads still use them.
            for task in sendings.values { await task.value }
            throw error
        }
        return progress.withLock { $0 }
    }

    private func loop(
        until goal: SendingGoal, deadline: Duration?, _ sendings: inout [Int64: Task<Void, Never>]
    ) async throws(Problem) {
        var delivery = Delivery(limits, seed: UInt64.random(in: 0 ... .max))
        var version = try journal.version()
        var isClosing = false
        // The uploads from earlier runs.
        try step(&delivery, .found(journal.undelivered()), &sendings)
        var waiting = news.makeAsyncIterator()
        var alarm: Alarm?
        defer { alarm?.task.cancel() }
        while true {
            note(delivery)
            if sendings.isEmpty && (isClosing || goal == .atRest && delivery.isAtRest) { break }
            set(&alarm, for: [delivery.nextMoment(after: SteadyClock.now), deadline].compactMap(\.self).min())
            let item = await waiting.next()
            switch item {
            case .delivery(let event):
                try step(&delivery, event, &sendings)
            case .failed(let number, let failure):
                try step(
                    &delivery, .failed(number, failure.kind, retryAfter: failure.retryAfter), &sendings,
                    (number, failure))
            case .tick:
                alarm = nil
                let now = try journal.version()
                if now != version { try readAgain(&delivery, &sendings) }
                version = now
                try step(&delivery, .timePassed, &sendings)
            case .changed:
                try readAgain(&delivery, &sendings)
            case .close, nil:
                isClosing = true
            }
            if isClosing || deadline.map({ SteadyClock.now >= $0 }) ?? false {
                isClosing = true
                try step(&delivery, .closing, &sendings)
                for task in sendings.values { task.cancel() }
            }
        }
    }

    /// Performs one step: the machine decides, the journal is written, and only then are commands carried out.
    private func step(
        _ delivery: inout Delivery, _ event: Delivery.Event, _ sendings: inout [Int64: Task<Void, Never>],
        _ failure: (number: Int64, DeliveryFailure)? = nil
    ) throws(Problem) {
        var records: [(Int64, Delivery.Record)] = []
        var sends: [Int64] = []
        for command in delivery.handle(event, at: SteadyClock.now) {
            switch command {
            case .keep(let number, let record): records.append((number, record))
            case .send(let number): sends.append(number)
            }
        }
        switch event {
        case .delivered(let number), .failed(let number, _, _), .gone(let number):
            sendings.removeValue(forKey: number)?.cancel()
        case .found, .signedIn, .timePassed, .closing: break
        }
        if !records.isEmpty { try journal.keep(records, failures: failure.map { [$0.number: $0.1] } ?? [:]) }
        // Remove the file only after the journal says that the upload has arrived.
        if case .delivered(let number) = event { try journal.removeFile(of: number) }
        for number in sends { sendings[number] = Task { await self.send(number) } }
    }

    private func send(_ number: Int64) async {
        do throws(DeliveryFailure) {
            guard let (upload, note) = try look(number) else {
                _ = inbox.yield(.delivery(.gone(number)))
                return
            }
            try upload.file?.verify()
            progress.withLock { $0.begin(number, upload) }
            defer { progress.withLock { $0.end(number) } }
            let courier = Courier(
                note: note,
                // The number is only information for others, and decides nothing.
                arrived: { (try? self.journal.arrived(besides: number)) ?? 0 },
                keep: { note throws(DeliveryFailure) in
                    do throws(Problem) {
                        try self.journal.keep(note: note, of: number)
                    } catch {
                        throw DeliveryFailure(.unwritable, message: error.sentence)
                    }
                },
                sent: { count in
                    self.report(
                        self.progress.withLock {
                            $0.sent(count, of: number)
                            return $0
                        })
                })
            try await uploader.deliver(upload, with: courier)
            progress.withLock { $0.deliver(bytes: upload.file?.byteCount ?? 0) }
            inbox.yield(.delivery(.delivered(number)))
        } catch {
            inbox.yield(.failed(number, error))
        }
    }

    private func look(_ number: Int64) throws(DeliveryFailure) -> (upload: Upload, note: String?)? {
        do throws(Problem) {
            return try journal.upload(number)
        } catch {
            throw DeliveryFailure(error.kind == .malformed ? .fileAltered : .unwritable, message: error.sentence)
        }
    }

    /// Reads the journal after uploads were added, retried, dropped or forgotten, or the user signed in.
    private func readAgain(
        _ delivery: inout Delivery, _ sendings: inout [Int64: Task<Void, Never>]
    ) throws(Problem) {
        let items = try journal.undelivered()
        let there = Set(items.map(\.number))
        for number in Array(delivery.numbers) where !there.contains(number) {
            try step(&delivery, .gone(number), &sendings)
        }
        try step(&delivery, .signedIn, &sendings)
        try step(&delivery, .found(items), &sendings)
    }

    private struct Alarm {
        var at: Duration
        var task: Task<Void, Never>
    }

    /// Schedules a tick at a moment, or after the longest sleep. A tick that comes too early is harmless.
    private func set(_ alarm: inout Alarm?, for moment: Duration?) {
        let now = SteadyClock.now
        let at = max(min(moment ?? now + Self.longestSleep, now + Self.longestSleep), now)
        if let alarm {
            guard at < alarm.at else { return }
            alarm.task.cancel()
        }
        let task = Task { [inbox] in
            guard (try? await Task.sleep(for: at - now)) != nil else { return }
            inbox.yield(.tick)
        }
        alarm = Alarm(at: at, task: task)
    }

    private func note(_ delivery: Delivery) {
        report(
            progress.withLock {
                $0.note(delivery, at: SteadyClock.now)
                return $0
            })
    }
}
