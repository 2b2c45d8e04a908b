import ExamServer
import Foundation
import Synchronization

@testable import RecordingStores

/// Storage that does not answer at times, in front of another one.
final class AwayAudio: AudioStore {
    private let store: any AudioStore
    private let state = Mutex((isAway: false, refusals: 0))

    init(_ store: any AudioStore) { self.store = store }

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// The number of calls that were not answered.
    var refusals: Int { state.withLock { $0.refusals } }

    private func answer() throws(AudioStoreError) {
        let isAway = state.withLock { state in
            if state.isAway { state.refusals += 1 }
            return state.isAway
        }
        if isAway { throw AudioStoreError(.unavailable, "the storage is away") }
    }

    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError) {
        try answer()
        try await store.put(path, as: key, sha256: sha256, mediaType: mediaType)
    }

    func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> {
        try answer()
        return try await store.read(key, range: range)
    }

    func size(of key: AudioKey) async throws(AudioStoreError) -> Int? {
        try answer()
        return try await store.size(of: key)
    }

    func delete(_ key: AudioKey) async throws(AudioStoreError) {
        try answer()
        try await store.delete(key)
    }

    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try answer()
        return try await store.keys(of: user)
    }

    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        try answer()
        return try await store.keys(of: session, user: user)
    }

    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }

    func ping() async throws(AudioStoreError) {
        try answer()
        try await store.ping()
    }
}
