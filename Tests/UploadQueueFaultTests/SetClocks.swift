import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import UploadQueue
import VirtualDevices
import Waiting

@testable import queue_probe

extension Faults {
    /// Row 11 of `make promise`: the clock is set, summer time begins and ends, the program is frozen for a while.
    /// Waiting uploads are sent when they are due.
    @Suite struct SetClocks {
        private static let year = 365 * 86_400

        /// An action on the program after a number of tries.
        private enum Step: Sendable {
            case clock(Int)
            /// In ms.
            case frozen(Int)
        }

        private struct Case: Sendable {
            var name: String
            var zone = "UTC"
            /// The clock at the beginning: seconds after the true time, or a given time.
            var start: Start = .after(0)
            var steps: [Step] = []

            enum Start: Sendable {
                case after(Int)
                /// In seconds since 1970.
                case at(Int)
            }
        }

        private static let cases = [
            Case(name: "ten years on", steps: [.clock(10 * year)]),
            Case(name: "ten years back", steps: [.clock(-10 * year)]),
            Case(name: "on and back", steps: [.clock(10 * year), .clock(-10 * year), .clock(0)]),
            Case(name: "back and on", steps: [.clock(-10 * year), .clock(10 * year), .clock(0)]),
            Case(name: "ahead from the beginning", start: .after(10 * year), steps: [.clock(0)]),
            Case(name: "an hour back and on", steps: [.clock(-3_600), .clock(3_600), .clock(0)]),
            // 2026-10-25T00:59:59Z and 2027-03-28T00:59:59Z in Berlin; 2027-03-14T06:59:59Z in New York.
            Case(name: "summer ends", zone: "Europe/Berlin", start: .at(1_792_889_999)),
            Case(name: "summer begins", zone: "Europe/Berlin", start: .at(1_806_195_599)),
            Case(name: "summer begins elsewhere", zone: "America/New_York", start: .at(1_805_007_599)),
            Case(name: "frozen for two seconds", steps: [.frozen(2_000)]),
            Case(name: "frozen again and again", steps: [.frozen(300), .frozen(1_200), .frozen(700)]),
            Case(name: "set while frozen", steps: [.frozen(1_000), .clock(10 * year), .frozen(1_000)]),
        ]

        /// The number of failures with which each upload begins. The delays after these are known.
        private static let failures = 3

        @Test(.needs(FalseTime.obstacle), .endsIfItHangs) func aClockThatIsSetMovesNothing() async throws {
            let start = ContinuousClock.now
            let library = try TemporaryFolder()
            let path = try FalseTime.build(in: library.path)
            // All cases run at the same time, because they mostly wait.
            let (tally, latest) = try await withThrowingTaskGroup(of: (Tally, Duration).self) { group in
                for one in Self.cases { group.addTask { try await Self.run(one, library: path) } }
                return try await group.reduce(into: (Tally(), Duration.zero)) { all, more in
                    all.0 += more.0
                    all.1 = max(all.1, more.1)
                }
            }
            tally.report(row: 11, "set clocks", since: start, least: 12)
            print(
                "row 11: at most \(latest.components.seconds * 1_000 + latest.components.attoseconds / 1_000_000_000_000_000) ms after it was due"
            )
        }

        private static func run(_ one: Case, library: String) async throws -> (Tally, Duration) {
            var tally = Tally()
            tally.points = 1
            let hand = Hand(one.steps)
            let place = try Place(fate: { _, before in
                hand.tried()
                return before < failures ? .refuse : .take
            })
            defer { place.remove() }
            try place.prepare(.drain)
            hand.offset = place.path + "/offset"
            switch one.start {
            case .after(let seconds): hand.set(seconds)
            case .at(let moment): hand.set(moment - Int(Date().timeIntervalSince1970))
            }
            let probe = try RunningProbe(
                Deed.drain.words(on: place) + ["--patient", "--tell"], scratch: place.path,
                environment: ["LD_PRELOAD": library, "FALSE_TIME": hand.offset, "TZ": one.zone])
            hand.pid = probe.pid
            let end = try await probe.end()
            if end.code != 0 || !end.isOrderly || hand.left > 0 { tally.note(\.broken, "\(one.name): \(end)") }
            let frozen = one.steps.reduce(Duration.zero) { sum, step in
                if case .frozen(let milliseconds) = step { sum + .milliseconds(milliseconds) } else { sum }
            }
            let latest = check(one.name, dues(in: end.output), place.ledger.tries, frozen: frozen, &tally)
            var promises = Promises(place, after: .drain, nil)
            promises.crashes = 0
            await promises.check(one.name, into: &tally)
            return (tally, latest)
        }

