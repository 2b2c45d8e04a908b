import Assessment
import ExamCore
import Foundation
import Glibc
import Logging
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Worker processes for recordings find the same as this process, give up a recording that costs too much, and are
/// replaced if they die.
@Suite(.serialized) struct SoundWorkersTests {
    private static let answer = "AudioFixtures/answers/building-1.flac"

    private func workers(_ limits: SoundLimits = SoundLimits(), program: [String]? = SoundProgram.command)
        -> SoundWorkers
    {
        SoundWorkers(
            program: program, limits: limits, places: 2,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "oracy-sound-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func size(_ path: String) -> Int { FileFacts(at: path)?.byteCount ?? 0 }

    @Test func aWorkerFindsWhatThisProcessFinds() async throws {
        try await inFolder { folder in
            let byteCount = Self.size(Self.answer)
            let tasks: [SoundTask] = [
                .study(leadIn: nil, samples: folder + "/a.wav"),
                .study(leadIn: Seconds(.milliseconds(300)), samples: nil), .length, .mp3,
            ]
            for task in tasks {
                let there = try await workers().perform(task, on: Self.answer, byteCount: byteCount, for: UUID())
                let here = try await workers(program: nil).perform(
                    task, on: Self.answer, byteCount: byteCount, for: UUID())
                #expect(there.found.peaks == here.found.peaks && there.found.milliseconds == here.found.milliseconds)
                #expect(there.found.sound == here.found.sound && there.bytes == here.bytes)
            }
            #expect(try Programs.samples(of: folder + "/a.wav").count > 16_000)
        }
    }

    @Test func undecodableSoundIsRefusedWithTheReason() async throws {
        try await inFolder { folder in
            let path = folder + "/noise"
            try Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: URL(filePath: path))
            await #expect {
                _ = try await workers().perform(
                    .study(leadIn: nil, samples: nil), on: path, byteCount: 2_000, for: UUID())
            } throws: {
                if case .refused(let reason) = $0 as? SoundWorkers.Failure {
                    reason.contains("not a sound file")
                } else {
                    false
                }
            }
        }
    }

    /// Two hours of sound cost seconds on any processor. The limit is one second.
    @Test func soundThatCostsTooMuchForItsSizeIsGivenUp() async throws {
        try await inFolder { folder in
            var limits = SoundLimits()
            (limits.seconds, limits.secondsAMegabyte, limits.patience) = (0.5, 0, 1_000)
            let (path, workers) = (try SoundProgram.silence(in: folder), workers(limits))
            await #expect(throws: SoundWorkers.Failure.tooCostly) {
                _ = try await workers.perform(.mp3, on: path, byteCount: 89_000, for: UUID())
            }
            // The next recording is decoded as usual.
            _ = try await workers.perform(.length, on: Self.answer, byteCount: 1_000, for: UUID())
            #expect(workers.processes.isEmpty)
        }
    }

    @Test func aHangingWorkerIsKilled() async throws {
        try await inFolder { folder in
            var limits = SoundLimits()
            (limits.seconds, limits.secondsAMegabyte, limits.patience) = (100, 0, 0.02)
            let (path, workers) = (try SoundProgram.silence(in: folder), workers(limits))
            let work = Task { _ = try await workers.perform(.mp3, on: path, byteCount: 1, for: UUID()) }
            try await eventually("a worker is at it") { !workers.processes.isEmpty }
            // A stopped worker uses no processor, and does not end.
            for process in workers.processes { kill(process, SIGSTOP) }
            await #expect(throws: SoundWorkers.Failure.tooCostly) { try await work.value }
            #expect(workers.processes.isEmpty)
        }
    }

    @Test func aWorkerThatIsKilledIsReplaced() async throws {
        try await inFolder { folder in
            let (path, workers) = (try SoundProgram.silence(in: folder, seconds: 600), workers())
            async let found = workers.perform(
                .study(leadIn: nil, samples: nil), on: path, byteCount: Self.size(path), for: UUID())
            try await eventually("a worker is at it") { !workers.processes.isEmpty }
            for process in workers.processes { kill(process, SIGKILL) }
            #expect(try await found.found.sound?.timeline.duration == 600)
        }
    }

    /// Linux reports that the worker's calls are filtered, and that neither it nor a child can get more rights.
    @Test func aWorkerIsFiltered() async throws {
        try await inFolder { folder in
            let (path, workers) = (try SoundProgram.silence(in: folder), workers())
            let work = Task {
                _ = try await workers.perform(.mp3, on: path, byteCount: Self.size(path), for: UUID())
            }
            try await eventually("a worker is filtered") {
                guard let process = workers.processes.first else { return false }
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                return status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1")
            }
            work.cancel()
            await #expect(throws: SoundWorkers.Failure.cancelled) { try await work.value }
            #expect(workers.processes.isEmpty)
        }
    }
}
