import ExamCore
import Foundation
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// A room whose program dies after a number of blocks.
private struct DyingRoom: ExamRoom {
    struct Death: Error {}

    var room: ReplayRoom
    var blocks: Int
    /// Called with the session's clock when the room is opened.
    var began: (ExamTime) -> Void = { _ in }

    mutating func begins(at moment: ExamTime) { began(moment) }

    mutating func next() throws -> Moment? {
        let moment = try room.next()
        if case .heard? = moment?.what { blocks -= 1 }
        if blocks < 0 { throw Death() }
        return moment
    }

    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    mutating func show(_ view: SessionView) { room.show(view) }
}

/// Resuming a session that died.
@Suite struct ResumptionTests {
    private let talkative = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))

    @Test func theWordInProgressCountsAndTheQuestionIsAskedAgain() async throws {
        let home = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let folder = try SessionFolder.create(at: home.path + "/session")
        var room = try ReplayRoom(sitting, candidate: talkative)
        // The first answer begins after about 13 s of the examiner. Three seconds of it are heard.
        let began = try await opening(of: sitting)
        let blocks = (began.sinceBegin.milliseconds + 3_600) / 20
        do {
            _ = try await Session(sitting, in: DyingRoom(room: room, blocks: blocks), folder: folder).run()
            Issue.record("the room did not die")
        } catch is DyingRoom.Death {}

        room = try ReplayRoom(sitting, candidate: talkative)
        let result = try await Session(resuming: sitting, in: room, folder: folder).run()
        #expect(result.outcome == .completed)
        let broken = try #require(result.takes.first)
        #expect(broken.end == "deviceLost" && broken.attempt == 1)
        #expect(broken.record.leadIn == Seconds(.seconds(1)))
        #expect(abs(broken.duration.duration.milliseconds - 4_600) <= 20)
        #expect((2_000...3_100).contains(broken.speech.duration.milliseconds), "\(broken.speech)")
        #expect(result.takes[1].question == broken.question && result.takes[1].attempt == 2)
        #expect(result.takes[1].end == "finished")
        _ = try SessionLog.replay(folder.log, script: sitting.script)
    }

    /// A room that shows the time left with a level must know the session's clock before the first view.
    @Test func aRoomFirstGetsTheSessionsClock() async throws {
        let home = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let folder = try SessionFolder.create(at: home.path + "/session")
        var told: [ExamTime] = []
        // The first life ends after 20 s, in the first answer. All of it except the last quarter of a second is on
        // disk.
        var dying = DyingRoom(room: try ReplayRoom(sitting, candidate: talkative), blocks: 1_000) { told.append($0) }
        await #expect(throws: DyingRoom.Death.self) { try await Session(sitting, in: dying, folder: folder).run() }
        dying = DyingRoom(room: try ReplayRoom(sitting, candidate: talkative), blocks: 250) { told.append($0) }
        await #expect(throws: DyingRoom.Death.self) {
            try await Session(resuming: sitting, in: dying, folder: folder).run()
        }
        try #require(told.count == 2)
        #expect(told[0] == .zero)
        #expect((19_700...20_000).contains(told[1].sinceBegin.milliseconds), "\(told)")
    }

    /// Finds the time at which the first answer is opened by holding the exam once.
    private func opening(of sitting: PreparedExam) async throws -> ExamTime {
        let home = try TemporaryFolder()
        let room = try ReplayRoom(sitting, candidate: talkative)
        let session = try Session(sitting, in: room, folder: .create(at: home.path + "/session"), encoding: false)
        let takes = try await session.run().takes
        return ExamTime(sinceBegin: try #require(takes.first).openedAt.duration)
    }
}
