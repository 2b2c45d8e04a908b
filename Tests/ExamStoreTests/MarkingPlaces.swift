import Assessment
import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Places of markers in both databases. Markers never get the same place, even if they ask at the same time.
@Suite(.bothStores) struct MarkingPlaces {
    private static func over(_ store: ExamDatabase, groups: Set<String> = []) async throws -> UUID {
        let (session, user) = (UUID(), UUID())
        let row = TestSession(id: session, name: "n", format: "f", paper: "p", startedAt: "2026-11-21T09:12:29Z")
        _ = try await store.owned(by: user).put(row, in: groups)
        try await store.service.write { connection in
            let id = UUID()
            try connection.change(
                """
                INSERT INTO recordings (id, test_session_id, user_id, object_key, byte_count, sha256, media_type, stored_at)
                VALUES (?, ?, ?, 'k', 1, 's', 'audio/wav', {now})
                """, [id, session, user])
            try connection.change(
                """
                INSERT INTO responses (id, test_session_id, audio_file_path, created_at, uploaded_at, question, part, question_order,
                  attempt, byte_count, sha256, media_type, record)
                VALUES (?, ?, 'k', {now}, {now}, 'q', 1, 1, 1, 1, 's', 'audio/wav', ?)
                """, [id, session, try JSONText(AnswerRecord(question: "q", part: 1, order: 1))])
        }
        _ = try await store.owned(by: user).complete(
            session, Completion(id: UUID(), completedAt: "2026-11-21T09:26:01Z", outcome: "completed", answers: 1))
        // Markers don't get an exam that may still change.
        _ = try await store.service.seal(session, assessor: "none")
        return session
    }

    /// A candidate may ask for marks, and may not see who gives them.
    @Test func aCandidatesExamAsksForMarksWhenItIsOver() async throws {
        try await withStore { store in
            let user = UUID()
            let (session, _) = try await store.hold(user)
            let owned = store.owned(by: user, markers: 2)
            #expect(try await owned.complete(session, Sample.completion(answers: 1)) == .created)
            // Completed again with other facts: no marker is asked a second time.
            _ = try await owned.complete(session, Sample.completion(answers: 2))
            #expect(try await store.service.session(session)?.completedAt != nil)
            let places: Int = try await store.service.read {
                try $0.first("SELECT count(*) AS count FROM marking_places")!.value("count")
            }
            #expect(places == 2)
        }
    }

    @Test func noTwoMarkersGetOnePlace() async throws {
        try await withStore(connections: 8) { store in
            var sessions: Set<UUID> = []
            for _ in 0..<6 { sessions.insert(try await Self.over(store)) }
            for session in sessions { #expect(try await store.service.askForMarks(of: session, markers: 2)) }
            let markers = (0..<4).map { _ in UUID() }
            // All markers ask again and again at the same time, until no place is left.
            let taken = try await withThrowingTaskGroup(of: [MarkingTask].self) { group in
                for marker in markers {
                    group.addTask {
                        var own: [MarkingTask] = []
                        for _ in 0..<12 {
                            if let task = try await store.service.takeNext(for: .init(marker), most: 100) {
                                own.append(task)
                            }
                        }
                        return own
                    }
                }
                return try await group.reduce(into: [[MarkingTask]]()) { $0.append($1) }
            }
            let all = taken.joined()
            #expect(all.count == 12 && Set(all.map(\.id)).count == 12, "every place, once")
            for own in taken { #expect(Set(own.map(\.session)).count == own.count, "no marker gets an exam twice") }
            for session in sessions { #expect(all.count { $0.session == session } == 2) }
        }
    }

    /// If two markers save at the same moment, one of them is the last, and asks for the third.
    @Test func oneOfTwoMarkersIsTheLast() async throws {
        try await withStore(connections: 8) { store in
            for _ in 0..<8 {
                let session = try await Self.over(store)
                _ = try await store.service.askForMarks(of: session, markers: 2)
                let both = [UUID(), UUID()]
                var tasks: [MarkingTask] = []
                for marker in both {
                    tasks.append(try #require(try await store.service.takeNext(for: .init(marker))))
                }
                try await withThrowingTaskGroup(of: SheetKept.self) { group in
                    for (place, task) in tasks.enumerated() {
                        group.addTask {
                            try await store.service.keep(
                                sheet: MarksGiven(bands: [.fluency: 5 + Double(place)]), of: task.id, by: both[place],
                                rubric: "ielts-style/1", assessor: "none", needsThird: ResultRules.ielts.needsThird)
                        }
                    }
                    for try await kept in group { #expect(kept == .saved) }
                }
                let marking = try await store.service.marking(of: session)
                #expect(marking.asked == 3 && marking.done == 2 && marking.shown.isEmpty)
                let third = try #require(try await store.service.takeNext(for: .init(UUID())))
                #expect(third.place == 3 && third.session == session)
                _ = try await store.service.keep(
                    sheet: MarksGiven(bands: [.fluency: 6]), of: third.id, by: try await Self.marker(of: third, store),
                    rubric: "ielts-style/1", assessor: "none", needsThird: { _ in true })
                #expect(
                    try await store.service.marking(of: session).shown.count == 3,
                    "a third decides, and there is no fourth")
            }
        }
    }

    private static func marker(of task: MarkingTask, _ store: ExamDatabase) async throws -> UUID {
        try await store.service.read {
            try $0.first("SELECT marker FROM marking_places WHERE id = ?", [task.id])!.value("marker")
        }
    }

    /// Names of groups may be any text. A name never matches as part of another, or as SQL.
    @Test func groupsAreTheirWholeNames() async throws {
        try await withStore { store in
            let names = ["7b", "7", "b", "7b,8c", "8c", "O'Neil\"s; --", "%", "Ä ö"]
            var sessions: [String: UUID] = [:]
            for name in names { sessions[name] = try await Self.over(store, groups: [name]) }
            for name in names {
                let teacher = Reader(UUID(), .teacher(of: [name, "empty"]))
                for (other, session) in sessions {
                    let found = try await store.service.reading(session, by: teacher)
                    #expect((found != nil) == (other == name), "\(name) reads \(other)")
                }
                let list = try await store.service.sessions(in: name, by: teacher, limit: 10)
                #expect(list.map(\.session.id) == [sessions[name]!])
                #expect(try await store.service.sessions(in: "8c x", by: teacher, limit: 10).isEmpty)
            }
        }
    }
}
