import Assessment
import ExamCore
import ExamKit
import ExamStore
import Foundation
import Learning
import Logging
import StoreTrials
import StudyFolders
import SystemSupport
import TestSupport

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork
@testable import SessionFolders

/// A learner's exams and practice on two shelves: a folder, and the rows of a database.
struct FilledShelves {
    private let home: TemporaryFolder
    private let services: Services
    private let owned: OwnedStore

    var folder: FolderShelf {
        FolderShelf(SessionShelf(path: home.path + "/sessions"), data: home.path + "/data")
    }
    var rows: StoreShelf { StoreShelf(services, owned) }

    init() async throws {
        home = try TemporaryFolder()
        services = Services(
            settings: ServerSettings(folder: home.path), store: try await TestDatabase.migrated().open(),
            audio: try FolderAudioStore(path: home.path + "/audio"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        owned = services.owned(by: UUID())
    }

    func close() async { await services.store.close() }

    /// Erases the practice in the folder, as `oracy practice erase` does once no program has the log open.
    ///
    /// - Returns: The folder as a new program opens it.
    func eraseFolder() throws -> FolderShelf {
        let path = home.path + "/data/practice.log"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        return folder
    }

    /// Erases the practice in the rows.
    func eraseRows() async throws { try await owned.erasePractice() }

    /// Puts a test on both shelves. Its id is a UUID in lower case.
    func put(_ test: PracticeTest) async throws {
        try folder.tests.write(test)
        let stored = StoredTest(test, id: UUID(uuidString: test.id)!, isByModel: false)
        _ = try await owned.add(stored, most: 100, mostWritten: 100)
    }

    /// Puts an exam on both shelves, its answers in the rows in a random order.
    func put(_ exam: SampleExam, _ random: inout SplitMix64) async throws {
        try put(inFolder: exam)
        _ = try await owned.put(
            TestSession(
                id: exam.id, name: exam.id.name, format: exam.frozen.format.id, paper: exam.frozen.paper.id,
                startedAt: exam.startedAt))
        for answer in exam.answers.shuffled(using: &random) {
            let recording = Recording(
                id: answer.row, session: exam.id, key: "responses/\(exam.id)/\(answer.row).opus", byteCount: 4_000,
                sha256: answer.recording, mediaType: "audio/ogg")
            _ = try await owned.put(recording)
            _ = try await owned.put(
                TestResponse(
                    id: answer.row, session: exam.id, record: answer.record,
                    path: "responses/\(answer.record.name).opus", byteCount: 4_000, sha256: answer.recording,
                    mediaType: "audio/ogg"))
            try await services.store.service.keep(answer.sound, of: answer.row, by: StoredExam.Finder.measurer)
        }
        try await services.store.service.put("exam.json", exam.frozen.bytes, session: exam.id)
        _ = try await owned.complete(
            exam.id,
            Completion(
                id: UUID(), completedAt: "2026-12-01T09:00:00Z", outcome: "completed", answers: exam.answers.count))
    }

    private func put(inFolder exam: SampleExam) throws {
        let folder = SessionFolder(path: "\(self.folder.sessions.path)/\(exam.id.name)")
        try PrivateFile.createFolder(folder.takes)
        try PrivateFile.replace(folder.exam, with: exam.frozen.bytes)
        try folder.write(
            SessionRecord(
                startedAt: exam.startedAt, consent: .init(words: "yes", givenAt: exam.startedAt), folders: [],
                voice: ["none"]))
        let takes = exam.answers.map { answer in
            StoredTake(
                record: answer.record, file: "takes/\(answer.record.name).opus", byteCount: 4_000,
                sha256: answer.recording)
        }
        let manifest = Manifest(
            session: exam.id.name, status: .completed, outcome: .completed, format: exam.frozen.format.id,
            paper: exam.frozen.paper.id, examSHA256: SHA256.hexadecimal(of: exam.frozen.bytes),
            duration: Seconds(.seconds(600)), takes: takes)
        try PrivateFile.replace(folder.manifest, with: JSONFile.encode(manifest))
        try folder.write(
            ExamAssessment.make(
                session: exam.id.name,
                answers: exam.answers.map { .init(record: $0.record, recording: $0.recording, sound: $0.sound) }))
    }

    func note(_ deed: SampleDeed, on answer: SampleExam.Answer, of exam: SampleExam) async throws {
        let folder = try SessionFolder.open(at: "\(self.folder.sessions.path)/\(exam.id.name)")
        switch deed {
        case .typed(let transcript):
            try folder.keep(transcript)
            try await services.store.service.keep(transcript, of: answer.row, by: StoredExam.Finder.candidate)
        case .said(let finding):
            try folder.keep(finding)
            try await SaidOfAnswers.keep(finding, of: answer.row, in: services.store.service)
        }
    }
}
