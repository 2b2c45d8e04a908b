import ExamCore
import ExamStore
import Foundation
import LoopbackServers
import Synchronization

/// Measures what a store can take: the rows of whole sessions, written as nodes write them, at a steady rate.
///
/// A session consists of its row, its frozen exam, a lease, fourteen answers, each with its recording's row and four
/// log lines, its completion, and the following job, which workers claim and finish. Sound is stored elsewhere.
/// Sessions begin on schedule, even if earlier ones aren't complete. A store that can't keep up shows it by its times,
/// and by the work left at the end.
struct StoreLoad {
    private static let answersASession = 14
    private static let linesAnAnswer = 4

    private var sessionsASecond = 200.0
    private var minutes = 5.0
    private var connections = 8
    private var isSQLite = false
    private let work: String

    /// - Parameter words: `--rate SESSIONS-A-SECOND`, `--minutes M`, `--connections N`, `--sqlite`.
    init(work: String, _ words: [String] = []) {
        self.work = work
        var words = words[...]
        while let option = words.popFirst() {
            if option == "--sqlite" {
                isSQLite = true
                continue
            }
            guard let value = words.popFirst().flatMap(Double.init), value > 0 else { Self.usage() }
            switch option {
            case "--rate": sessionsASecond = value
            case "--minutes": minutes = value
            case "--connections": connections = Int(value)
            default: Self.usage()
            }
        }
    }

    private static func usage() -> Never {
        fail("store [--rate SESSIONS-A-SECOND] [--minutes M] [--connections N] [--sqlite]", code: 64)
    }

    /// The completed work and the time that each commit took.
    private final class Account: Sendable {
        private let state = Mutex<(commits: [Double], answers: Int, completed: Int, ended: Int, inFlight: Int)>(
            ([], 0, 0, 0, 0))

        func timed<Value>(_ work: () async throws -> Value) async throws -> Value {
            let began = clockNow()
            let value = try await work()
            let took = clockNow() - began
            state.withLock { $0.commits.append(took) }
            return value
        }
        func answered() { state.withLock { $0.answers += 1 } }
        func completed() { state.withLock { $0.completed += 1 } }
        func ended() { state.withLock { $0.ended += 1 } }
        func began() { state.withLock { $0.inFlight += 1 } }
        func finished() { state.withLock { $0.inFlight -= 1 } }
        var inFlight: Int { state.withLock { $0.inFlight } }
        var waiting: Int { state.withLock { $0.completed - $0.ended } }
        /// A copy with all times, for the end of the run.
        var now: (commits: [Double], answers: Int, completed: Int, ended: Int, inFlight: Int) { state.withLock { $0 } }
    }

