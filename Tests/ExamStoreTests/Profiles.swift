import ExamStore
import Foundation
import StoreTrials
import Testing

@Suite(.bothStores) struct Profiles {
    @Test func aProfileBelongsToOneUserAndIsErasedAtOnce() async throws {
        try await withStore { store in
            let (ann, ben) = (store.owned(by: UUID()), store.owned(by: UUID()))
            #expect(try await ann.profile() == Profile())
            try await ann.put(picture: "a/b/c.png")
            try await ann.put(Profile(username: "ann", fullName: "Ann Example"))
            try await ann.put(Profile(username: "anna"))
            let found = try await ann.profile()
            #expect(found.username == "anna" && found.fullName == nil && found.picture == "a/b/c.png")
            #expect(found.updatedAt != nil)
            #expect(try await ben.profile() == Profile())
            try await ben.eraseProfile()
            #expect(try await ann.profile() == found)
            try await ann.eraseProfile()
            #expect(try await ann.profile() == Profile())
        }
    }
}
