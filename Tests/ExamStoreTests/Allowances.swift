import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamStore

/// Many simultaneous requests of one user: as many succeed as there is room for, and not one more.
@Suite(.serialized, .bothStores) struct Allowances {
    /// - Returns: the number of attempts that succeeded. Expects that all others failed because there was no room.
    private func succeeded(
        _ count: Int, _ attempt: @escaping @Sendable () async throws -> Bool
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        return try await attempt()
                    } catch let error as StoreError {
                        guard case .full = error.kind else { throw error }
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    private var attempts: Int { Thoroughness.count(200, check: 1_000) }

    @Test func announcedBytesNeverExceedTheQuota() async throws {
        try await withStore(connections: 8) { store in
            let mine = store.owned(by: UUID())
            let allowance = Allowance(bytes: 50_500)
            let made = try await succeeded(attempts) {
                try await mine.create(Uploads.upload(length: 1_000), within: allowance) == .created
            }
            #expect(made == 50)
            #expect(try await mine.usage().bytes == 50_000)
            // Another user has an allowance of their own.
            #expect(try await store.owned(by: UUID()).create(Uploads.upload(), within: allowance) == .created)
        }
    }

    @Test func recordingsUseTheirReservedRoom() async throws {
        try await withStore(connections: 8) { store in
            let user = UUID()
            let (mine, allowance) = (store.owned(by: user), Allowance(bytes: 10_000))
            let session = TestSession(
                id: UUID(), name: "s", format: "f", paper: "p", startedAt: "2026-11-25T10:00:00Z")
            _ = try await mine.put(session)
            let stored = try await succeeded(attempts) {
                let upload = Uploads.upload(session.id, length: 900)
                guard try await mine.create(upload, within: allowance) == .created else { return false }
                let recording = Recording(
                    id: UUID(), session: session.id, key: "u/s/\(UUID())", byteCount: 900,
                    sha256: String(repeating: "0", count: 64), mediaType: "audio/ogg")
                return try await mine.put(recording, within: allowance, instead: upload.id) == .created
            }
            #expect(stored == 11)
            #expect(try await mine.usage().bytes == 9_900)
            // A recording without a reservation must fit, too.
            let late = Recording(
                id: UUID(), session: session.id, key: "u/s/late", byteCount: 101,
                sha256: String(repeating: "0", count: 64), mediaType: "audio/ogg")
            await expect(.full(.bytes)) { _ = try await mine.put(late, within: allowance) }
        }
    }

    @Test func examsOfADayAndSessionsAreCountedAsTheyAreMade() async throws {
        try await withStore(connections: 8) { store in
            let mine = store.owned(by: UUID())
            @Sendable func put(_ allowance: Allowance) async throws -> Bool {
                try await mine.put(
                    TestSession(id: UUID(), name: "s", format: "f", paper: "p", startedAt: "2026-11-25T10:00:00Z"),
                    within: allowance) == .created
            }
            let today = try await succeeded(attempts) { try await put(Allowance(sessionsToday: 50)) }
            #expect(today == 50)
            let more = try await succeeded(attempts) { try await put(Allowance(sessions: 60)) }
            #expect(more == 10)
            let opened = try await succeeded(attempts) {
                try await mine.openSubmission(UUID(), within: Allowance(submissions: 7)) == .created
            }
            #expect(opened == 7)
        }
    }

    @Test func papersAreCountedAsTheyAreMade() async throws {
        try await withStore(connections: 8) { store in
            let mine = store.owned(by: UUID())
            let made = try await succeeded(attempts) {
                let paper = OwnPaper(id: UUID(), format: "f", title: "t", request: "{}", isByModel: false, paper: "{}")
                return try await mine.add(paper, most: 20, mostWritten: 1)
            }
            #expect(made == 20)
        }
    }
}
