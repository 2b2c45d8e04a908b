import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// A session on a thread that must not wait for a disk writes on another one, with the same result.
@Suite struct WritingElsewhere {
    @Test func nothingIsDoneBeforeItIsWrittenAndTheLogIsTheSame() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let here = try await Self.hold(in: path + "/here", writingOn: nil)

        let disk = Disk()
        disk.queue.suspend()
        let there = Task { try await Self.hold(in: path + "/there", writingOn: disk) }
        let log = path + "/there/log.jsonl"
        try await eventually("the log is begun") { (try? SessionLog.lines(of: log).count) ?? 0 > 0 }
        // The exam waits for the disk. Otherwise it would be over before another exam that doesn't wait.
        try await eventually("it waits for the disk") { disk.jobCount.withLock { $0 } > 0 }
        _ = try await Self.hold(in: path + "/meanwhile", writingOn: nil)
        #expect(try SessionLog.lines(of: log).count == 1, "the disk does not answer: the exam has not begun")
        disk.queue.resume()
        #expect(try await there.value == here)
        #expect(here.count > 10)
        #expect(folder.names(in: "/here/takes") == folder.names(in: "/there/takes"))
    }

    private static func hold(in path: String, writingOn disk: (any TaskExecutor)?) async throws -> [String] {
        let exam = try await Fixtures.partThree()
        let folder = try SessionFolder.create(at: path)
        _ = try folder.freeze(exam)
        let candidate = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))
        let room = try ReplayRoom(exam, candidate: candidate, surroundings: .init())
        _ = try await Session(resuming: exam, in: room, folder: folder, writingOn: disk).run()
        return try SessionLog.lines(of: folder.log)
    }

    /// A separate thread that a test can block.
    private final class Disk: TaskExecutor {
        let queue = DispatchQueue(label: "disk")
        /// The number of jobs passed to it.
        let jobCount = Mutex(0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobCount.withLock { $0 += 1 }
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
