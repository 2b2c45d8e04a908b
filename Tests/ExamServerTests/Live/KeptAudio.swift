import Foundation
import Synchronization
import SystemSupport

@testable import ExamServer
@testable import RecordingStores

/// Recordings in memory.
final class KeptAudio: AudioStore {
    private let all = Mutex<[AudioKey: [UInt8]]>([:])

    private let away = Mutex(false)

    /// Whether storing fails at present.
    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    var count: Int { all.withLock { $0.count } }

    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError) {
        if isAway { throw AudioStoreError(.unavailable, "it is away") }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { throw AudioStoreError(.missing, "no file") }
        guard SHA256.hexadecimal(of: Array(bytes)) == sha256 else { throw AudioStoreError(.differs, "other bytes") }
        all.withLock { $0[key] = Array(bytes) }
    }

    func read(_ key: AudioKey, range: Range<Int>?) async throws(AudioStoreError) -> AsyncThrowingStream<
        [UInt8], any Error
    > {
        guard let bytes = all.withLock({ $0[key] }) else { throw AudioStoreError(.missing, "no such recording") }
        return AsyncThrowingStream { stream in
            stream.yield(range.map { Array(bytes[$0]) } ?? bytes)
            stream.finish()
        }
    }

    func size(of key: AudioKey) async throws(AudioStoreError) -> Int? { all.withLock { $0[key]?.count } }
    func delete(_ key: AudioKey) async throws(AudioStoreError) { all.withLock { $0[key] = nil } }
    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        all.withLock { $0.keys.filter { $0.text.hasPrefix(AudioKey.prefix(of: user)) } }
    }
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        all.withLock { $0.keys.filter { $0.text.hasPrefix(AudioKey.prefix(of: session, user: user)) } }
    }
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
    func ping() async throws(AudioStoreError) {}
}
