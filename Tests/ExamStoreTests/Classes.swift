import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Classes, their members, and tokens of browsers.
@Suite(.bothStores) struct Classes {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func furnished(_ store: ExamDatabase) async throws -> (SchoolClass, ann: UUID) {
        let (made, ann) = (SchoolClass(id: UUID(), name: "Form 9B", code: "K7QM3XRT"), UUID())
        #expect(try await store.service.make(made))
        #expect(
            try await store.service.add(
                ClassMember(id: ann, name: "Ann", role: .learner), to: made.id, pinHash: "h", limit: 3) == .joined)
        return (made, ann)
    }

    @Test func namesAndCodesAreUniqueAndAClassCanBeFull() async throws {
        try await withStore { store in
            let (service, (made, ann)) = (store.service, try await Self.furnished(store))
            for (name, code) in [("Form 9B", "OTHER"), ("Form 9C", "K7QM3XRT")] {
                #expect(try await !service.make(SchoolClass(id: UUID(), name: name, code: code)))
            }
            func add(_ name: String, limit: Int = 3) async throws -> ServiceStore.Joining {
                try await service.add(
                    ClassMember(id: UUID(), name: name, role: .learner), to: made.id, pinHash: "h", limit: limit)
            }
            #expect(try await add(" ANN") == .nameTaken)
            #expect(try await add("Bo", limit: 1) == .full)
            #expect(try await add("Bo") == .joined)
            #expect(try await service.members(of: made.id).map(\.name) == ["Ann", "Bo"])
            #expect(try await store.owned(by: ann).profile().username == "Ann")
            let found = try #require(try await service.member(named: "aNN ", of: made.id))
            #expect(found.member.id == ann && found.pinHash == "h")
            #expect(try await service.schoolClass(of: ann) == made)
            #expect(try await service.put(code: "NEW", of: made.id))
            #expect(try await service.schoolClass(code: made.code) == nil)
            #expect(try await service.schoolClass(code: "NEW")?.id == made.id)
        }
    }

    /// Learners who join at the same time are counted one after the other.
    @Test func racesDoNotOverfillAClass() async throws {
        try await withStore { store in
            let (service, (made, _)) = (store.service, try await Self.furnished(store))
            let results = try await withThrowingTaskGroup(of: ServiceStore.Joining.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await service.add(
                            ClassMember(id: UUID(), name: "Learner \(number % 6)", role: .learner), to: made.id,
                            pinHash: "h", limit: 5)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .joined } == 4)
            #expect(try await service.members(of: made.id).count == 5)
        }
    }

    @Test func tokensEndWithTheirMember() async throws {
        try await withStore { store in
            let (service, (made, ann)) = (store.service, try await Self.furnished(store))
            let (now, later) = (Self.now, Self.now + 100)
            #expect(try await service.signIn(ann, tokenHash: "a", at: now, until: later, ending: nil))
            #expect(try await !service.signIn(UUID(), tokenHash: "x", at: now, until: later, ending: nil))
            let signed = try #require(try await service.signedIn(tokenHash: "a", at: now, grace: 60))
            #expect(signed.member.id == ann && signed.className == "Form 9B" && signed.until == later)
            #expect(try await service.signedIn(tokenHash: "a", at: later, grace: 60) == nil)
            #expect(try await service.renew(tokenHash: "a", by: "b", at: now, until: later))
            #expect(try await !service.renew(tokenHash: "none", by: "c", at: now, until: later))
            try await service.signOut(tokenHash: "b")
            #expect(try await service.signedIn(tokenHash: "a", at: now, grace: 60) == nil)
            #expect(try await service.signIn(ann, tokenHash: "d", at: now, until: later, ending: nil))
            #expect(try await service.signIn(ann, tokenHash: "e", at: now, until: later, ending: "d"))
            #expect(try await service.signedIn(tokenHash: "d", at: now, grace: 60) == nil)
            #expect(try await service.remove(learner: ann, from: made.id))
            #expect(try await service.signedIn(tokenHash: "e", at: now, grace: 60) == nil)
        }
    }

    @Test func usersSeeNeitherClassmatesNorHashes() async throws {
        try await withStore { store in
            guard store.dialect == .postgres else { return }
            let (_, ann) = try await Self.furnished(store)
            #expect(try await store.service.signIn(ann, tokenHash: "a", at: Self.now, until: Self.now, ending: nil))
            for table in ["classes", "class_members", "class_sign_ins"] {
                for (identity, count) in [(Identity.user(ann), 0), (.user(UUID()), 0), (.service, 1)] {
                    let seen: Int = try await store.database.transaction(.read, as: identity) {
                        try $0.first("SELECT count(*) AS count FROM \(table)")!.value("count")
                    }
                    #expect(seen == count, "\(table)")
                    let changed = try await store.database.transaction(.write, as: .user(ann)) {
                        try $0.change("DELETE FROM \(table)")
                    }
                    #expect(changed == 0, "\(table)")
                }
            }
        }
    }
}
