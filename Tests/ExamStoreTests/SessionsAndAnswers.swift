import ExamCore
import ExamStore
import Foundation
import StoreTrials
import Testing

@Suite(.bothStores) struct SessionsAndAnswers {
    @Test func aRepeatedSessionIsStoredOnce() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let session = Sample.session()
            let first = try await mine.put(session)
            #expect(first == .created)
            #expect(try await mine.put(session) == .same)
            var renamed = session
            renamed.name = "another"
            #expect(try await mine.put(renamed) == .changed)
            #expect(try await mine.session(session.id) == renamed)
            #expect(try await mine.sessions(limit: 10) == [renamed])
        }
    }

    @Test func anotherOwnersIdIsRefusedAndStaysHidden() async throws {
        try await withStore { store in
            let (mine, yours) = (UUID(), store.owned(by: UUID()))
            let (id, answers) = try await store.hold(mine)
            #expect(try await yours.put(Sample.session(id)) == .refused)
            #expect(try await yours.session(id) == nil)
            #expect(try await yours.sessions(limit: 10).isEmpty)
            #expect(try await yours.recording(answers[0]) == nil)
            #expect(try await yours.response(answers[0]) == nil)
            #expect(try await yours.responses(of: id).isEmpty)
            #expect(try await yours.put(Sample.recording(id)) == .parentMissing)
            #expect(try await yours.put(Sample.response(Sample.recording(id))) == .parentMissing)
            #expect(try await yours.complete(id, Sample.completion(answers: 1)) == .parentMissing)
            #expect(try await yours.erase(session: id) == false)
            // The id of one user's answer, with another user's session.
            let own = Sample.session()
            _ = try await yours.put(own)
            #expect(try await yours.put(Sample.recording(own.id, id: answers[0])) == .refused)
            #expect(try await store.owned(by: mine).session(id)?.status == .inProgress)
        }
    }

    @Test func anAnswerWithoutASessionIsSentLater() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let session = Sample.session()
            let recording = Sample.recording(session.id)
            #expect(try await mine.put(recording) == .parentMissing)
            _ = try await mine.put(session)
            #expect(try await mine.put(Sample.response(recording)) == .parentMissing)
            #expect(try await mine.put(recording) == .created)
            #expect(try await mine.put(recording) == .same)
            #expect(try await mine.put(Sample.response(recording)) == .created)
            #expect(try await mine.put(Sample.response(recording)) == .same)
            let stored = try #require(try await mine.response(recording.id))
            #expect(stored.uploadedAt != nil)
            #expect(try await mine.responses(of: session.id) == [stored])
            var other = session
            other.templateID = UUID()
            #expect(try await mine.put(other) == .parentMissing)
        }
    }

    @Test func aRecordingIsNeverReplaced() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, ids) = try await store.hold(mine.user)
            let other = Sample.recording(session, id: ids[0], sha256: Sample.otherDigest)
            await expect(.conflict) { _ = try await mine.put(other) }
            await expect(.conflict) { _ = try await mine.put(Sample.response(other)) }
            #expect(try await mine.recording(ids[0])?.sha256 == Sample.digest)
        }
    }

    @Test func anAnswerAndItsRecordingAreStoredTogether() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let session = Sample.session()
            let (recording, second) = (Sample.recording(session.id), Sample.recording(session.id))
            #expect(try await mine.put(Sample.response(recording), recording: recording) == .parentMissing)
            _ = try await mine.put(session)
            #expect(try await mine.put(Sample.response(recording), recording: recording) == .created)
            #expect(try await mine.put(Sample.response(recording), recording: recording) == .same)
            // The question has an answer, so neither this one nor its recording is stored.
            await expect(.conflict) { _ = try await mine.put(Sample.response(second), recording: second) }
            #expect(try await mine.recording(second.id) == nil)
            #expect(try await mine.session(session.id)?.completedResponses == 1)
        }
    }

    @Test func aQuestionHasOneAnswerForEachAttempt() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user)
            let second = Sample.recording(session)
            _ = try await mine.put(second)
            await expect(.conflict) { _ = try await mine.put(Sample.response(second)) }
            var again = Sample.response(second)
            again.record.attempt = 2
            #expect(try await mine.put(again) == .created)
            #expect(try await mine.responses(of: session).map(\.attempt) == [1, 2])
        }
    }

    @Test func aCompletedSessionSaysWhetherAllAnswersAreHere() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, _) = try await store.hold(mine.user, answers: 2)
            let completion = Sample.completion(answers: 3)
            #expect(try await mine.complete(session, completion) == .created)
            #expect(try await mine.complete(session, completion) == .same)
            var found = try #require(try await mine.session(session))
            #expect(found.status == .completed && found.completedAt == completion.completedAt)
            #expect(found.completedResponses == 2 && !found.allResponsesUploaded)
            let late = Sample.recording(session)
            _ = try await mine.put(late)
            _ = try await mine.put(Sample.response(late, question: "late", order: 3))
            found = try #require(try await mine.session(session))
            #expect(found.completedResponses == 3 && found.allResponsesUploaded)
            // The completed session is queued once.
            #expect(try await store.service.jobStats().pending == 1)
        }
    }

    @Test func manyAnswersAtOnceAreAllCounted() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let session = Sample.session()
            _ = try await mine.put(session)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for order in 1...20 {
                    group.addTask {
                        let recording = Sample.recording(session.id)
                        _ = try await mine.put(recording)
                        _ = try await mine.put(Sample.response(recording, question: "q\(order)", order: order))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await mine.session(session.id)?.completedResponses == 20)
        }
    }

    @Test func anErasedSessionLeavesNothing() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (session, ids) = try await store.hold(mine.user, answers: 2)
            let (kept, _) = try await store.hold(mine.user)
            _ = try await mine.complete(session, Sample.completion(answers: 2))
            try await store.service.append(["one", "two"], to: session, from: 1)
            try await store.service.put("exam.json", [1, 2], session: session)
            let upload = ResumableUpload(
                id: UUID(), session: session, length: 10, metadata: "", key: "uploads/x",
                expiresAt: "2030-01-01T00:00:00Z")
            _ = try await mine.create(upload)
            #expect(try await mine.erase(session: session))
            #expect(try await mine.session(session) == nil)
            #expect(try await mine.recording(ids[0]) == nil)
            #expect(try await store.service.lines(of: session).isEmpty)
            #expect(try await store.service.files(of: session).isEmpty)
            #expect(try await store.service.jobStats() == JobStats())
            #expect(try await mine.resumableUpload(upload.id) == nil)
            #expect(try await mine.erase(session: session) == false)
            #expect(try await mine.responses(of: kept).count == 1)
            // Until the recordings are gone, the store keeps a note that they must be erased.
            let erasures = try await store.service.erasures(limit: 10)
            #expect(erasures.map(\.session) == [session] && erasures.map(\.user) == [mine.user])
            // A client that keeps sending doesn't bring it back.
            var again = Sample.session(startedAt: "2026-11-21T09:12:29Z")
            again.id = session
            #expect(try await mine.put(again) == .refused)
            try await store.service.finish(erasures[0])
            #expect(try await mine.put(again) == .created)
            #expect(try await store.service.erasures(limit: 10).isEmpty)
        }
    }

    @Test func pagesOfSessionsNeitherSkipNorRepeat() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            // Several sessions in one second.
            for second in [10, 10, 10, 11, 12] {
                _ = try await mine.put(Sample.session(startedAt: "2026-11-21T09:12:\(second)Z"))
            }
            var seen: [TestSession] = []
            var place: PageCursor?
            while true {
                let page = try await mine.sessions(limit: 2, before: place)
                seen += page
                guard let last = page.last else { break }
                place = PageCursor(PageCursor(after: last).description)
            }
            #expect(seen.map(\.startedAt) == seen.map(\.startedAt).sorted(by: >))
            #expect(Set(seen.map(\.id)).count == 5 && seen.count == 5)
            #expect(PageCursor("2026-11-21T09:12:10Z_' OR 1=1") == nil)
        }
    }

    @Test func sessionsAreListedByTheirPapers() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            for (second, paper) in ["bridges", "drill-repeat", "maps", "drill-again"].enumerated() {
                var session = Sample.session(startedAt: "2026-11-21T09:12:1\(second)Z")
                session.paper = paper
                _ = try await mine.put(session)
            }
            func papers(_ filter: PaperFilter?, before place: PageCursor? = nil) async throws -> [String] {
                try await mine.sessions(limit: 10, before: place, papers: filter).map(\.paper)
            }
            let drills = ["drill-repeat", "drill-again", "' OR 1=1"]
            #expect(try await papers(nil) == ["drill-again", "maps", "drill-repeat", "bridges"])
            #expect(try await papers(.only(drills)) == ["drill-again", "drill-repeat"])
            #expect(try await papers(.without(drills)) == ["maps", "bridges"])
            #expect(try await papers(.only([])).isEmpty)
            #expect(try await papers(.without([])).count == 4)
            let newest = try #require(try await mine.sessions(limit: 1).first)
            #expect(try await papers(.only(drills), before: PageCursor(after: newest)) == ["drill-repeat"])
        }
    }

    @Test func usageIsTheUsersOwn() async throws {
        try await withStore { store in
            let mine = UUID()
            _ = try await store.hold(mine, answers: 2)
            _ = try await store.hold(UUID(), answers: 3)
            let usage = try await store.owned(by: mine).usage()
            #expect(usage == Usage(sessions: 1, sessionsToday: 1, responses: 2, bytes: 8_000))
            #expect(
                try await store.owned(by: UUID()).usage()
                    == Usage(sessions: 0, sessionsToday: 0, responses: 0, bytes: 0))
        }
    }

    /// A retry is not another question, and complete uploads are counted separately.
    @Test func repeatedAnswersCountTheQuestionOnce() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            var session = Sample.session()
            session.expectedResponses = nil
            let (id, ids) = try await store.hold(mine.user, answers: 2, session: session)
            let second = Sample.recording(id)
            var again = Sample.response(second)
            again.record.attempt = 2
            #expect(try await mine.put(again, recording: second) == .created)
            var found = try #require(try await mine.session(id))
            #expect(found.completedResponses == 2 && found.storedResponses == 3 && found.expectedResponses == nil)
            // The announced number is about answers, not questions.
            _ = try await mine.complete(id, Sample.completion(answers: 3))
            found = try #require(try await mine.session(id))
            #expect(found.allResponsesUploaded && found.expectedResponses == 3)
            // Sent again without the number: the known one stays.
            #expect(try await mine.put(session) == .same)
            session.name = "another"
            #expect(try await mine.put(session) == .changed)
            #expect(try await mine.session(id)?.expectedResponses == 3)
            let answers = try await mine.responses(of: id)
            #expect(answers.map(\.processingOrder) == [101, 101, 102])
            #expect(answers.allSatisfy { $0.uploadStatus == "uploaded" })
            // The path is the object's key, not the client's name for it.
            let recording = try #require(try await mine.recording(ids[0]))
            #expect(answers.first { $0.id == ids[0] }?.path == recording.key)
            #expect(try await mine.put(Sample.response(recording)) == .same)
        }
    }

    /// The store finds an answer's question in the template by its id in the paper, not by its place. The stored id of
    /// the question leads to its part and order.
    @Test func anAnswersQuestionIsFoundInItsTemplateAndBack() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let (template, other) = (Sample.template(), Sample.template())
            let questions = [(1, 1), (1, 2), (2, 1)].map {
                TestQuestion(
                    id: UUID(), part: $0.0, order: $0.1, text: "Where?", question: "p\($0.0)-q\($0.1)",
                    audioURL: "where.opus", transcript: "Where?", expectedDuration: 30, topicKeywords: ["river"])
            }
            try await store.service.put(template, questions: questions)
            // The same words in another template are another question.
            try await store.service.put(
                other, questions: [TestQuestion(id: UUID(), part: 1, order: 1, text: "Where?", question: "p1-q2")])
            var session = Sample.session()
            session.templateID = template.id
            _ = try await mine.put(session)
            for (order, asked) in [(1, "p1-q2"), (2, "p1-q1"), (3, "p2-q1"), (4, "why")].enumerated() {
                let recording = Sample.recording(session.id)
                let response = Sample.response(recording, question: asked.1, order: order + 1)
                #expect(try await mine.put(response, recording: recording) == .created)
                #expect(try await mine.put(response, recording: recording) == .same)
                let stored = try #require(try await mine.response(recording.id))
                let wanted = questions.first { $0.question == asked.1 }
                #expect(stored.questionID == wanted?.id, "\(asked)")
                guard let id = stored.questionID else { continue }
                #expect(try await mine.question(id, of: template.id) == wanted)
                #expect(try await mine.question(id, of: other.id) == nil)
            }
            // The questions get new ids, and so do the stored answers.
            let renewed = questions.map { question in
                var question = question
                question.id = UUID()
                return question
            }
            try await store.service.put(template, questions: renewed)
            let ids = try await mine.responses(of: session.id).map(\.questionID)
            #expect(ids == [renewed[1].id, renewed[0].id, renewed[2].id, nil])
        }
    }

    @Test func aTemplateThatIsNotOfferedIsStillThere() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let template = Sample.template()
            let question = TestQuestion(id: UUID(), part: 1, order: 1, text: "Where?", question: "q")
            try await store.service.put(template, questions: [question])
            let found = try #require(try await mine.templates().first)
            #expect(found.title == "Bridges" && found.difficulty == .medium && found.createdAt != nil)
            var session = Sample.session()
            session.templateID = template.id
            #expect(try await mine.put(session) == .created)
            var hidden = template
            hidden.isActive = false
            try await store.service.put(hidden, questions: [question])
            #expect(try await mine.templates().isEmpty)
            #expect(try await mine.template(template.id)?.isActive == false)
            #expect(try await mine.questions(of: template.id) == [question])
            // A session with a template keeps it. A session without one gets it, if it exists.
            #expect(try await mine.put(template: template.id, of: session.id) == false)
            let bare = Sample.session()
            _ = try await mine.put(bare)
            #expect(try await mine.put(template: UUID(), of: bare.id) == false)
            #expect(try await store.owned(by: UUID()).put(template: template.id, of: bare.id) == false)
            #expect(try await mine.put(template: template.id, of: bare.id))
            #expect(try await mine.session(bare.id)?.templateID == template.id)
        }
    }
}
