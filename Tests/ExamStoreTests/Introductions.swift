import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Tests that introductions are private: a reader other than the owner gets neither the row, nor the recording, nor
/// findings about it.
@Suite(.bothStores) struct Introductions {
    private let user = UUID()

    /// Stores a session with an introduction (the candidate's name) and an answer.
    private func hold(in store: ExamDatabase) async throws -> (session: UUID, name: UUID, answer: UUID) {
        let (session, answers) = try await store.hold(user, answers: 1)
        let recording = Sample.recording(session)
        let owned = store.owned(by: user)
        _ = try await owned.put(recording)
        _ = try await owned.put(Sample.response(recording, question: "full-name", order: 2))
        return (session, recording.id, answers[0])
    }

    @Test func readersGetTheOtherAnswersOnly() async throws {
        try await withStore { store in
            let (session, name, answer) = try await hold(in: store)
            let owned = store.owned(by: user)
            #expect(try await owned.responses(of: session).map(\.id) == [answer, name])
            #expect(try await owned.recording(name) != nil)
            #expect(try await owned.response(name) != nil)
            #expect(try await owned.session(session)?.storedResponses == 2)
            for response in [name, answer] { try await store.service.keep(["found"], of: response, by: "said:a") }
            let found = try await store.service.findings([String].self, of: session, byAll: "said:")
            #expect(Set(found.keys) == [answer])
            #expect(Set(try await store.service.findings([String].self, of: session, by: "said:a").keys) == [answer])

            let marker = UUID()
            _ = try await owned.complete(session, Sample.completion(answers: 2))
            _ = try await store.service.seal(session, assessor: "none")
            #expect(try await store.service.askForMarks(of: session, markers: 1))
            let task = try #require(try await store.service.takeNext(for: .init(marker)))
            #expect(task.answers == 1 && task.seconds == 12.5)
            for reader in [Reader(marker, .marker), Reader(UUID(), .service)] {
                let theirs = try #require(try await store.service.reading(session, by: reader))
                #expect(try await theirs.responses(of: session).map(\.id) == [answer])
                #expect(try await theirs.response(name) == nil)
                #expect(try await theirs.recording(name) == nil)
                #expect(try await theirs.session(session)?.storedResponses == 1)
            }
            let theirs = try #require(try await store.service.reading(session, by: Reader(marker, .marker)))
            #expect(try await theirs.recording(answer) != nil)
        }
    }

    @Test func anExamOfIntroductionsAloneIsNotMarked() async throws {
        try await withStore { store in
            let owned = store.owned(by: user)
            let session = Sample.session()
            _ = try await owned.put(session)
            let recording = Sample.recording(session.id)
            _ = try await owned.put(recording)
            _ = try await owned.put(Sample.response(recording, question: "identity"))
            _ = try await owned.complete(session.id, Sample.completion(answers: 1))
            #expect(try await store.service.askForMarks(of: session.id, markers: 1) == false)
        }
    }

    /// A client that sends a record again may change its purpose.
    @Test func aRecordThatIsSentAgainMayBecomeAnIntroduction() async throws {
        try await withStore { store in
            let (session, _, answer) = try await hold(in: store)
            let owned = store.owned(by: user)
            var response = try #require(try await owned.response(answer))
            response.record.purpose = .introduction
            #expect(try await owned.put(response) == .changed)
            let theirs = try #require(try await store.service.reading(session, by: Reader(UUID(), .service)))
            #expect(try await theirs.responses(of: session).isEmpty)
        }
    }

    /// Introductions from before questions had a purpose are private, too. Bands that include them are computed again.
    @Test func sessionsFromBeforeAreMigrated() async throws {
        let store = try await TestDatabase().open(connections: 1)
        let step = try #require(Migration.all.first { $0.name.hasPrefix("purposes of questions") }).number
        try await store.database.migrate(Migration.all.filter { $0.number < step }, dialect: store.dialect)
        try await store.database.transaction(.write, as: .service) { connection in
            for statement in ReleasedRows.statements(at: step - 1) { try connection.change(statement) }
            try connection.change(
                "UPDATE responses SET question = 'full-name' WHERE test_session_id = ?", [ReleasedRows.session])
        }
        try await store.migrate()
        let (purpose, status, words, score) = try await store.database.transaction(.read, as: .service) { connection in
            let row = try connection.first("SELECT purpose, transcript, fluency_score FROM responses")!
            let job = try connection.first("SELECT status FROM processing_queue WHERE kind = 'evaluate'")
            return (
                try row.value("purpose") as String, try job?.value("status") as String?,
                try row.optional("transcript") as String?, try row.optional("fluency_score") as Double?
            )
        }
        #expect(purpose == "introduction" && words == nil && score == nil)
        #expect(status == "pending", "the band that included it is computed again")
        await store.close()
    }
}
