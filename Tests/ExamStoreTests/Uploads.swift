import ExamStore
import Foundation
import StoreTrials
import Testing

@Suite(.bothStores) struct Uploads {
    static func upload(_ session: UUID? = nil, length: Int? = 100, expiresAt: String = "2035-01-01T00:00:00Z")
        -> ResumableUpload
    {
        ResumableUpload(
            id: UUID(), session: session, length: length, metadata: "filename YS5vcHVz", key: "uploads/\(UUID())",
            expiresAt: expiresAt)
    }

    @Test func anUploadAdvancesOnlyFromItsOffset() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let upload = Self.upload()
            let made = try await mine.create(upload)
            #expect(made == .created)
            #expect(try await mine.create(upload) == .same)
            #expect(try await mine.advance(upload.id, from: 0, to: 40))
            #expect(try await mine.advance(upload.id, from: 0, to: 50) == false)
            #expect(try await mine.advance(upload.id, from: 40, to: 101) == false)
            #expect(try await mine.advance(upload.id, from: 40, to: 30) == false)
            #expect(try await mine.advance(upload.id, from: 40, to: 100, expiresAt: "2036-01-01T00:00:00Z"))
            let found = try #require(try await mine.resumableUpload(upload.id))
            #expect(
                found.offset == 100 && found.expiresAt == "2036-01-01T00:00:00Z" && found.metadata == upload.metadata)
            #expect(try await mine.delete(upload: upload.id) == upload.key)
            #expect(try await mine.delete(upload: upload.id) == nil)
        }
    }

    @Test func ofTwoConcurrentAppendsOneSucceeds() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let upload = Self.upload()
            _ = try await mine.create(upload)
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for end in 1...10 { group.addTask { try await mine.advance(upload.id, from: 0, to: end) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }

    @Test func aLengthMayBeSaidLater() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let upload = Self.upload(length: nil)
            _ = try await mine.create(upload)
            #expect(try await mine.advance(upload.id, from: 0, to: 40))
            #expect(try await mine.advance(upload.id, from: 40, to: 60, length: 50) == false)
            #expect(try await mine.advance(upload.id, from: 40, to: 50, length: 50))
            #expect(try await mine.advance(upload.id, from: 50, to: 60, length: 90) == false)
            #expect(try await mine.resumableUpload(upload.id)?.length == 50)
        }
    }

    @Test func uploadsAreTheirOwnersOnly() async throws {
        try await withStore { store in
            let (mine, yours) = (store.owned(by: UUID()), store.owned(by: UUID()))
            let (session, _) = try await store.hold(mine.user)
            let upload = Self.upload(session)
            #expect(try await yours.create(upload) == .parentMissing)
            _ = try await mine.create(upload)
            var stolen = upload
            stolen.session = nil
            #expect(try await yours.create(stolen) == .refused)
            #expect(try await yours.resumableUpload(upload.id) == nil)
            #expect(try await yours.advance(upload.id, from: 0, to: 1) == false)
            #expect(try await yours.delete(upload: upload.id) == nil)
            #expect(try await mine.resumableUpload(upload.id)?.offset == 0)
        }
    }

    @Test func expiredUploadsAreFound() async throws {
        try await withStore { store in
            let mine = store.owned(by: UUID())
            let old = Self.upload(expiresAt: "2020-01-01T00:00:00Z")
            _ = try await mine.create(old)
            _ = try await mine.create(Self.upload())
            let expired = try await store.service.expiredUploads()
            #expect(expired.map(\.upload) == [old] && expired.map(\.user) == [mine.user])
        }
    }
}