        /// Performs a step after every third try.
        private final class Hand: Sendable {
            private let state: Mutex<(tries: Int, steps: ArraySlice<Step>, offset: String, pid: pid_t?)>

            init(_ steps: [Step]) { state = Mutex((0, steps[...], "", nil)) }

            var left: Int { state.withLock(\.steps.count) }

            /// The path of the clock's offset.
            var offset: String {
                get { state.withLock(\.offset) }
                set { state.withLock { $0.offset = newValue } }
            }

            var pid: pid_t? {
                get { state.withLock(\.pid) }
                set { state.withLock { $0.pid = newValue } }
            }

            func set(_ seconds: Int) {
                try? "\(seconds)\n".write(toFile: offset, atomically: true, encoding: .utf8)
            }

            func tried() {
                let (step, pid) = state.withLock { state in
                    state.tries += 1
                    return (state.tries % 3 == 0 && state.pid != nil ? state.steps.popFirst() : nil, state.pid)
                }
                switch step {
                case .clock(let seconds): set(seconds)
                case .frozen(let milliseconds):
                    kill(pid!, SIGSTOP)
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                        kill(pid!, SIGCONT)
                    }
                case nil: break
                }
            }
        }

        /// Returns the due times that the program has printed.
        private static func dues(in output: String) -> [Waiting: Set<Duration>] {
            var dues: [Waiting: Set<Duration>] = [:]
            for line in output.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 4, words[0] == "DUE", let id = UUID(uuidString: String(words[1])),
                    let attempts = Int(words[2]), let moment = Double(words[3])
                else { continue }
                dues[Waiting(id: id, attempts: attempts), default: []].insert(.milliseconds(moment))
            }
            return dues
        }

        private struct Waiting: Hashable {
            var id: UUID
            var attempts: Int
        }

        /// - Returns: The longest delay of a try after its due time.
        private static func check(
            _ name: String, _ dues: [Waiting: Set<Duration>], _ tries: [UUID: [Duration]], frozen: Duration,
            _ tally: inout Tally
        ) -> Duration {
            var latest = Duration.zero
            var looked = 0
            let delays = DeliveryLimits().firstDelays
            for (waiting, moments) in dues {
                guard let due = moments.first, let tried = tries[waiting.id], waiting.attempts < tried.count,
                    (1...failures).contains(waiting.attempts)
                else {
                    continue
                }
                looked += 1
                if moments.count > 1 { tally.note(\.broken, "\(name): an upload that is due was put off: \(moments)") }
                // It waits for the right time, counted from the failure.
                let wait = due - tried[waiting.attempts - 1]
                let should = delays[waiting.attempts - 1]
                if wait < should - .milliseconds(5) || wait > should + .seconds(1) + frozen + busy {
                    tally.note(\.broken, "\(name): it waits for \(wait) instead of \(should)")
                }
                let lateness = tried[waiting.attempts] - due
                if lateness < .milliseconds(-5) || lateness > .seconds(1) + frozen + busy {
                    tally.note(\.broken, "\(name): tried \(lateness) after it was due")
                }
                latest = max(latest, lateness)
            }
            if looked != failures * 2 * ProbeSession.uploads {
                tally.note(\.broken, "\(name): only \(looked) were seen waiting")
            }
            return latest
        }

        /// A busy machine may be late, but not by ten years.
        private static let busy = Patience.limit
    }
}
