import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Sign-ins by schools in the database.
@Suite(.bothStores) struct SchoolSignIns {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func attempt(_ state: String, until: Date = Self.now + 600) -> SchoolAttempt {
        SchoolAttempt(
            stateHash: state, browserHash: "b", school: "elm", nonce: "n", verifier: "v", until: until)
    }

    @Test func anAttemptCountsOnceInItsBrowser() async throws {
        try await withStore { store in
            let service = store.service
            try await service.begin(attempt("s"), at: Self.now)
            #expect(try await service.useAttempt(stateHash: "s", browserHash: "x", at: Self.now) == nil)
            #expect(try await service.useAttempt(stateHash: "x", browserHash: "b", at: Self.now) == nil)
            let late = Self.now + 600
            #expect(try await service.useAttempt(stateHash: "s", browserHash: "b", at: late) == nil)
            #expect(try await service.useAttempt(stateHash: "s", browserHash: "b", at: Self.now) == attempt("s"))
            #expect(try await service.useAttempt(stateHash: "s", browserHash: "b", at: Self.now) == nil)
            // Of requests at the same time, one gets it.
            try await service.begin(attempt("t"), at: Self.now)
            let got = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await service.useAttempt(stateHash: "t", browserHash: "b", at: Self.now) != nil
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(got == 1)
        }
    }

    @Test func aSignInHasItsRightsAndEnds() async throws {
        try await withStore { store in
            let (service, user) = (store.service, UUID())
            let person = SchoolPerson(
                user: user, school: "elm", name: "Ann", roles: [.teacher, .marker], groups: ["7b", "a \"b\""])
            let until = Self.now + 3_600
            try await service.signIn(person, tokenHash: "a", at: Self.now, until: until)
            let found = try await service.schoolSignIn(tokenHash: "a", at: Self.now)
            #expect(found?.person.roles == person.roles && found?.person.groups == person.groups)
            #expect(found?.person.user == user && found?.person.school == "elm" && found?.until == until)
            #expect(try await service.schoolSignIn(tokenHash: "a", at: until) == nil)
            try await service.signIn(person, tokenHash: "b", at: Self.now, until: until)
            #expect(try await service.schoolSignIn(tokenHash: "a", at: Self.now) != nil)
            #expect(try await service.endSchoolSignIn(tokenHash: "b") == "elm")
            #expect(try await service.endSchoolSignIn(tokenHash: "b") == nil)
            try await service.signIn(person, tokenHash: "c", at: Self.now, until: until)
            try await service.endSchoolSignIns(of: user)
            #expect(try await service.schoolSignIn(tokenHash: "c", at: Self.now) == nil)
        }
    }

    @Test(.store(only: .postgres, because: "Row-level security is PostgreSQL's."))
    func usersSeeNeitherSecretsNorSignIns() async throws {
        try await withStore { store in
            let user = UUID()
            try await store.service.begin(attempt("s"), at: Self.now)
            try await store.service.signIn(
                SchoolPerson(user: user, school: "elm", roles: [.learner], groups: []), tokenHash: "a", at: Self.now,
                until: Self.now + 60)
            for table in ["school_attempts", "school_sign_ins"] {
                for (identity, count) in [(Identity.user(user), 0), (.user(UUID()), 0), (.service, 1)] {
                    let seen: Int = try await store.database.transaction(.read, as: identity) {
                        try $0.first("SELECT count(*) AS count FROM \(table)")!.value("count")
                    }
                    #expect(seen == count, "\(table)")
                }
                let changed = try await store.database.transaction(.write, as: .user(user)) {
                    try $0.change("DELETE FROM \(table)")
                }
                #expect(changed == 0, "\(table)")
            }
        }
    }
}
