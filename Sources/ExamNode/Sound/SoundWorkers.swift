import AudioFiles
package import Foundation
import Glibc
package import Logging
import Synchronization
import SystemSupport

/// The worker processes that decode, measure and re-encode uploaded recordings, one recording at a time each. Learners
/// take turns. The server gives up a recording that costs more than its size allows.
///
/// If the settings name no program for workers, for example in an application that embeds this server, this process
/// does the work on separate threads. Learners take turns there as well.
package final class SoundWorkers: Sendable {
    /// The reason why a task failed.
    package enum Failure: Error, Equatable {
        /// The recording cannot be decoded on any machine, and trying again doesn't help. The text is the reason,
        /// without its subject: `cannot be decoded`.
        case refused(String)
        /// This machine cannot start a worker now. Try again later.
        case away
        case cancelled

        package static let tooCostly = Failure.refused("takes more work to decode than a recording of its size may")
        package static let fatal = Failure.refused("ends the program that decodes it")
    }

    /// The party that waits for the result.
    package enum Urgency {
        /// A worker of the queue.
        case background
        /// A person who has opened a report.
        case person

        var weight: Double { self == .person ? 4 : 1 }
    }

    private let program: [String]?
    private let limits: SoundLimits
    private let logger: Logger
    private let desk: FairDesk<UUID>
    /// The turns for reading headers, which uploads wait for.
    private let quickDesk = FairDesk<UUID>(places: 4)
    private let threads: BlockingThreads

    private struct Counts {
        var refused = 0
        var overLimit = 0
        var died = 0
    }

    private let counted = Mutex(Counts())
    private let running = Mutex<[ObjectIdentifier: WorkerProcess]>([:])

    /// The number of attempts at a recording if its worker dies. The recording need not be the cause: the kernel or an
    /// operator may have ended the worker.
    private static let attempts = 3
    /// Seconds of processor time for a header.
    private static let quickSeconds = 2.0

    /// - Parameters:
    ///   - program: the program of the workers, with its arguments; nil for none.
    ///   - places: the number of recordings at a time; nil for the number of processors, but at least two.
    package init(program: [String]?, limits: SoundLimits, places: Int? = nil, logger: Logger) {
        self.program = program
        self.limits = limits
        self.logger = logger
        let count = places ?? max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        desk = FairDesk(places: count)
        threads = BlockingThreads(named: "sound", count: count + 4)
    }

    /// Decodes one recording when it is the learner's turn.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which a worker opens.
    ///   - byteCount: the file's size.
    ///   - learner: the learner whose turn it uses.
    package func perform(
        _ task: SoundTask, on path: String, byteCount: Int, for learner: UUID, _ urgency: Urgency = .background
    ) async throws(Failure) -> (found: SoundTask.Found, bytes: [UInt8]) {
        let isQuick = if case .length = task { true } else { false }
        do {
            return try await (isQuick ? quickDesk : desk).run(for: learner, weight: urgency.weight) {
                try await attempt(task, path, byteCount, seconds: isQuick ? Self.quickSeconds : nil).get()
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .cancelled
        }
    }

    /// The ids of the running worker processes.
    var processes: [pid_t] { running.withLock { $0.values.compactMap(\.id) } }

    /// Sets the metrics of this work for `/metrics`.
    package func tell(_ metrics: ServerMetrics) {
        let (waiting, running) = desk.counts
        metrics.set(.soundWaiting, Double(waiting))
        metrics.set(.soundRunning, Double(running))
        let counts = counted.withLock { $0 }
        for (why, count) in [("refused", counts.refused), ("limit", counts.overLimit), ("died", counts.died)] {
            metrics.set(.soundFailures, Double(count), label: "why=\"\(why)\"")
        }
    }

    private func attempt(
        _ task: SoundTask, _ path: String, _ byteCount: Int, seconds: Double?
    ) async -> Result<(found: SoundTask.Found, bytes: [UInt8]), Failure> {
        guard let program else {
            return await runBlocking(on: threads) {
                Result { () throws(SoundFileError) in try task.perform(on: path) }.mapError { .refused($0.reason) }
            }
        }
        let request = SoundWorker.Request(
            task: task, path: path, seconds: seconds ?? limits.processorSeconds(byteCount),
            memory: limits.limitsMemory ? limits.memory(byteCount) : nil)
        let patience = seconds.map { $0 * limits.patience } ?? limits.clockSeconds(byteCount)
        for number in 1...Self.attempts {
            let end: WorkerProcess.End
            do throws(WorkerProcess.End) {
                let (answer, bytes) = try await ask(program, request, patience)
                if let found = answer.found { return .success((found, bytes)) }
                counted.withLock { $0.refused += 1 }
                return .failure(.refused(answer.refusal ?? "cannot be decoded"))
            } catch {
                end = error
            }
            if Task.isCancelled { return .failure(.cancelled) }
            switch end {
            case .overLimit:
                counted.withLock { $0.overLimit += 1 }
                return .failure(.tooCostly)
            case .unstarted:
                logger.error("a worker for sound does not start", metadata: ["what": "\(program[0])"])
                return .failure(.away)
            case .died:
                counted.withLock { $0.died += 1 }
                logger.warning("a worker for sound died during its task", metadata: ["attempt": "\(number)"])
            }
        }
        return .failure(.fatal)
    }

    private func ask(
        _ program: [String], _ request: SoundWorker.Request, _ seconds: Double
    ) async throws(WorkerProcess.End) -> (answer: SoundWorker.Answer, bytes: [UInt8]) {
        let process = try await runBlocking(on: threads) { () throws(WorkerProcess.End) in try WorkerProcess(program) }
        running.withLock { $0[ObjectIdentifier(process)] = process }
        defer { _ = running.withLock { $0.removeValue(forKey: ObjectIdentifier(process)) } }
        let result = await withTaskCancellationHandler {
            await runBlocking(on: threads) {
                Result { () throws(WorkerProcess.End) in try process.ask(request, seconds: seconds) }
            }
        } onCancel: {
            process.kill()
        }
        await runBlocking(on: threads) { process.end() }
        return try result.get()
    }
}
