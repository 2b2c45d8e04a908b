import ExamCore
import ExamKit
import ExamStore
import Foundation
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork
@testable import SessionFolders

/// The scenarios of replays, with their candidates at the other end of a WebSocket.
@Suite(.bothStores(quick: .sqlite)) struct ScenariosOverWebSocket {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "AudioFixtures/scenarios").path

    static func scenario(_ name: String) throws -> Scenario { try Scenario(folder: "\(folder)/\(name)") }

    /// Prepares the exam of a scenario.
    ///
    /// - Parameter format: Replaces the scenario's own format.
    static func sitting(_ scenario: Scenario, format: ExamFormat? = nil) async throws -> PreparedExam {
        let prompts = URL(filePath: folder).deletingLastPathComponent().appending(path: "prompts").path
        return try await PreparedExam(
            format ?? scenario.format, scenario.paper, options: scenario.options,
            voice: ExaminerVoice(recordings: [prompts], cache: "/proc/nowhere"))
    }

    private static let scenarios = Thoroughness.some(
        of: ["pocket-exam", "withdraws-in-part-2", "practice-skips-and-pauses", "microphone-lost-in-part-3"], oneIn: 4)

    @Test(arguments: scenarios)
    func theLogIsTheReplays(_ name: String) async throws {
        let node = try await TestNode(TestBackend())
        let scenario = try Self.scenario(name)
        let made = try await node.make(Self.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        try await onThread { try client.sit() }

        let log = try await node.log(of: made.session)
        let expected = try SessionLog.lines(of: scenario.expectedLog)
        let difference = zip(log, expected).first { !Self.isAlike($0, $1) }
        #expect(
            log.count == expected.count && difference == nil, "\(String(describing: difference)), \(log.count) lines")
        #expect(client.outcome != nil)
        #expect(client.mode == scenario.options.mode.rawValue)
        #expect(client.stored.count == Set(client.stored).count)
        #expect(try await node.answers(of: made.session).count == client.stored.count)
        #expect(client.closings.isEmpty)
        try await node.stop()
    }

    /// Returns whether two lines of a log are alike. A replay hears floating point and a server 16 bits, so a change
    /// may be dated two frames, 20 ms, apart.
    private static func isAlike(_ line: String, _ expected: String) -> Bool {
        func times(_ line: String) -> [Double] { line.matches(of: /\d+\.\d{3}/).compactMap { Double($0.output) } }
        func rest(_ line: String) -> String { line.replacing(/\d+\.\d{3}/, with: "") }
        return rest(line) == rest(expected) && zip(times(line), times(expected)).allSatisfy { abs($0 - $1) < 0.021 }
    }

    @Test func fiftyBrokenConnectionsChangeNothing() async throws {
        let node = try await TestNode(TestBackend())
        let scenario = try Self.scenario("pocket-exam")
        let made = try await node.make(Self.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        var chance = SplitMix64(seed: 6)
        // The exam has 1368 blocks.
        var points: Set<UInt32> = []
        while points.count < 50 { points.insert(UInt32.random(in: 1..<1_360, using: &chance)) }
        let breaks = Dictionary(uniqueKeysWithValues: points.map { ($0, Int.random(in: 0...652, using: &chance)) })
        client.before = { block, client in client.breaksAfter = breaks[block] }
        try await onThread { try client.sit() }

        let log = try await node.log(of: made.session)
        #expect(log == (try SessionLog.lines(of: scenario.expectedLog)))
        #expect(client.connections == 51)
        #expect(client.stored.count == Set(client.stored).count)
        #expect(try await node.answers(of: made.session).count == client.stored.count)
        try await node.stop()
    }

    /// The id follows from the question that was asked, not from its place in the exam.
    @Test func anAnswerOfAnExamHeldHereHasItsQuestionsId() async throws {
        let node = try await TestNode(TestBackend())
        try await TemplateSeeds.put(node.exams.catalogue, into: node.store)
        let scenario = try Self.scenario("withdraws-in-part-2")
        let made = try await node.make(Self.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        try await onThread { try client.sit() }
        _ = try await node.log(of: made.session)
        let template = TemplateIDs.template(scenario.format.id, scenario.paper.id)
        let answers = try await node.answers(of: made.session)
        #expect(answers.count > 0)
        for answer in answers {
            #expect(answer.questionID == TemplateIDs.question(answer.question, of: template), "\(answer.question)")
            #expect(try await node.backend.audio.size(of: #require(AudioKey(answer.path))) == answer.byteCount)
        }
        let session = try #require(try await node.store.owned(by: SignIn.developer).session(made.session))
        #expect(session.expectedResponses == made.prepared.script.turns.count { $0.answer != nil })
        #expect(session.completedResponses == Set(answers.map(\.question)).count)
        try await node.stop()
    }

    /// The last answers of hundreds of exams that end at the same time take minutes to encode.
    @Test func overIsSaidWithoutWaitingForTheEncoder() async throws {
        var times = LiveTimes()
        times.delivery = .milliseconds(500)
        let node = try await TestNode(TestBackend(), times: times)
        let scenario = try Self.scenario("withdraws-in-part-2")
        let made = try await node.make(Self.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        let encoders = BusyEncoders()
        try await onThread { try client.sit() }
        #expect(client.outcome == "withdrawn")
        #expect(client.stored.isEmpty)
        #expect(try await node.answers(of: made.session).isEmpty)

        encoders.release()
        #expect(try await node.log(of: made.session) == (try SessionLog.lines(of: scenario.expectedLog)))
        let takes = try await node.answers(of: made.session)
        #expect(!takes.isEmpty)
        #expect(takes.allSatisfy { $0.record.duration?.duration ?? .zero > .zero })
        try await node.stop()
    }
}

/// Occupies all encoders until it is released or deinitialized.
final class BusyEncoders: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let isReleased = Atomic(false)

    init() {
        for queue in TakeEncoder.queues { queue.async { [gate] in gate.wait() } }
    }

    deinit { release() }

    var areReleased: Bool { isReleased.load(ordering: .relaxed) }

    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        for _ in TakeEncoder.queues { gate.signal() }
    }
}
