import Foundation
import Glibc
import SystemSupport

/// A worker process, seen from its server. It gets one request at a time, and is killed if that takes too long.
///
/// Its calls block; `kill` may be called from any thread.
final class WorkerProcess: Sendable {
    /// The reason why a request has no answer.
    enum End: Error, Equatable {
        /// The worker used up its processor time or its wall-clock time.
        case overLimit
        /// The worker ended for another reason: it was killed, or crashed.
        case died
        /// This machine cannot start a process, or cannot filter its system calls.
        case unstarted
    }

    private let socket: WorkerSocket

    /// The most bytes of a line: two hours of measures and peaks.
    private static let longestLine = 32 << 20
    /// The most bytes of an MP3: two hours.
    private static let longestBytes = 32 << 20

    /// - Parameter program: the program's path, then its arguments.
    init(_ program: [String]) throws(End) {
        let kept = ["PATH", "TMPDIR", "LD_LIBRARY_PATH"].compactMap { name in
            UserFolders.environment(name).map { "\(name)=\($0)" }
        }
        do throws(WorkerSocket.End) {
            // Only one arena, since each maps 64 MB of the worker's allowed memory.
            socket = try WorkerSocket(program, environment: kept + ["LC_ALL=C", "MALLOC_ARENA_MAX=1"])
        } catch {
            throw .unstarted
        }
    }

    /// Ends the process and waits for its exit.
    func end() { socket.end() }

    /// The id of the process while it exists.
    var id: pid_t? { socket.id }

    /// Kills the process and its children immediately.
    func kill() { socket.kill() }

    /// Asks the worker to decode one recording.
    ///
    /// - Parameter seconds: the allowed wall-clock time.
    func ask(
        _ request: SoundWorker.Request, seconds: Double
    ) throws(End) -> (answer: SoundWorker.Answer, bytes: [UInt8]) {
        let end = SteadyClock.now + .seconds(seconds)
        guard let line = try? JSONEncoder().encode(request) else { throw .died }
        do throws(WorkerSocket.End) {
            try socket.send(Array(line) + [10], until: end)
            let reply = try socket.readLine(longest: Self.longestLine, until: end)
            guard let answer = try? JSONDecoder().decode(SoundWorker.Answer.self, from: Data(reply)),
                (0...Self.longestBytes).contains(answer.found?.byteCount ?? 0)
            else {
                // Its answer is malformed: it can no longer be trusted.
                socket.end()
                throw WorkerSocket.End.malformed
            }
            return (answer, try socket.readBytes(answer.found?.byteCount ?? 0, until: end))
        } catch {
            throw Self.end(error)
        }
    }

    private static func end(_ end: WorkerSocket.End) -> End {
        switch end {
        case .timedOut, .ended(SIGXCPU), .ended(SIGXFSZ): .overLimit
        case .unstarted, .ended(SoundWorker.unguarded << 8): .unstarted
        case .ended, .malformed: .died
        }
    }
}
