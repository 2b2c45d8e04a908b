import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Assigned work in both databases.
@Suite(.bothStores) struct Assignments {
    private static func assignment(
        of group: String = "7b", learner: UUID? = nil, teacher: UUID = UUID(), due: String = "2026-12-01",
        madeAt: String = "2026-11-23T09:00:00Z"
    ) -> StoredAssignment {
        StoredAssignment(
            id: UUID(), group: group, learner: learner, work: "sit:part2", note: "It's \"fine\"", due: due,
            teacher: teacher, madeAt: madeAt)
    }

    private static func teacher(of groups: Set<String>) -> Reader { Reader(UUID(), .teacher(of: groups)) }

    @Test func anAssignmentReachesItsGroupOrItsLearner() async throws {
        try await withStore { store in
            let (service, ann, ben) = (store.service, UUID(), UUID())
            let all = Self.assignment(due: "2026-12-02")
            let hers = Self.assignment(learner: ann)
            let other = Self.assignment(of: "8c")
            for one in [all, hers, other] {
                let isStored = try await service.assign(one, most: 9)
                #expect(isStored)
            }
            #expect(try await service.assignments(for: ann, in: ["7b", "x"]) == [hers, all])
            #expect(try await service.assignments(for: ben, in: ["7b"]) == [all])
            #expect(
                try await service.assignments(for: ann, in: ["7b", "8c"]) == [hers, other, all].sorted(by: Self.order))
            #expect(try await service.assignments(for: ann, in: []) == [])
            #expect(try await service.assignments(of: "7b", by: Self.teacher(of: ["7b"])) == [hers, all])
            #expect(try await service.assignments(of: "7b", by: Self.teacher(of: ["8c"])) == [])
            #expect(try await service.assignments(of: "7b", by: Reader(UUID(), .service)) == [])

            #expect(try await !service.withdraw(assignment: all.id, of: "8c"))
            #expect(try await service.withdraw(assignment: all.id, of: "7b"))
            #expect(try await !service.withdraw(assignment: all.id, of: "7b"))
            #expect(try await service.assignments(for: ben, in: ["7b"]) == [])
            #expect(try await service.assignments(of: "7b", by: Self.teacher(of: ["7b"])) == [hers])
        }
    }

    private static func order(_ a: StoredAssignment, _ b: StoredAssignment) -> Bool {
        (a.due, a.madeAt, a.id.uuidString) < (b.due, b.madeAt, b.id.uuidString)
    }

    @Test func aGroupCanBeFull() async throws {
        try await withStore { store in
            let (service, teacher) = (store.service, UUID())
            let first = Self.assignment(teacher: teacher)
            let isStored = try await service.assign(first, most: 2)
            #expect(isStored)
            #expect(try await service.assign(Self.assignment(teacher: teacher), most: 2))
            #expect(try await !service.assign(Self.assignment(teacher: teacher), most: 2))
            #expect(try await service.assign(Self.assignment(of: "8c", teacher: teacher), most: 2))
            #expect(try await service.withdraw(assignment: first.id, of: "7b"))
            #expect(try await service.assign(Self.assignment(teacher: teacher), most: 2))
        }
    }

    @Test func aTeacherSeesTheirClassAndOthersThoseWhoTookExams() async throws {
        try await withStore { store in
            let (service, hale) = (store.service, UUID())
            let made = SchoolClass(id: UUID(), name: "7b", code: "K7QM3XRT")
            #expect(try await service.make(made))
            for (id, name, role) in [
                (hale, "Ms Hale", ClassMember.Role.teacher), (UUID(), "bo", .learner), (UUID(), "Ann", .learner),
                (UUID(), "Mo", .marker),
            ] {
                let member = ClassMember(id: id, name: name, role: role)
                #expect(try await service.add(member, to: made.id, pinHash: nil, limit: 9) == .joined)
            }
            #expect(try await service.learners(of: "7b", for: hale, limit: 9).map(\.name) == ["Ann", "bo"])
            #expect(try await service.learners(of: "8c", for: hale, limit: 9) == [])
            // A teacher by a token from elsewhere sees whose exams they may see.
            let cleo = UUID()
            for _ in 0..<2 {
                let (session, _) = try await store.hold(cleo, answers: 1)
                try await service.write {
                    _ = try $0.change(
                        "INSERT INTO session_groups (test_session_id, group_name, user_id) VALUES (?, '7b', ?)",
                        [session, cleo])
                }
            }
            let seen = try await service.learners(of: "7b", for: UUID(), limit: 9)
            #expect(seen == [GroupLearner(user: cleo, name: nil)])
        }
    }

    /// Erasing a class erases its assignments, and erasing a learner erases the learner's own. Those of others stay.
    @Test func erasingTakesWhatIsTheirs() async throws {
        try await withStore { store in
            let (service, ann, ben, hale) = (store.service, UUID(), UUID(), UUID())
            let made = SchoolClass(id: UUID(), name: "7b", code: "K7QM3XRT")
            #expect(try await service.make(made))
            let (all, hers, his) = (
                Self.assignment(teacher: hale), Self.assignment(learner: ann), Self.assignment(learner: ben)
            )
            let other = Self.assignment(of: "8c")
            for one in [all, hers, his, other] { #expect(try await service.assign(one, most: 9)) }
            #expect(try await service.held(of: ann) == ["assignments": 1])
            #expect(try await service.held(of: hale) == ["assignments-made": 1])
            try await service.eraseRest(of: ann, except: [])
            try await service.eraseRest(of: hale, except: [])
            let reader = Self.teacher(of: ["7b", "8c"])
            let left = try await service.assignments(of: "7b", by: reader)
            #expect(Set(left.map(\.id)) == [all.id, his.id])
            try await service.write { _ = try $0.change("DELETE FROM classes WHERE id = ?", [made.id]) }
            #expect(try await service.assignments(of: "7b", by: reader) == [])
            #expect(try await service.assignments(of: "8c", by: reader) == [other])
        }
    }

    @Test func rowLevelSecurityShowsThemToTheirTeachersOnly() async throws {
        try await withStore { store in
            guard store.dialect == .postgres else { return }
            let (ann, hale) = (UUID(), UUID())
            #expect(try await store.service.assign(Self.assignment(learner: ann, teacher: hale), most: 9))
            for (identity, count) in [
                (Identity.user(ann), 0), (.user(hale), 0), (.service, 1), (.reader(Self.teacher(of: ["7b"])), 1),
                (.reader(Self.teacher(of: ["8c"])), 0), (.reader(Reader(hale, .marker)), 0),
            ] {
                let seen: Int = try await store.database.transaction(.read, as: identity) {
                    try $0.first("SELECT count(*) AS count FROM assignments")!.value("count")
                }
                #expect(seen == count, "\(identity)")
            }
            let changed = try await store.database.transaction(.write, as: .user(hale)) {
                try $0.change("UPDATE assignments SET note = 'x'") + $0.change("DELETE FROM assignments")
            }
            #expect(changed == 0)
        }
    }
}
