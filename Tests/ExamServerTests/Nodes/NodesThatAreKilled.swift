import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue

/// Two nodes with one PostgreSQL and one bucket, each a process of its own. They are killed, stopped and lose their
/// disks in the middle of exams and of jobs.
@Suite(
    .needs(NodesBackend.obstacle),
    .store(
        only: .postgres,
        because: "Nodes in processes of their own share a database; a file of SQLite's is one process's."))
struct NodesThatAreKilled {
    @Test func killedNodesLoseNoAnswerThatWasStored() async throws {
        try await withTwoNodes { backend, nodes in
            let exam = try await ExamOnNodes(nodes, backend)
            let seed = Thoroughness.seed(repeated: ProcessInfo.processInfo.environment["ORACY_SEED"])
            print("two nodes: seed \(seed) (ORACY_SEED)")
            let kills = Thoroughness.count(1, check: 4)
            let blows = Kept(Blows(seed: seed, blocks: 15_000, anywhere: kills, afterAnswers: kills))
            let holder = Kept(0)
            exam.client.before = { block, client in
                guard blows.value.areDue(at: block, activity: client.activity) else { return }
                let (killed, other) = (nodes[holder.value], nodes[1 - holder.value])
                killed.kill()
                waiting { try await backend.hasten(leasesOf: killed.name) }
                switch blows.value.struck.count % 4 {
                case 0:  // The killed node returns at once and continues.
                    try killed.start()
                    return try exam.goOn(at: killed, client)
                case 2:  // It returns at once with its unstored answers, and the other one continues.
                    try killed.start()
                    try exam.goOn(at: other, client)
                default:  // The other node waits for the lease.
                    try exam.goOn(at: other, client)
                    try killed.start()
                }
                holder.value = 1 - holder.value
            }
            try await onThread { try exam.client.sit() }
            let (answers, lost, twice) = try await exam.check()
            #expect(blows.value.struck.count == 2 * kills)
            try await Self.submissionsAreOne(nodes, exam.user)
            print(
                "two nodes: \(blows.value.struck.count) kills (before blocks \(blows.value)), \(answers) answers, \(lost) lost, \(twice) twice"
            )
        }
    }

    /// Checks that submitting a quiz through both nodes is one attempt, even after the node that took it died.
    private static func submissionsAreOne(_ nodes: [ServerProcess], _ user: UUID) async throws {
        let id = UUID().uuidString.lowercased()
        let body = ["answers": [["questionId": "q", "answer": ["type": "fillInTheBlank", "textAnswer": "bridge"]]]]
        let opened = try await RunningServer.ask(nodes[0].url, "POST", "/v1/submissions", ["id": id], as: user)
        #expect(opened.status == 201)
        let first = try await RunningServer.ask(nodes[0].url, "POST", "/submissions/\(id)", body, as: user)
        let attempt = try #require(first.object["attemptId"] as? String, "\(first.status): \(first.text)")
        nodes[0].kill()
        for _ in 0..<2 {
            let again = try await RunningServer.ask(nodes[1].url, "POST", "/submissions/\(id)", body, as: user)
            #expect(again.object["attemptId"] as? String == attempt)
        }
    }

    @Test func aStoppedNodesExamGoesOnAtOnceAndALostDiskLosesNoStoredAnswer() async throws {
        try await withTwoNodes { backend, nodes in
            let exam = try await ExamOnNodes(nodes, backend)
            let stopped = Kept<Int32?>(nil)
            let refusedBefore = Kept(0)
            exam.client.before = { block, client in
                switch block {
                case 5_000:
                    stopped.value = nodes[0].terminate()
                    try exam.goOn(at: nodes[1], client)
                    refusedBefore.value = client.closings.count { $0 == 4421 }
                case 9_000:
                    nodes[1].kill()
                    waiting { try await backend.hasten(leasesOf: nodes[1].name) }
                    try nodes[1].loseDisk()
                    // Without its data it is another node, in spite of its name, and has to wait for the old lease to
                    // expire.
                    try nodes[1].start()
                    try exam.goOn(at: nodes[1], client)
                default: break
                }
            }
            try await onThread { try exam.client.sit() }
            #expect(stopped.value == 0, "\(nodes[0].errors)")
            #expect(refusedBefore.value == 0, "the stopped node had not released the exam")
            try await onThread { try nodes[0].start() }
            let (answers, lost, twice) = try await exam.check()
            print("a node that stops, and a lost disk: \(answers) answers, \(lost) lost, \(twice) twice")
        }
    }

    @Test func aKilledWorkersJobIsDoneByTheOtherNode() async throws {
        try await withTwoNodes { backend, nodes in
            let user = UUID()
            let token = try await RunningServer.token(of: user)
            var sessions: [UUID] = []
            var orphan: String?
            while orphan == nil && sessions.count < 60 {
                let held = try SessionTests.Held(answers: 12, in: backend.folder)
                sessions.append(held.facts.id)
                try await UploadQueueOf(nodes[sessions.count % 2].url, in: backend.folder).send(held, token)
                // Both nodes claim jobs. A frozen node can't finish the one that it has.
                nodes[0].freeze()
                orphan = try await Self.jobs(backend).first { $0.hasSuffix("|processing|a/1") }
                if orphan == nil { nodes[0].thaw() }
            }
            let job = try #require(orphan, "node a was never frozen while it held a job")
            nodes[0].kill()
            try await backend.hasten(jobsOf: "a")
            try await eventually("the other node has done all of it") {
                try await Self.jobs(backend).allSatisfy { $0.contains("|completed|") }
            }
            let all = try await Self.jobs(backend)
            #expect(all.count == sessions.count)
            let again = String(job.split(separator: "|")[0])
            #expect(all.contains { $0 == "\(again)|completed|b/1" })
            #expect(
                try await backend.rows("SELECT test_session_id FROM processing_queue WHERE retry_count > 0") == [again])
            for session in sessions {
                let results = try await RunningServer.ask(
                    nodes[1].url, "GET", "/v1/sessions/\(session.name)/results", as: user
                ).object
                #expect(results["status"] as? String == "completed" && results["assessment"] as? String == "none")
                let answers = results["answers"] as? [[String: Any]] ?? []
                #expect(answers.count == 12 && answers.allSatisfy { ($0["peaks"] as? [Double])?.count == 100 })
            }
            print(
                "a killed worker: \(sessions.count) sessions, \(sessions.count * 12) answers, one job done again, 0 lost, 0 twice"
            )
        }
    }

    private static func jobs(_ backend: NodesBackend) async throws -> [String] {
        try await backend.rows("SELECT test_session_id, status, processing_worker_id FROM processing_queue")
    }
}
