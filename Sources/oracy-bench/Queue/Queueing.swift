import Backends
import Dispatch
import ExamCore
import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import Synchronization
import UploadQueue

/// Measures the queue of uploads: durable enqueueing compared with bare SQLite, ten thousand waiting uploads, and
/// draining.
struct Queueing {
    let top: String
    let work: String

    private static let waiting = 10_000
    private static let batch = 200

    func measure() throws {
        section("the queue of uploads")
        try measureAdding()
        try measureWaiting()
        try measureDraining()
    }

    /// Adds one upload per call and transaction, alternating with SQLite's own functions that add the same lines to an
    /// equal journal.
    private func measureAdding() throws {
        let (ours, pattern) = (
            try DeliveryQueue(folder: work + "/queue-ours"), try DeliveryQueue(folder: work + "/queue-pattern")
        )
        let (patternLines, theirs) = (
            BareSQLite(path: pattern.folder + "/journal.sqlite"), try bare("queue-bare")
        )
        var (our, their): ([Double], [Double]) = ([], [])
        for round in 0..<runs {
            let uploads = try Self.uploads(Self.batch, round: round, in: work)
            try pattern.add(uploads)
            var (ourTime, theirTime) = (0.0, 0.0)
            for (index, (upload, line)) in zip(uploads, patternLines.last(uploads.count)).enumerated() {
                // The order alternates, because the second one finds disk and processor awake.
                if index % 2 == 0 { ourTime += try time { try ours.add([upload]) } }
                theirTime += time { theirs.add(line) }
                if index % 2 == 1 { ourTime += try time { try ours.add([upload]) } }
            }
            our.append(ourTime / Double(uploads.count))
            their.append(theirTime / Double(uploads.count))
        }
        row("durable enqueue, each", our, places: 2)
        row("  bare SQLite, the same transaction", their, places: 2)
        let ratios = zip(our, their).map { $1 / $0 * 100 }
        print("  of bare SQLite's rate: \(Spread(figures: ratios).text("%"))   bar: 90 %")
        let path = work + "/recording"
        try Data((0..<240_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: URL(filePath: path))
        row(
            "finalizing a recording of a minute, on disk by then",
            try (0..<runs).map { _ in try time { _ = try UploadFile(finalizing: path, mediaType: "audio/ogg") } },
            places: 2)
    }

    private func time(_ work: () throws -> Void) rethrows -> Double {
        let began = clockNow()
        try work()
        return clockNow() - began
    }

    private func bare(_ name: String) throws -> BareSQLite {
        let folder = "\(work)/\(name)"
        _ = try DeliveryQueue(folder: folder)
        return BareSQLite(path: folder + "/journal.sqlite")
    }

    /// Has another process open a queue with ten thousand uploads, like a tool at its start.
    private func measureWaiting() throws {
        let folder = work + "/queue-full"
        let queue = try DeliveryQueue(folder: folder)
        for round in 0..<(Self.waiting / 1000) { try queue.add(Self.uploads(1000, round: round, in: work)) }
        let bench = built + "/oracy-bench"
        let opened = (0..<runs).map { _ in Self.figures(bench, ["queue-open", folder]) }
        let empty = (0..<runs).map { _ in Self.figures(bench, ["queue-open", work + "/queue-empty"]) }
        row("\(Self.waiting) waiting: start until the first is sent", opened.map { $0[0] }, bar: "200 ms")
        let growth = zip(opened, empty).map { $0[1] - $1[1] }
        print("  memory beyond an empty queue's  \(Spread(figures: growth).text("MB", places: 1))   bar: 50 MB")
    }

    /// Returns the numbers that a child process of this program prints, separated by spaces.
    private static func figures(_ program: String, _ words: [String]) -> [Double] {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        do { try process.run() } catch { fail("\(program): \(error)") }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { fail("this failed: \(words.joined(separator: " "))") }
        return text.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Drains to a server on this machine that accepts everything, in another process whose CPU is measured.
    private func measureDraining() throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 201) }
        defer { server.stop() }
        let count = 500
        var (cpu, wall): ([Double], [Double]) = ([], [])
        for round in 0..<3 {
            let folder = "\(work)/queue-drain-\(round)"
            let queue = try DeliveryQueue(folder: folder)
            try queue.add(Self.uploads(count, round: round, in: work))
            let figures = Self.figures(built + "/oracy-bench", ["queue-drain", folder, server.url])
            guard try queue.counts().delivered == count else { fail("\(queue.folder): was not drained") }
            cpu.append(figures[0] / Double(count))
            wall.append(figures[1] / Double(count))
        }
        row("draining to a server here, an upload: CPU", cpu, places: 2, bar: "1 ms")
        row("  time, two at once, a PUT of 20 KB and one of its facts", wall, places: 2)
    }

    // MARK: - In the other process

    /// Opens a queue and begins to send. Prints the seconds until the first upload was passed on, and the peak memory
    /// in MB.
    static func open(_ folder: String) throws {
        let began = clockNow()
        let queue = try DeliveryQueue(folder: folder)
        let counter = FirstUpload()
        // An empty queue is at rest at once.
        try blocking { try await queue.send(through: counter, until: .atRest, deadline: .milliseconds(500)) }
        print("\((counter.at ?? clockNow()) - began) \(peakMemory())")
    }

    /// Drains a queue. Prints the seconds of CPU and the elapsed seconds.
    static func drain(_ folder: String, to url: String) throws {
        let queue = try DeliveryQueue(folder: folder)
        let uploader = BackendUploader(url: url, client: CurlClient(), token: { nil })
        let (cpu, began) = (cpuTime(), clockNow())
        try blocking { try await queue.send(through: uploader, until: .atRest, deadline: .seconds(120)) }
        print("\(cpuTime() - cpu) \(clockNow() - began)")
    }

    private static func blocking(_ body: @escaping @Sendable () async throws -> SendingProgress) throws {
        let done = DispatchSemaphore(value: 0)
        Task {
            do { _ = try await body() } catch { fail("\(error)") }
            done.signal()
        }
        done.wait()
    }

    private static func cpuTime() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func peakMemory() -> Double {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split { !$0.isNumber }.first.flatMap { Double($0) } ?? 0) / 1024
    }

    /// Returns answers of a hundred sessions that share one recording.
    static func uploads(_ count: Int, round: Int, in folder: String) throws -> [Upload] {
        let path = folder + "/answer"
        if !FileManager.default.fileExists(atPath: path) {
            try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        }
        let file = try UploadFile(finalizing: path, mediaType: "audio/ogg")
        let sessions = (0...count / 10).map { number in
            SessionFacts(
                id: UUID(), name: "2026-11-21-0912-ielts-style-\(round)-\(number)", format: "ielts-style",
                paper: "bridges",
                startedAt: "2026-11-21T09:12:29Z")
        }
        return (0..<count).map { number in
            let session = sessions[number / 10]
            let facts = AnswerRecord(
                question: "part1-home", part: 1, order: number % 10 + 1, attempt: 1, end: "finished",
                duration: Seconds(.seconds(12.3)),
                speech: Seconds(.seconds(10.2)))
            return Upload(
                id: DeliveryID.make("part1_q\(number % 10 + 1)_a1", of: session.id), session: session,
                content: .answer(facts, file))
        }
    }
}

/// A backend that records the time of its first request, and keeps the queue waiting.
private final class FirstUpload: Uploader {
    let place = "nowhere"
    private let first = Mutex<Double?>(nil)

    var at: Double? { first.withLock { $0 } }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        first.withLock { $0 = $0 ?? clockNow() }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
        throw DeliveryFailure(.cancelled)
    }
}