    func measure() async throws {
        let postgres = isSQLite ? nil : try await PostgresServer.start(isDurable: true)
        let store =
            if let postgres {
                try ExamDatabase.postgres(try await postgres.makeDatabase(), connections: connections)
            } else {
                try ExamDatabase.sqlite(path: work + "/store.sqlite")
            }
        try await store.migrate()
        let account = Account()
        let workers = (0..<2).map { number in
            Task {
                while !Task.isCancelled {
                    guard
                        let job = try await store.service.claim(
                            worker: "w\(number)", assessor: "bench-1", seconds: 60)
                    else {
                        try await Task.sleep(for: .milliseconds(20))
                        continue
                    }
                    if try await store.service.complete(job, StoredResult(), by: "bench-1") { account.ended() }
                }
            }
        }
        let (began, machine) = (clockNow(), MachineTime())
        let count = Int(sessionsASecond * minutes * 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let due = began + Double(number) / sessionsASecond
                if due > clockNow() { try await Task.sleep(for: .seconds(due - clockNow())) }
                // Stops when the unfinished sessions would exceed the memory.
                if account.inFlight > 20_000 { break }
                account.began()
                group.addTask {
                    try await hold(in: store, account)
                    account.finished()
                }
            }
            let sent = clockNow()
            let late = account.inFlight
            try await group.waitForAll()
            report(account.now, began: began, sent: sent, late: late, machine)
        }
        let deadline = clockNow() + 60
        while account.waiting > 0, clockNow() < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        let stats = try await store.service.jobStats()
        let done = account.now
        print(
            "  jobs                            \(done.completed) queued, \(done.ended) ended, \(stats.pending + stats.processing) wait   bar: none lost"
        )
        for worker in workers { worker.cancel() }
        for worker in workers { _ = try? await worker.value }
        await store.close()
    }

    private func hold(in store: ExamDatabase, _ account: Account) async throws {
        let (user, session) = (UUID(), UUID())
        let owned = store.owned(by: user, assessor: "bench-1")
        _ = try await account.timed {
            try await owned.put(
                TestSession(
                    id: session, name: "bench", format: "ielts-style", paper: "bridges",
                    startedAt: "2026-11-25T09:00:00Z", expectedResponses: Self.answersASession))
        }
        try await account.timed {
            try await store.service.put("exam.json", [UInt8](repeating: 0x20, count: 24_000), session: session)
        }
        _ = try await account.timed {
            try await store.service.takeLease(session, node: "bench", url: "", seconds: 60)
        }
        let line = #"{"at":12.345,"event":"voiceEnded","phase":"answering","left":31.2,"commands":["closeTake"]}"#
        let lines = [String](repeating: line, count: Self.linesAnAnswer)
        for order in 1...Self.answersASession {
            try await account.timed {
                try await store.service.append(
                    lines, to: session, from: 1 + (order - 1) * Self.linesAnAnswer, node: "bench")
            }
            let id = UUID()
            let digest = String(repeating: "0f", count: 32)
            _ = try await account.timed {
                try await owned.put(
                    TestResponse(
                        id: id, session: session,
                        record: AnswerRecord(
                            question: "q\(order)", part: 1, order: order, end: "finished",
                            duration: Seconds(.seconds(21.5)), speech: Seconds(.seconds(17))),
                        path: "takes/part1_q\(order).opus", byteCount: 90_000, sha256: digest, mediaType: "audio/ogg"),
                    recording: Recording(
                        id: id, session: session, key: "\(session)/\(id).opus", byteCount: 90_000, sha256: digest,
                        mediaType: "audio/ogg"))
            }
            account.answered()
        }
        _ = try await account.timed {
            try await owned.complete(
                session,
                Completion(
                    id: UUID(), completedAt: "2026-11-25T09:14:00Z", outcome: "completed", answers: Self.answersASession
                ))
        }
        account.completed()
    }

    private func report(
        _ done: (commits: [Double], answers: Int, completed: Int, ended: Int, inFlight: Int), began: Double,
        sent: Double, late: Int, _ machine: MachineTime
    ) {
        let what = isSQLite ? "SQLite" : "PostgreSQL, \(connections) connections"
        section("\(what): \(decimal(sessionsASecond, 0)) sessions' rows a second for \(decimal(minutes, 1)) minutes")
        let span = clockNow() - began
        print("  sessions, answers               \(done.completed), \(done.answers)")
        print(
            "  a second                        \(decimal(Double(done.completed) / span, 0)), \(decimal(Double(done.answers) / span, 0))"
        )
        print(
            "  commits                         \(done.commits.count), \(decimal(Double(done.commits.count) / span, 0)) a second"
        )
        print("  a commit, with its wait         \(ServerLoad.quantiles(done.commits))")
        print(
            "  still under way when the last one came  \(late); \(decimal(clockNow() - sent, 1)) s until they were done"
        )
        let (busy, idle, stolen) = MachineTime().shares(since: machine)
        print(
            "  the machine meanwhile           busy \(decimal(busy, 0)) %, idle \(decimal(idle, 0)) %, stolen \(decimal(stolen, 1)) %"
        )
    }
}
