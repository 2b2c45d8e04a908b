import FoundationEssentials
import Glibc
import HearingWorker
import SystemSupport

/// One worker, seen from the program that started it. Its calls block.
final class HearingProcess: Sendable {
    /// The reason why a worker gives no reply.
    enum End: Error, Equatable {
        /// It used up its time.
        case timedOut
        /// It ended by itself, was killed, or replied something else.
        case died
        /// It used an instruction that this processor lacks.
        case wrongProcessor
        /// It cannot work with its files.
        case unusable(HearingReply.Unusable)
        /// The program cannot be started.
        case unstarted
    }

    private let socket: WorkerSocket
    let ready: HearingReply.Ready

    /// The most bytes of a line.
    private static let longestLine = 1 << 20

    /// Starts a worker, and waits until it has loaded its files.
    ///
    /// - Parameter seconds: the allowed wall-clock time.
    init(_ program: String, _ start: HearingStart, seconds: Double) throws(End) {
        let end = SteadyClock.now + .seconds(seconds)
        let kept = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
            UserFolders.environment(name).map { "\(name)=\($0)" }
        }
        // ggml starts a debugger when it fails, unless it is told not to. Each arena of malloc maps 64 MB.
        let environment = ["OMP_NUM_THREADS=1", "GGML_NO_BACKTRACE=1", "MALLOC_ARENA_MAX=1", "LC_ALL=C"]
        let reply: HearingReply
        do throws(WorkerSocket.End) {
            socket = try WorkerSocket([program], environment: kept + environment)
            try socket.send(Self.line(start), until: end)
            reply = try Self.reply(socket, until: end)
        } catch {
            throw Self.end(error)
        }
        if let unusable = reply.unusable { throw .unusable(unusable) }
        guard let ready = reply.ready else { throw .died }
        guard ready.protocol == hearingProtocol else {
            throw .unusable(.init(.protocol, "oracy-words is of another version; install Oracy again"))
        }
        self.ready = ready
    }

    /// Ends the process and waits for its exit.
    func end() { socket.end() }

    /// Kills the process. Any thread may call it.
    func kill() { socket.kill() }

    /// The id of the process while it exists.
    var id: pid_t? { socket.id }

    /// Hears a piece.
    ///
    /// - Parameter seconds: the allowed wall-clock time.
    func hear(
        _ request: HearingRequest.Hear, _ samples: [Int16], seconds: Double
    ) throws(End) -> HearingReply.Heard {
        var bytes = Self.line(HearingRequest(hear: request))
        bytes.reserveCapacity(bytes.count + 2 * samples.count)
        for sample in samples {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        guard let heard = try ask(bytes, seconds).heard, heard.id == request.id,
            heard.passes.count == request.passes.count
        else { throw broken() }
        return heard
    }

    /// Aligns words in the piece that was heard last.
    func align(_ request: HearingRequest.Align, seconds: Double) throws(End) -> HearingReply.Aligned {
        guard let aligned = try ask(Self.line(HearingRequest(align: request)), seconds).aligned,
            aligned.id == request.id,
            let said = (aligned.again ?? []).applied(to: request.words), aligned.words.count == said.count
        else { throw broken() }
        return aligned
    }

    private func ask(_ bytes: [UInt8], _ seconds: Double) throws(End) -> HearingReply {
        let end = SteadyClock.now + .seconds(seconds)
        do throws(WorkerSocket.End) {
            try socket.send(bytes, until: end)
            return try Self.reply(socket, until: end)
        } catch {
            throw Self.end(error)
        }
    }

    /// Ends a worker whose reply is malformed: it can no longer be trusted.
    private func broken() -> End {
        end()
        return .died
    }

    private static func line(_ value: some Encodable) -> [UInt8] {
        // JSON can always represent the value: it contains only strings and finite numbers.
        Array((try? JSONEncoder().encode(value)) ?? Data()) + [10]
    }

    private static func reply(_ socket: WorkerSocket, until end: Duration) throws(WorkerSocket.End) -> HearingReply {
        let line = try socket.readLine(longest: longestLine, until: end)
        guard let reply = try? JSONFile.decodeLine(HearingReply.self, from: line) else {
            socket.end()
            throw .malformed
        }
        return reply
    }

    private static func end(_ end: WorkerSocket.End) -> End {
        switch end {
        case .timedOut: .timedOut
        // The lowest seven bits are the signal. The next one says whether the kernel wrote a core file.
        case .ended(let status) where status & 0x7f == SIGXCPU: .timedOut
        case .ended(let status) where status & 0x7f == SIGILL: .wrongProcessor
        case .ended, .malformed: .died
        case .unstarted: .unstarted
        }
    }
}
