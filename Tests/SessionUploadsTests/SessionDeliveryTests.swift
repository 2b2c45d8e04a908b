import ExamCore
import ExamKit
import Foundation
import Glibc
import SessionFolders
import SessionUploads
import Synchronization
import SystemSupport
import TestSupport
import Testing
import Waiting

@testable import UploadQueue

/// Tests of the way from an exam to the queue: answers are enqueued as they are stored, and enqueued again if the queue
/// is lost.
@Suite struct SessionDeliveryTests {
    private let home: TemporaryFolder
    private let folder: SessionFolder
    private let queue: DeliveryQueue
    private let manifest: Manifest

    init() async throws {
        home = try TemporaryFolder()
        let path = home.path + "/sessions/pocket"
        let voice = ExaminerVoice(recordings: [Self.fixtures + "/prompts"], cache: "/proc/nowhere")
        _ = try await Replay(Scenario(folder: Self.fixtures + "/scenarios/pocket-exam"), voice: voice).run(into: path)
        folder = try SessionFolder.open(at: path)
        queue = try DeliveryQueue(folder: home.path + "/uploads")
        manifest = try #require(try folder.readManifest())
    }

    private static var fixtures: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .path
            + "/AudioFixtures"
    }

    @Test func aWholeExamIsEnqueuedAndArrives() async throws {
        let delivery = try SessionDelivery(of: folder, into: queue)
        for take in manifest.takes { try delivery.add(take) }
        try delivery.complete(manifest)
        let backend = KeepingBackend()
        try await queue.send(through: backend, until: .atRest)
        #expect(backend.effects.map(\.stage) == [.session] + manifest.takes.map { _ in .answer } + [.completion])
        for (upload, take) in zip(backend.effects.dropFirst(), manifest.takes) {
            #expect(upload.file?.sha256 == take.sha256 && upload.file?.byteCount == take.byteCount)
            guard case .answer(let facts, _) = upload.content else {
                _ = Issue.record("no answer")
                return
            }
            #expect(facts.question == take.question && facts.end == take.end && facts.part == take.part)
        }
    }

    /// A recorded introduction stays in the folder, unless the destination keeps introductions private.
    @Test func introductionsStayInTheFolder() async throws {
        var manifest = manifest
        for index in manifest.takes.indices where index < 2 { manifest.takes[index].record.purpose = .introduction }
        let backend = KeepingBackend()
        try SessionDelivery(of: folder, into: queue).complete(manifest)
        try await queue.send(through: backend, until: .atRest)
        let sent = backend.effects.compactMap { upload -> String? in
            if case .answer(let record, _) = upload.content { record.name } else { nil }
        }
        #expect(sent == manifest.takes.dropFirst(2).map(\.record.name) && !sent.isEmpty)
        let told = backend.effects.compactMap { upload -> Int? in
            if case .completion(let facts) = upload.content { facts.answers } else { nil }
        }
        #expect(told == [Set(manifest.takes.dropFirst(2).map { [$0.part, $0.order] }).count])

        let own = try DeliveryQueue(folder: home.path + "/own")
        try SessionDelivery(of: folder, into: own, withIntroductions: true).complete(manifest)
        #expect(try own.entries().count { $0.upload?.stage == .answer } == manifest.takes.count)
    }

    /// The exam continues only when the earlier answers are in the queue.
    @Test func answersAreEnqueuedWhileTheExamGoesOn() async throws {
        let scenario = try Scenario(folder: Self.fixtures + "/scenarios/pocket-exam")
        let voice = ExaminerVoice(recordings: [Self.fixtures + "/prompts"], cache: "/proc/nowhere")
        let sitting = try await PreparedExam(scenario.format, scenario.paper, options: scenario.options, voice: voice)
        let folder = try SessionFolder.create(at: home.path + "/sessions/again")
        let queue = queue
        let enqueued = Mutex<[Int]>([])
        let room = WaitingRoom(
            room: try ReplayRoom(sitting, candidate: scenario.candidate, surroundings: scenario.surroundings)
        ) { answered in
            func count() throws -> Int {
                try queue.entries().count { $0.upload?.session.name == "again" && $0.upload?.stage == .answer }
            }
            _ = try await Patience.wait { try count() == answered }
            let found = try count()
            enqueued.withLock { $0.append(found) }
        }
        // A live exam marks its folder once `exam.json` exists, which `Session` writes first.
        let begun = LazyDelivery(folder, queue)
        let session = try Session(sitting, in: room, folder: folder, stored: { begun.add($0) })
        let result = try await session.run()
        #expect(enqueued.withLock { $0 } == Array(0..<result.takes.count))
        let id = try #require(try SessionDelivery.id(of: folder))
        let before = try queue.entries().filter { $0.upload?.session.id == id }
        #expect(before.map(\.upload?.stage) == [.session] + result.takes.map { _ in .answer })
        try SessionDelivery(of: folder, into: queue).complete(result.manifest)
        #expect(try queue.counts().open == before.count + 1)
    }

    @Test func unmarkedSessionsAreNotSent() throws {
        #expect(SessionDelivery.catchUp(shelf, into: queue).isEmpty)
        #expect(try queue.entries().isEmpty)
    }

    @Test func aLostJournalIsMadeAgainFromTheManifests() async throws {
        try SessionDelivery(of: folder, into: queue).complete(manifest)
        let before = try queue.entries().map(\.upload)
        for ending in ["", "-wal", "-shm"] { unlink(queue.folder + "/journal.sqlite" + ending) }
        let other = try DeliveryQueue(folder: queue.folder)
        #expect(try other.entries().isEmpty)
        #expect(SessionDelivery.catchUp(shelf, into: other).isEmpty)
        #expect(try other.entries().map(\.upload) == before, "the same ids: a backend can tell a repetition")
    }

    @Test func anAlteredTakeIsNamedAndTheOthersAreEnqueued() async throws {
        let altered = try #require(manifest.takes.dropFirst().first)
        let path = "\(folder.path)/\(altered.file)"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        let delivery = try SessionDelivery(of: folder, into: queue)
        #expect { try delivery.complete(manifest) } throws: { error in
            let problem = error as? Problem
            return problem?.kind == .malformed && problem?.sentence.contains(altered.file) == true
        }
        #expect(try queue.counts().open == manifest.takes.count + 1)
        // The completion reports that one answer is missing.
        let backend = KeepingBackend()
        try await queue.send(through: backend, until: .atRest)
        guard case .completion(let facts) = backend.effects.last?.content else {
            _ = Issue.record("no completion")
            return
        }
        #expect(facts.answers == manifest.takes.count && facts.delivered == manifest.takes.count - 1)
    }

    @Test func aTakeThatVanishesAfterwardsIsParkedWithItsName() async throws {
        try SessionDelivery(of: folder, into: queue).complete(manifest)
        unlink("\(folder.path)/\(manifest.takes[0].file)")
        let end = try await queue.send(through: KeepingBackend(), until: .atRest)
        #expect(end.parked == 1 && end.open == 1, "the completion waits until a person retries or drops the answer")
        let entry = try #require(try queue.entries().first { $0.state == .parked })
        #expect(entry.failure?.kind == .fileMissing && entry.failure?.message.contains("part1_q1") == true)
    }

    @Test func aForgottenSessionLeavesNothingInTheQueuesFiles() throws {
        try SessionDelivery(of: folder, into: queue).complete(manifest)
        let id = try #require(try SessionDelivery.id(of: folder))
        try Data(folder.path.utf8).write(to: URL(filePath: queue.folder + "/journal.damaged-1.sqlite"))
        #expect(try queue.forget(session: id) == manifest.takes.count + 2)
        for name in try FileManager.default.contentsOfDirectory(atPath: queue.folder) {
            let bytes = try Data(contentsOf: URL(filePath: queue.folder + "/" + name))
            #expect(bytes.range(of: Data(folder.path.utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data(id.uuidString.utf8)) == nil, "\(name)")
        }
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        try SessionDelivery(of: folder, into: queue).complete(manifest)
        let paths = try FileManager.default.contentsOfDirectory(atPath: queue.folder).map { queue.folder + "/" + $0 }
        #expect(paths.count >= 2)
        for path in paths + [folder.delivery] {
            #expect(
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600, "\(path)")
        }
    }

    private var shelf: SessionShelf { SessionShelf(path: home.path + "/sessions") }
}

/// A room that calls a test whenever another question's take is opened, and waits for it.
private struct WaitingRoom: ExamRoom {
    var room: ReplayRoom
    /// - Parameter answered: The number of earlier takes.
    let look: @Sendable (_ answered: Int) async throws -> Void
    private var opened: [Int] = []

    init(room: ReplayRoom, look: @escaping @Sendable (Int) async throws -> Void) {
        self.room = room
        self.look = look
    }

    mutating func next() throws -> Moment? { try room.next() }
    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    nonisolated(nonsending) mutating func show(_ view: SessionView) async {
        room.show(view)
        guard let take = view.exam.recording, !opened.contains(take.turn) else { return }
        do {
            try await look(opened.count)
        } catch {
            Issue.record("\(error)")
        }
        opened.append(take.turn)
    }
}

/// A delivery that begins with the first take.
private final class LazyDelivery: Sendable {
    private let folder: SessionFolder
    private let queue: DeliveryQueue

    init(_ folder: SessionFolder, _ queue: DeliveryQueue) {
        self.folder = folder
        self.queue = queue
    }

    func add(_ take: StoredTake) {
        do {
            try SessionDelivery(of: folder, into: queue).add(take)
        } catch {
            Issue.record("\(error)")
        }
    }
}
