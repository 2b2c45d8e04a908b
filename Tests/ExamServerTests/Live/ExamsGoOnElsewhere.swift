import ExamCore
import ExamKit
import ExamStore
import Foundation
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue
import Waiting

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import SessionFolders

/// Nodes that die or stop in the middle of an exam.
@Suite(.bothStores(quick: .postgres)) struct ExamsGoOnElsewhere {
    /// Leases of four seconds. They run out if a busy machine keeps their node from renewing them.
    private static let shortLeases: LiveTimes = {
        var times = longLeases
        times.lease = .seconds(4)
        return times
    }()

    /// Leases that end only when the test expires them (`leave`), however busy the machine is.
    private static let longLeases: LiveTimes = {
        var times = LiveTimes()
        times.lease = .seconds(600)
        times.renewal = .milliseconds(500)
        return times
    }()

    /// A block in the pocket exam's second answer. Two answers are stored or on their way.
    private static let inTheMiddle: UInt32 = 700

    @Test func aKilledNodesExamGoesOnAtAnotherOne() async throws {
        let backend = try TestBackend()
        let first = try await TestNode(backend, name: "a", times: Self.longLeases) { $0.nodeURL = "http://a" }
        let second = try await TestNode(backend, name: "b", times: Self.longLeases) { $0.nodeURL = "http://b" }
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await first.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: first.port)
        let storedBefore = Kept<[String]>([])
        client.before = { block, client in
            guard block == Self.inTheMiddle else { return }
            waiting {
                try await eventually("an answer is stored") {
                    storedBefore.value = try await first.answers(of: made.session).map(\.record.name)
                    return !storedBefore.value.isEmpty
                }
                await first.kill()
            }
            waiting { try await Self.leave(made.session, to: first, seconds: -1) }
            try client.reconnect(to: second.port)
        }
        try await onThread { try client.sit() }

        #expect(client.outcome == "completed")
        #expect(first.keptLog.notes(of: made.session).prefix(2) == ["exam made", "exam begun"])
        #expect(
            second.keptLog.notes(of: made.session).prefix(2) == [
                "exam taken over from another node", "exam joined again",
            ])
        let answers = try await second.answers(of: made.session)
        let names = Set(answers.map { "part\($0.part)_q\($0.order)_a\($0.attempt)" })
        #expect(!storedBefore.value.isEmpty)
        #expect(names.isSuperset(of: client.stored))
        #expect(Set(answers.map(\.record.name)).isSuperset(of: storedBefore.value))
        for answer in answers {
            let recording = try await second.store.owned(by: SignIn.developer).recording(answer.id)
            #expect(try await backend.audio.size(of: AudioKey(recording!.key)!) == answer.byteCount)
        }
        // The lines of both nodes are one log, and the log is an exam.
        let log = try await second.log(of: made.session)
        #expect(log.filter { $0.contains("deviceLost processEnded") }.count == 1)
        let path = backend.path + "/whole.jsonl"
        try Data((log.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        let exam = try SessionLog.replay(path, script: made.prepared.script)
        #expect(exam.phase == .over(.completed))
        try await second.stop()
    }

    /// Gives a killed node's exam a lease of this many seconds. A negative lease has run out.
    ///
    /// Unlike a killed process, the rest of the node in this process may still store an answer, borrow the lease for it
    /// and release it. This waits for that.
    private static func leave(_ session: UUID, to node: TestNode, seconds: Double) async throws {
        try await node.exams.leases.open(session) {}
        _ = try await node.store.service.takeLease(
            session, node: node.exams.node, url: "http://killed", seconds: seconds)
    }

    @Test func aNodeThatStopsDoesNotWaitForItsEncoders() async throws {
        let backend = try TestBackend()
        var times = Self.longLeases
        times.delivery = .milliseconds(500)
        let node = try await TestNode(backend, times: times)
        let scenario = try ScenariosOverWebSocket.scenario("withdraws-in-part-2")
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        let encoders = BusyEncoders()
        try await onThread { try client.sit() }
        #expect(client.outcome == "withdrawn")
        // A node that waited for the encoders would not stop before this.
        let release = Task {
            try await Task.sleep(for: Patience.limit)
            encoders.release()
        }
        try await node.stop()
        #expect(!encoders.areReleased)
        release.cancel()
        #expect(try await node.answers(of: made.session).isEmpty)
    }

    /// The candidate was told that the exam is over, so their client doesn't come back to it.
    @Test func anExamThatWasOverWhenItsNodeDiedIsConcludedWhenItStartsAgain() async throws {
        let backend = try TestBackend()
        let first = try await TestNode(backend)
        let scenario = try ScenariosOverWebSocket.scenario("withdraws-in-part-2")
        let made = try await first.make(ScenariosOverWebSocket.sitting(scenario))
        let path = SessionRestore.path(of: made.session, in: first.exams.settings)
        try await first.stop()
        // The state that the node leaves: everything is said and logged, nothing is stored.
        try await Self.hold(made.prepared, scenario, at: path)

        let second = try await TestNode(backend)
        #expect(try await second.log(of: made.session) == (try SessionLog.lines(of: scenario.expectedLog)))
        try await eventually("it is completed") {
            try await second.store.service.session(made.session)?.status != .inProgress
        }
        #expect(try await !second.answers(of: made.session).isEmpty)
        try await eventually("nothing is kept") { !FileManager.default.fileExists(atPath: path) }
        try await second.stop()
    }

    private static func hold(_ sitting: PreparedExam, _ scenario: Scenario, at path: String) async throws {
        let folder = try SessionFolder.create(at: path)
        try PrivateFile.replace(folder.delivery, with: Array("\(folder.name)\n".utf8))
        let room = try ReplayRoom(sitting, candidate: scenario.candidate, surroundings: scenario.surroundings)
        let session = try Session(sitting, in: room, folder: folder)
        let held = try await session.hold()
        _ = try await held.storing.takes()
    }

    /// An answer that a node could not store before it died is given again, as another answer, when the exam comes back
    /// to that node.
    @Test func anExamThatComesBackHasItsAnswersStored() async throws {
        let backend = try TestBackend()
        let first = try await TestNode(backend, name: "a", times: Self.longLeases)
        let second = try await TestNode(backend, name: "b", times: Self.longLeases)
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await first.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: first.port)
        backend.audio.isAway = true
        let again = Kept<TestNode?>(nil)
        let (answers, wasAnswering) = (Kept(0), Kept(false))
        client.before = { _, client in
            // While an answer is closing, it is still open, and stays open until there is more sound.
            let isAnswering = [.speaking, .closing].contains(client.activity)
            defer { wasAnswering.value = isAnswering }
            if again.value != nil || isAnswering == wasAnswering.value { return }
            if !isAnswering {
                // The first answer has ended, and waits in this node's queue.
                guard answers.value == 0 else { return }
                answers.value = 1
                waiting { try await eventually("it is in the queue") { try first.exams.queue.counts().open > 0 } }
                waiting {
                    await first.kill()
                    try await Self.leave(made.session, to: first, seconds: -1)
                }
                try client.beginTurnAgain()
                try client.reconnect(to: second.port)
            } else if answers.value == 1 {
                // The answer is being given again.
                waiting {
                    await second.kill()
                    try await Self.leave(made.session, to: second, seconds: -1)
                    backend.audio.isAway = false
                    again.value = try await TestNode(backend, name: "a", times: Self.longLeases)
                }
                try client.beginTurnAgain()
                try client.reconnect(to: again.value!.port)
            }
        }
        try await onThread { try client.sit() }

        let third = try #require(again.value)
        #expect(client.outcome == "completed")
        let names = try await third.answers(of: made.session).map { "part\($0.part)_q\($0.order)_a\($0.attempt)" }
        #expect(names.count == made.prepared.script.turns.count { $0.answer != nil })
        #expect(Set(names) == Set(client.stored))
        // The log in the store has its end only if all of it is stored.
        #expect(try await third.log(of: made.session).last?.contains("\"phase\":\"over ") == true)
        try await third.stop()
    }

    @Test func aStoppedNodeSavesWhatItHolds() async throws {
        let backend = try TestBackend()
        let first = try await TestNode(backend)
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await first.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: first.port)
        let again = Kept<TestNode?>(nil)
        client.before = { block, client in
            guard block == Self.inTheMiddle else { return }
            waiting {
                try await first.stop()
                again.value = try await TestNode(backend)
            }
            try client.reconnect(to: again.value!.port)
        }
        try await onThread { try client.sit() }

        let second = try #require(again.value)
        #expect(client.outcome == "completed")
        let names = Set(try await second.answers(of: made.session).map { "part\($0.part)_q\($0.order)_a\($0.attempt)" })
        #expect(names.isSuperset(of: client.stored))
        let log = try await second.log(of: made.session)
        #expect(log.filter { $0.contains("deviceLost roomClosed") }.count == 1)
        // The node keeps nothing of an exam whose answers have arrived.
        let folder = SessionRestore.path(of: made.session, in: second.exams.settings)
        try await second.stop()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    /// The node notices when it next renews the lease or stores a line of the log, whichever comes first.
    @Test(arguments: [shortLeases, longLeases]) func anErasedExamEndsAndLeavesNothing(_ times: LiveTimes) async throws {
        let backend = try TestBackend()
        let node = try await TestNode(backend, times: times)
        let made = try await node.make(
            ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
        let client = try await onThread { try TalkingClient(made, port: node.port) }
        let folder = SessionRestore.path(of: made.session, in: node.exams.settings)
        #expect(FileManager.default.fileExists(atPath: folder))
        _ = try await node.store.owned(by: SignIn.developer).erase(session: made.session)
        client.socket.say("{\"type\":\"lost\",\"what\":\"microphone\"}")  // A line of the log.
        client.beSilent(5)
        #expect(try await onThread { try client.closing() } == 4404)
        #expect(try await onThread { try TalkingClient.refusal(made, port: node.port) }.0 == 4401)
        try await node.stop()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func anAbandonedExamIsConcluded() async throws {
        let backend = try TestBackend()
        let first = try await TestNode(backend)
        let made = try await first.make(
            ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
        _ = try await onThread { try TalkingClient(made, port: first.port) }
        let folder = SessionRestore.path(of: made.session, in: first.exams.settings)
        try await first.stop()
        #expect(FileManager.default.fileExists(atPath: folder))
        // A day later.
        let times = {
            var times = LiveTimes()
            times.sweep = .milliseconds(50)
            return times
        }()
        let second = try await TestNode(backend, times: times) { $0.limits.patience = .seconds(-1) }
        try await eventually("its folder is gone") { !FileManager.default.fileExists(atPath: folder) }
        let row = try await second.store.owned(by: SignIn.developer).session(made.session)
        #expect(row?.status != .inProgress)
        #expect(row?.outcome == nil)
        #expect(try await second.store.service.claim(worker: "w", seconds: 60)?.session == made.session)
        try await second.stop()
    }

    @Test func anOldExamCannotBeResumed() async throws {
        let node = try await TestNode(TestBackend()) { $0.limits.patience = .zero }
        let made = try await node.make(
            ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
        #expect(try await onThread { try TalkingClient.refusal(made, port: node.port) }.0 == 4410)
        try await node.stop()
    }

    @Test func anExamThatAnotherNodeTookIsReleased() async throws {
        let backend = try TestBackend()
        let node = try await TestNode(backend, times: Self.longLeases)
        let made = try await node.make(
            ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
        let client = try await onThread { try TalkingClient(made, port: node.port) }
        // Pretend that this node's lease expired while it could not reach the store.
        try await node.store.service.releaseLease(made.session, node: node.exams.node)
        _ = try await node.store.service.takeLease(made.session, node: "other", url: "http://other", seconds: 600)
        #expect(try await onThread { try client.closing() } == 4421)
        let (again, url) = try await onThread { try TalkingClient.refusal(made, port: node.port) }
        #expect(again == 4421)
        #expect(url == "http://other")
        try await node.stop()
        let notes = node.keptLog.notes(of: made.session)
        #expect(notes.contains("exam lost to another node") && !notes.contains("exam put on disk"))
    }
}

/// A value that a thread hands to its test.
final class Kept<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: Value

    init(_ value: Value) { kept = value }

    var value: Value {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }
}

/// Blocks the calling thread until asynchronous work is done.
func waiting(_ work: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        do { try await work() } catch { fatalError("\(error)") }
        done.signal()
    }
    done.wait()
}
