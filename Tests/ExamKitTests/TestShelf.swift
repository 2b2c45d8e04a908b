import ExamCore
import Foundation
import Glibc
import SystemSupport
import TestSupport

@testable import ExamKit
@testable import SessionFolders

/// A shelf of real sessions that is removed at the end of the test.
final class TestShelf {
    let folder: TemporaryFolder
    let shelf: SessionShelf
    static let morning = WallTime(utc: "2026-11-21T09:12:29Z")!

    init() throws {
        folder = try TemporaryFolder()
        shelf = SessionShelf(path: folder.path + "/sessions")
    }

    /// A candidate who answers three questions with 14 s of speech each, and leaves the exam in the third.
    static let candidate = Candidate(
        turns: [
            "building-3": .init(answer: [
                .wait(.milliseconds(600)), .say(Fixtures.answer("connecting-2"), gain: 0), .act(.asked(.withdraw)),
            ])
        ],
        otherwise: .says(Fixtures.answer("connecting-2"))
    )

    /// Makes a session of the third part on the shelf.
    ///
    /// - Parameters:
    ///   - closes: The time at which the room is closed; nil for never.
    ///   - copy: Receives a copy of all files at that moment, as a kill would leave them.
    @discardableResult
    func session(
        at moment: WallTime = morning,
        closes: Duration? = nil,
        copy: SessionFolder? = nil,
        encoding: Bool = true
    ) async throws -> SessionFolder {
        let sitting = try await Fixtures.partThree()
        let folder = try shelf.newFolder(format: "ielts-style", at: moment)
        let consent = SessionRecord.Consent(words: "I agree.", givenAt: moment.utc)
        try folder.write(SessionRecord(startedAt: moment.utc, consent: consent, folders: [], voice: ["none"]))
        let inner = try ReplayRoom(sitting, candidate: Self.candidate)
        let room = LeftRoom(room: inner, closes: closes, folder: folder, copy: copy)
        _ = try await Session(sitting, in: room, folder: folder, encoding: encoding).run()
        return folder
    }

    /// Makes a session whose program was killed after a time.
    func killed(at moment: WallTime = morning, after span: Duration) async throws -> SessionFolder {
        let copy = SessionFolder(path: folder.path + "/copy")
        let ended = try await session(at: moment, closes: span, copy: copy)
        try FileManager.default.removeItem(atPath: ended.path)
        try FileManager.default.moveItem(atPath: copy.path, toPath: ended.path)
        return ended
    }

    /// Returns everything in a folder with sizes and times.
    static func picture(of folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map { name in
            var status = stat()
            lstat(folder + "/" + name, &status)
            return "\(name) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
        }
    }
}

/// Locks a session's log like a program that holds the exam.
final class OtherProgram {
    private let file: Int32

    init(holding folder: SessionFolder) {
        file = open(folder.log, O_RDWR | O_CLOEXEC)
        precondition(flock(file, LOCK_EX | LOCK_NB) == 0, "another program holds the session")
    }

    deinit { close(file) }
}

/// A room that is left before the exam is over.
private struct LeftRoom: ExamRoom {
    var room: ReplayRoom
    var closes: Duration?
    var folder: SessionFolder
    var copy: SessionFolder?

    mutating func next() throws -> Moment? {
        guard let moment = try room.next() else { return nil }
        guard let closes, moment.at.sinceBegin >= closes else { return moment }
        if let copy { try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path) }
        return nil
    }
    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    mutating func show(_ view: SessionView) { room.show(view) }
}
