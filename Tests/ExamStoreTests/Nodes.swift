import Foundation
import StoreTrials
import Testing

@testable import ExamStore

@Suite(.bothStores) struct Nodes {
    @Test func nodesOfTheSameNameSeeEachOther() async throws {
        try await withStore { store in
            let service = store.service
            #expect(try await service.see(node: "a-1", name: "a", url: "https://a", within: 60) == [])
            #expect(try await service.see(node: "b-1", name: "b", url: nil, within: 60) == [])
            #expect(
                try await service.see(node: "a-1", name: "a", url: nil, within: 60) == [],
                "a node is not listed among the others")
            #expect(try await service.see(node: "a-2", name: "a", url: nil, within: 60) == ["a-1"])
            try await service.forget(node: "a-1")
            #expect(try await service.see(node: "a-2", name: "a", url: nil, within: 60) == [])
        }
    }

    @Test func anUnseenNodeDoesNotCountAndIsForgottenAfterADay() async throws {
        try await withStore { store in
            let service = store.service
            _ = try await service.see(node: "a-1", name: "a", url: nil, within: 60)
            for (age, count) in [(61, 2), (86_401, 1)] {
                try await store.database.transaction(.write, as: .service) { connection in
                    _ = try connection.change(
                        "UPDATE nodes SET seen_at = {seconds} - ? WHERE id = 'a-1'", [Double(age)])
                }
                #expect(try await service.see(node: "a-2", name: "a", url: nil, within: 60) == [])
                let rows: Int = try await store.database.transaction(.read, as: .service) {
                    try $0.first("SELECT count(*) AS count FROM nodes")!.value("count")
                }
                #expect(rows == count)
            }
        }
    }

    @Test(.store(only: .postgres, because: "SQLite has no row-level security."))
    func usersSeeNoNodes() async throws {
        let place = try await TestDatabase()
        let store = try place.open()
        try await store.migrate()
        _ = try await store.service.see(node: "a-1", name: "a", url: nil, within: 60)
        let seen: Int = try await store.database.transaction(.read, as: .user(UUID())) {
            try $0.first("SELECT count(*) AS count FROM nodes")!.value("count")
        }
        #expect(seen == 0)
        await store.close()
    }
}
