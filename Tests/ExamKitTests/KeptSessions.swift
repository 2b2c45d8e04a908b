import ExamCore
import ExamKit
import SessionFolders
import Synchronization
import TestSupport
import Testing

/// The value of a session may live as long as its program, for example in a global. Its resources are released when its
/// run ends.
@Suite struct KeptSessions {
    enum End: CaseIterable { case completed, left, failed }

    @Test(arguments: End.allCases)
    func aRunThatIsOverGivesRoomAndFolderBack(_ end: End) async throws {
        let home = try TemporaryFolder()
        let prepared = try await Fixtures.partThree()
        let candidate = Candidate(turns: [:], otherwise: .says("\(Fixtures.folder)/answers/home-4.flac"))
        let door = Door()
        let room = WatchedRoom(room: try ReplayRoom(prepared, candidate: candidate), door: door, end: end)
        let folder = try SessionFolder.create(at: home.path + "/session")
        let session = try Session(prepared, in: room, folder: folder, encoding: false)
        #expect(SessionSummary(folder).state == .inUse)

        let outcome = try? await session.run().outcome
        #expect(outcome == (end == .completed ? .completed : nil))
        #expect(door.closed.withLock { $0 } == 1)
        switch SessionSummary(folder).state {
        case .over: #expect(end == .completed)
        case .resumable: #expect(end != .completed)
        case let state: Issue.record("\(state)")
        }
        withExtendedLifetime(session) {}
    }

    private final class Door: Sendable {
        let closed = Mutex(0)
    }

    private struct Fire: Error {}

    /// A room that counts its closings, and ends in the given way.
    private struct WatchedRoom: ExamRoom {
        var room: ReplayRoom
        let door: Door
        let end: End

        mutating func next() throws -> Moment? {
            let moment = try room.next()
            guard let moment, end == .completed || moment.at < ExamTime(sinceBegin: .seconds(20)) else {
                if end == .failed { throw Fire() }
                return nil
            }
            return moment
        }
        mutating func play(_ prompt: Prompt) { room.play(prompt) }
        mutating func stopPlaying() { room.stopPlaying() }
        mutating func show(_ view: SessionView) { room.show(view) }
        mutating func close() { door.closed.withLock { $0 += 1 } }
    }
}
