import ExamCore
import Foundation
import StoreTrials
import TestSupport
import Testing
import Waiting

@testable import ExamStore

@Suite(.bothStores) struct Jobs {
    @Test func aJobIsQueuedOnceByItsKey() async throws {
        try await withStore { store in
            let session = try await store.queued()
            try await store.enqueue(session)
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(job.kind == .evaluate && job.session == session && job.attempt == 1)
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            #expect(try await store.service.complete(job, StoredResult(), by: "none"))
            #expect(try await store.service.complete(job, StoredResult(), by: "none") == false)
            try await store.enqueue(session)
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            await expect(.conflict) { try await store.enqueue(UUID()) }
        }
    }

    @Test func aSessionsStatusFollowsItsEvaluation() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user)
            func status() async throws -> [String?] {
                [try await mine.session(session)?.status.rawValue, try await store.queueStatus(session)]
            }
            #expect(try await status() == ["in_progress", nil])
            #expect(try await store.service.queueEvaluation(of: session, by: "none") == false)
            _ = try await mine.complete(session, Sample.completion(answers: 1))
            #expect(try await status() == ["completed", "pending"])
            var job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await status() == ["processing", "processing"])
            for attempt in 2...(JobKind.evaluate.mostRetries + 1) {
                #expect(try await store.service.fail(job, "no", retryIn: 0) == .retry(after: 0))
                #expect(try await status() == ["processing", "pending"])
                #expect(try await mine.evaluation(of: session) == EvaluationState(status: "waiting", error: "no"))
                job = try #require(try await store.service.claim(worker: "w", seconds: 60))
                #expect(job.attempt == attempt)
            }
            #expect(try await store.service.fail(job, "no scorer") == .dead)
            #expect(try await status() == ["failed", "failed"])
            #expect(try await store.queueError(session) == "no scorer")
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            // Queued again, with all its attempts.
            #expect(try await store.service.queueEvaluation(of: session, by: "none"))
            #expect(try await status() == ["completed", "pending"])
            job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(job.attempt == 1)
            let result = StoredResult(overallBand: 7, scores: Scores(fluency: 6))
            #expect(try await store.service.complete(job, result, by: "none"))
            #expect(try await status() == ["evaluated", "completed"])
            let found = try #require(try await mine.session(session))
            #expect(found.overallBand == 7 && found.scores == Scores(fluency: 6))
            let stats = try await store.service.jobStats()
            #expect(stats.completed == 1 && stats.dead == 0 && stats.oldestAge == nil)
        }
    }

    @Test func usersTakeTurnsEvenIfOneHasManyExams() async throws {
        try await withStore { store in
            func over(_ user: UUID) async throws -> UUID {
                let (session, _) = try await store.hold(user, answers: 0)
                _ = try await store.owned(by: user).complete(session, Sample.completion(answers: 0))
                return session
            }
            let (ann, ben) = (UUID(), UUID())
            var sessions: [UUID: Character] = [:]
            for _ in 0..<4 { sessions[try await over(ann)] = "a" }
            for _ in 0..<2 { sessions[try await over(ben)] = "b" }
            var order = ""
            while let job = try await store.service.claim(worker: "w", seconds: 60) {
                order.append(try #require(sessions[job.session]))
                #expect(try await store.service.complete(job, StoredResult(), by: "none"))
            }
            #expect(order == "ababaa")
            // While a job of one user is in work, another user's job begins.
            sessions = [try await over(ann): "a", try await over(ann): "a", try await over(ben): "b"]
            order = ""
            while let job = try await store.service.claim(worker: "w", seconds: 60) {
                order.append(try #require(sessions[job.session]))
            }
            #expect(order.prefix(2).sorted() == ["a", "b"] && order.count == 3)
        }
    }

    @Test func waitingJobsComeBeforeRepetitions() async throws {
        try await withStore { store in
            func over() async throws -> UUID {
                let mine = store.owned(by: UUID())
                let (session, _) = try await store.hold(mine.user, answers: 0)
                _ = try await mine.complete(session, Sample.completion(answers: 0))
                return session
            }
            let earlier = try await over()
            let first = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(first.session == earlier && first.priority == 1)
            #expect(try await store.service.complete(first, StoredResult(), by: "none"))
            #expect(try await store.service.queueEvaluation(of: earlier, by: "none"))
            let later = try await over()
            let next = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(next.session == later && next.priority == 1)
            let last = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(last.session == earlier && last.priority == 0)
        }
    }

    /// Clients stop asking when the evaluation is completed, so the session that they see with it must be complete,
    /// too.
    @Test func aCompletedEvaluationIsNeverShownWithAnOlderSession() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            for _ in 0..<40 {
                let (session, _) = try await store.hold(mine.user)
                _ = try await mine.complete(session, Sample.completion(answers: 1))
                let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
                async let ended = store.service.complete(job, StoredResult(), by: "w")
                var seen = try #require(try await mine.sessionWithEvaluation(session))
                for _ in 0..<100_000 where seen.evaluation?.status != "completed" {
                    seen = try #require(try await mine.sessionWithEvaluation(session))
                }
                #expect(try await ended)
                #expect(seen.evaluation?.status == "completed" && seen.session.status == .evaluated)
            }
        }
    }

    /// The duration of a job is stored, and a session without an assessor is not evaluated.
    @Test func aSessionWithoutAnAssessorStaysCompleted() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user)
            #expect(try await mine.evaluation(of: session) == nil)
            _ = try await mine.complete(session, Sample.completion(answers: 1))
            #expect(try await mine.evaluation(of: session) == EvaluationState(status: "pending"))
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await mine.evaluation(of: session)?.status == "processing")
            // Pretend that the job was claimed 90 s ago.
            try await store.service.write {
                _ = try $0.change("UPDATE processing_queue SET claimed_at = claimed_at - 90")
            }
            #expect(try await store.service.complete(job, StoredResult(), by: nil))
            #expect(try await mine.session(session)?.status == .completed)
            #expect(try await mine.evaluation(of: session)?.status == "completed")
            #expect(try await store.owned(by: UUID()).evaluation(of: session) == nil)
            let row = try await store.service.read {
                try $0.first("SELECT processing_duration_seconds AS seconds FROM processing_queue")!
            }
            let seconds: Double = try row.value("seconds")
            #expect(seconds >= 90 && seconds < 90 + Patience.seconds)
            // A person marks it by hand. Queued again, the session keeps its band.
            try await store.service.write {
                _ = try $0.change("UPDATE test_sessions SET overall_band_score = 6.5, status = 'evaluated'")
            }
            #expect(try await store.service.queueEvaluation(of: session, by: "none"))
            let again = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.complete(again, StoredResult(), by: nil))
            let found = try #require(try await mine.session(session))
            #expect(found.status == .evaluated && found.overallBand == 6.5)
        }
    }

    /// A client that waits for results is woken, whichever node did the work.
    @Test func theEndOfAnEvaluationIsHeard() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        let base = try Base.current
        let there = base == .sqlite ? store : try place.open()
        _ = try await store.queued()
        let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
        var wakeUps = there.service.wakeUps().makeAsyncIterator()
        await wakeUps.next()
        // PostgreSQL's connection wakes once more when it begins to listen. From here on only news wakes.
        if base != .sqlite { await wakeUps.next() }
        there.wakeUps.endSafetyNet()
        #expect(try await store.service.complete(job, StoredResult(), by: "none"))
        await wakeUps.next()
        if base != .sqlite { await there.close() }
        await store.close()
    }

    @Test func anAnswerThatComesLateIsEvaluatedToo() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user)
            _ = try await mine.complete(session, Sample.completion(answers: 3))
            func answer(_ order: Int) async throws {
                let recording = Sample.recording(session)
                let response = Sample.response(recording, question: "late-\(order)", order: order)
                #expect(try await mine.put(response, recording: recording) == .created)
                // Sending the answer again queues nothing.
                #expect(try await mine.put(response, recording: recording) == .same)
            }
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            // The worker may have read the answers already, so the job runs again.
            try await answer(2)
            #expect(try await store.service.complete(job, StoredResult(), by: "none"))
            #expect(try await mine.session(session)?.status == .evaluated)
            let again = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(again.id == job.id && again.attempt == 1)
            #expect(try await store.service.complete(again, StoredResult(), by: "none"))
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            // An answer that comes after the job queues it again, too.
            try await answer(3)
            #expect(try await store.service.claim(worker: "w", seconds: 60)?.id == job.id)
        }
    }

    @Test func aJobWaitsForAWorkerOfItsVersion() async throws {
        try await withStore { store in
            let session = try await store.queued()
            let none = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.complete(none, StoredResult(), by: "none"))
            // The job of another version is another job.
            #expect(try await store.service.queueEvaluation(of: session, by: "b/2"))
            #expect(try await store.service.claim(worker: "w", assessor: "b/1", seconds: 60) == nil)
            #expect(try await store.service.claim(worker: "w", assessor: "b/2", seconds: 60) != nil)
            #expect(try await store.service.queueEvaluation(of: session, by: "b/0"))
            // No server has that version any more. After ten minutes any other may claim the job.
            try await store.service.write {
                _ = try $0.change("UPDATE processing_queue SET due = due - 590 WHERE assessor = 'b/0'")
            }
            #expect(try await store.service.claim(worker: "w", assessor: "b/1", seconds: 60) == nil)
            try await store.service.write {
                _ = try $0.change("UPDATE processing_queue SET due = due - 20 WHERE assessor = 'b/0'")
            }
            #expect(try await store.service.claim(worker: "w", assessor: "b/1", seconds: 60) != nil)
        }
    }

    @Test func aRetryWaitsUntilItIsDue() async throws {
        try await withStore { store in
            _ = try await store.queued()
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            guard case .retry(let delay) = try await store.service.fail(job, "no") else {
                Issue.record("it is not tried again")
                return
            }
            #expect((1...6).contains(delay))
            #expect(try await store.service.fail(job, "no") == .lost)
            _ = try await store.queued()
            let far = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.fail(far, "no", retryIn: 3_600) == .retry(after: 3_600))
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            let stats = try await store.service.jobStats()
            #expect(stats.failed == 2 && stats.oldestAge! >= 0)
        }
    }

    /// The shortest and the longest time over all attempts of a kind: long enough for a judge that is away for a night.
    /// Answers are heard during an exam, and what is not heard then is left to the evaluation.
    @Test(arguments: JobKind.allCases.filter { $0 != .hear }) func triesLastForHours(_ kind: JobKind) {
        func total(_ chance: Double) -> Double {
            (1...kind.mostRetries).reduce(0) {
                $0 + Backoff.seconds(after: $1, atMost: kind.longestDelay, chance: chance)
            }
        }
        #expect(total(0) >= 10 * 3_600 && total(1) <= 24 * 3_600, "\(total(0)) to \(total(1)) s")
        // Jobs that failed together are not repeated together.
        let delays = Set((0..<50).map { _ in Backoff.seconds(after: 8, atMost: kind.longestDelay) })
        #expect(delays.count > 40)
    }

    @Test func givenUpJobsAreListedAndRepeatedOrEnded() async throws {
        try await withStore { store in
            store.tellEvents(to: ["school": [.failed, .evaluated]])
            let user = UUID()
            let (session, _) = try await store.hold(user, answers: 0)
            _ = try await store.owned(by: user).complete(session, Sample.completion(answers: 0))
            func giveUp(_ kind: JobKind) async throws {
                let job = try #require(try await store.service.claim(kind, worker: "w", seconds: 60))
                try await store.service.giveUp(job, "no judge")
            }
            #expect(try await store.service.deadJobs().isEmpty)
            try await giveUp(.evaluate)
            let dead = try #require(try await store.service.deadJobs().first)
            #expect(dead.kind == .evaluate && dead.session == session && dead.message == "no judge")
            #expect(dead.attempts == 1 && dead.failedAt != nil)
            #expect(try await store.service.deadJobCounts() == [.evaluate: 1, .hear: 0, .tell: 0])
            #expect(try await store.service.session(session)?.status == .failed)

            #expect(try await store.service.replay(deadJob: dead.id))
            #expect(
                try await store.service.replay(deadJob: dead.id) == false,
                "the job is not among those given up any more")
            var job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(job.id == dead.id && job.attempt == 1 && !job.endsWithGaps)
            try await store.service.giveUp(job, "no judge")
            #expect(try await store.service.drop(deadJob: dead.id))
            job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(job.endsWithGaps)
            #expect(try await store.service.complete(job, StoredResult(), by: "none"))
            // The next evaluation waits for all assessors again.
            #expect(try await store.service.queueEvaluation(of: session, by: "none"))
            #expect(try await store.service.claim(worker: "w", seconds: 60)?.endsWithGaps == false)

            try await giveUp(.tell)
            let untold = try #require(try await store.service.deadJobs().first)
            #expect(untold.kind == .tell)
            #expect(try await store.service.drop(deadJob: untold.id))
            #expect(try await store.service.deadJobs().isEmpty)
            #expect(try await store.service.drop(deadJob: UUID()) == false)
        }
    }

    @Test func aWorkerThatDiesGivesItsJobBack() async throws {
        try await withStore { store in
            let session = try await store.queued(maxRetries: 1)
            let lost = try #require(try await store.service.claim(worker: "dead", seconds: -1))
            let again = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(again.id == lost.id && again.attempt == 2)
            // The first worker returns, and may not change the job any more.
            #expect(try await store.service.complete(lost, StoredResult(overallBand: 1), by: "none") == false)
            #expect(try await store.service.extend(lost, seconds: 60) == false)
            #expect(try await store.service.giveBack(lost) == false)
            #expect(try await store.service.fail(lost, "no") == .lost)
            #expect(try await store.service.session(session)?.overallBand == nil)
            #expect(try await store.service.extend(again, seconds: -1))
            // The job kills its workers, so it is not tried a third time.
            #expect(try await store.service.claim(worker: "w", seconds: 60) == nil)
            #expect(try await store.service.jobStats().dead == 1)
        }
    }

    @Test func aJobThatIsGivenBackHasNotFailed() async throws {
        try await withStore { store in
            _ = try await store.queued()
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            #expect(try await store.service.giveBack(job))
            #expect(try await store.service.claim(worker: "other", seconds: 60)?.attempt == 1)
        }
    }

    @Test func urgentJobsGoFirstAndOlderOnesBeforeNewer() async throws {
        try await withStore { store in
            var sessions: [UUID] = []
            for priority in [0, 0, 5] { sessions.append(try await store.queued(priority: priority)) }
            var claimed: [UUID] = []
            while let job = try await store.service.claim(worker: "w", seconds: 60) { claimed.append(job.session) }
            #expect(claimed == [sessions[2], sessions[0], sessions[1]])
        }
    }

    /// The queue has the worker of each job, and the duration.
    @Test func theQueueReportsEachWorkersTime() async throws {
        try await withStore { store in
            _ = try await store.queued()
            let job = try #require(try await store.service.claim(worker: "w", seconds: 60))
            // Pretend that the job was claimed 10 s ago.
            try await store.service.write {
                _ = try $0.change("UPDATE processing_queue SET claimed_at = claimed_at - 10")
            }
            #expect(try await store.service.complete(job, StoredResult(), by: "none"))
            let row = try await store.service.read {
                try $0.first("SELECT processing_worker_id, processing_duration_seconds FROM processing_queue")!
            }
            let (worker, seconds): (String, Double) = (
                try row.value("processing_worker_id"), try row.value("processing_duration_seconds")
            )
            #expect(worker == "w" && (10...10 + Patience.seconds).contains(seconds), "\(seconds)")
        }
    }

    @Test func manyWorkersClaimEachJobOnce() async throws {
        let count = try Base.current == .sqlite ? 200 : 2_000
        try await withStore(connections: 8) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for _ in stride(from: lane, to: count, by: 8) { _ = try await store.queued() }
                    }
                }
                try await group.waitForAll()
            }
            let keys = try await withThrowingTaskGroup(of: [String].self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        var keys: [String] = []
                        while let job = try await store.service.claim(worker: "\(worker)", seconds: 600) {
                            keys.append(job.key)
                            #expect(try await store.service.complete(job, StoredResult(), by: "none"))
                        }
                        return keys
                    }
                }
                return try await group.reduce([], +)
            }
            #expect(keys.count == count && Set(keys).count == count)
            #expect(try await store.service.jobStats().completed == count)
        }
    }

    @Test(.endsIfItHangs)
    func aWorkerIsWokenByWhatIsQueued() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        // With PostgreSQL the news comes from another node.
        let other = try Base.current == .postgres ? try place.open() : store
        var wakes = store.service.wakeUps().makeAsyncIterator()
        _ = await wakes.next()
        for _ in 0..<3 {
            let session = try await other.queued()
            var claimed: Job?
            while claimed == nil, await wakes.next() != nil {
                claimed = try await store.service.claim(worker: "w", seconds: 60)
            }
            #expect(claimed?.session == session)
        }
        await other.close()
        await store.close()
        // Ends after earlier news, because the stream is closed.
        while await wakes.next() != nil {}
    }
}

extension ExamDatabase {
    /// Makes a completed session with a job. The rest of the session doesn't matter to the queue.
    func queued(priority: Int = 0, maxRetries: Int = 5) async throws -> UUID {
        let (session, _) = try await hold(UUID(), answers: 0)
        try await service.write {
            _ = try $0.change(
                "UPDATE test_sessions SET completed_at = {now}, status = 'completed' WHERE id = ?", [session])
        }
        try await enqueue(session, priority: priority, maxRetries: maxRetries)
        return session
    }

    func enqueue(_ session: UUID, priority: Int = 0, maxRetries: Int = 5) async throws {
        try await service.write {
            try $0.enqueue(
                .evaluate, session: session, assessor: "none", again: false, priority: priority, maxRetries: maxRetries)
        }
    }

    /// Returns the status in the queue's view.
    func queueStatus(_ session: UUID) async throws -> String? { try await queueColumn("status", session) }
    func queueError(_ session: UUID) async throws -> String? { try await queueColumn("error_message", session) }

    private func queueColumn(_ name: String, _ session: UUID) async throws -> String? {
        try await service.read {
            try $0.first("SELECT \(name) FROM session_processing_queue WHERE test_session_id = ?", [session])?
                .optional(name)
        }
    }
}
