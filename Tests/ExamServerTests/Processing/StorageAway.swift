import ExamCore
import Foundation
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import ServerWork

/// Storage is unreachable for ten minutes: every exam that waits for it is evaluated afterwards, and no job is given
/// up.
@Suite(.bothStores) struct StorageAway {
    /// Moves the time of every waiting job.
    private func pass(seconds: Int, in store: ExamDatabase) async throws {
        try await store.service.write {
            _ = try $0.change(
                "UPDATE processing_queue SET due = due - \(seconds) WHERE status IN ('pending', 'failed')")
        }
    }

    /// Works until no job is due.
    private func work(_ services: Services) async throws {
        while try await Workers(services: services, count: 1).workOnce("w") {}
    }

    /// - Parameters:
    ///   - absent: the storage, as a node sees it that cannot reach it.
    ///   - rounds: the number of times in the ten minutes at which workers look for due jobs.
    private func outlast(
        _ place: WorkerPlace, _ store: ExamDatabase, audio: any AudioStore, absent: any AudioStore, rounds: Int
    ) async throws {
        let assessor = CountingAssessor(place)
        let services = try place.services(store, assessors: assessor.panel, audio: audio)
        let cutOff = try place.services(store, assessors: assessor.panel, audio: absent)
        var exams: [(session: UUID, user: UUID, answers: [UUID])] = []
        for _ in 0..<3 { exams.append(try await place.hold(services, answers: 2)) }
        for round in 1...rounds {
            try await work(cutOff)
            for exam in exams {
                #expect(try await store.service.session(exam.session)?.status == .processing, "round \(round)")
            }
            try await pass(seconds: 600 / rounds, in: store)
        }
        #expect(assessor.paid() == 0)
        #expect(try await store.service.deadJobs().isEmpty)
        // The longest delay between two attempts is half an hour.
        try await pass(seconds: 1_800, in: store)
        try await work(services)
        for exam in exams {
            let row = try #require(try await store.service.session(exam.session))
            #expect(row.status == .evaluated && row.seal != nil && row.evidence == row.seal)
            let report = try await SealCheck(store.service, services.audio).report(
                of: exam.session, store.service.seal(of: exam.session))
            #expect(report.state == .sealed && report.recordings == 2, "\(report.differs)")
            #expect(exam.answers.allSatisfy { assessor.paid(for: $0) == 1 }, "no call is repeated")
            let found = try await services.owned(by: exam.user).responses(of: exam.session)
            #expect(found.allSatisfy { $0.processing == "completed" })
        }
        let stats = try await store.service.jobStats()
        #expect(stats.completed == 3 && stats.dead == 0 && stats.failed == 0 && stats.pending == 0, "\(stats)")
    }

    @Test func jobsOutlastAnAbsentFolder() async throws {
        try await withWorkerPlace { place, store in
            let folder = try FolderAudioStore(path: place.folder + "/audio")
            let absent = AwayAudio(folder)
            absent.isAway = true
            try await outlast(place, store, audio: folder, absent: absent, rounds: 10)
            #expect(absent.refusals > 0)
        }
    }

    /// The storage of another project, behind a proxy that cuts every connection.
    @Test(.needs(S3Trial.obstacle)) func jobsOutlastAnAbsentBucket() async throws {
        let settings = try await S3AudioStoreTests.bucket()
        let port = try #require(settings.endpoint.split(separator: ":").last.flatMap { Int($0) })
        let proxy = try FaultProxy(to: port) { _ in .resetAfterUp(0) }
        defer { proxy.stop() }
        var absent = settings
        absent.endpoint = proxy.url
        try await withWorkerPlace { [absent] place, store in
            // The client of the storage tries each call four times by itself, which takes seconds.
            try await outlast(
                place, store, audio: S3AudioStore(settings), absent: S3AudioStore(absent), rounds: 2)
        }
        #expect(proxy.connectionCount > 0)
    }
}
