import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// The papers of users, and the workers that write them.
@Suite(.bothStores) struct OwnPapers {
    static func paper(_ isByModel: Bool = true, paper: String? = nil) -> OwnPaper {
        OwnPaper(
            id: UUID(), format: "f", title: "bees", request: "{}", isByModel: isByModel, paper: paper,
            shortfalls: paper.map { _ in "[]" })
    }

    @Test func aPaperBelongsToOneUser() async throws {
        try await withStore { store in
            let (ann, ben) = (store.owned(by: UUID()), store.owned(by: UUID()))
            let one = Self.paper(false, paper: "{\"a\":\"é\"}")
            #expect(try await ann.add(one, most: 9, mostWritten: 0))
            let kept = try #require(try await ann.paper(one.id))
            #expect(kept.paper == one.paper && kept.state == .ready && kept.createdAt != nil)
            #expect(try await ann.papers(limit: 9) == [kept])
            #expect(try await ben.papers(limit: 9) == [])
            #expect(try await ben.paper(one.id) == nil)
            #expect(try await !ben.erasePaper(one.id))
            #expect(try await store.service.claimPaper(seconds: 9) == nil, "a finished paper is not claimed again")
            #expect(try await ann.erasePaper(one.id))
            #expect(try await !ann.erasePaper(one.id))
        }
    }

    @Test func bothLimitsOfPapersHold() async throws {
        try await withStore { store in
            let ann = store.owned(by: UUID())
            var kept = 0
            for _ in 0..<5 where try await ann.add(Self.paper(), most: 9, mostWritten: 2) { kept += 1 }
            #expect(kept == 2)
            for _ in 0..<9 where try await ann.add(Self.paper(false, paper: "{}"), most: 6, mostWritten: 2) {
                kept += 1
            }
            #expect(kept == 6)
            #expect(try await ann.papers(limit: 99).count == 6)
        }
    }

    @Test func onlyOneNodeWritesAPaperUntilItsLeaseEnds() async throws {
        try await withStore { store in
            let (ann, service) = (store.owned(by: UUID()), store.service)
            let one = Self.paper()
            _ = try await ann.add(one, most: 9, mostWritten: 9)
            let first = try #require(try await service.claimPaper(seconds: 60))
            #expect(first.paper.id == one.id && first.user == ann.user)
            #expect(try await service.claimPaper(seconds: 9) == nil)
            #expect(try await service.keep(first, writing: "half", seconds: 60))
            // Let the lease expire.
            try await service.write { _ = try $0.change("UPDATE papers SET until = 0") }
            let second = try #require(try await service.claimPaper(seconds: 60))
            #expect(second.paper.writing == "half")
            // The first worker's lease has ended, so it can't change anything.
            #expect(try await !service.keep(first, writing: "other", seconds: 9))
            try await service.finish(first, writing: "x", paper: "{}", title: "x", shortfalls: "[]")
            try await service.fail(first, writing: "x", "why")
            try await service.giveBack(first)
            #expect(try await ann.paper(one.id)?.state == .writing)
            try await service.giveBack(second)
            let third = try #require(try await service.claimPaper(seconds: 60))
            try await service.fail(third, writing: "most", "It could not.")
            #expect(try await ann.paper(one.id)?.failure == "It could not.")
            #expect(try await service.claimPaper(seconds: 9) == nil)
            #expect(try await !store.owned(by: UUID()).retryPaper(one.id, writing: nil))
            #expect(try await ann.retryPaper(one.id, writing: "most"))
            #expect(try await !ann.retryPaper(one.id, writing: "most"))
            let last = try #require(try await service.claimPaper(seconds: 60))
            try await service.finish(last, writing: "all", paper: "{}", title: "Bees", shortfalls: "[]")
            let ready = try #require(try await ann.paper(one.id))
            #expect(ready.state == .ready && ready.title == "Bees" && ready.writing == "all")
        }
    }
}
