import SystemSupport
import Testing
import UploadQueue

@testable import Backends

@Suite struct LargeRecordingTests {
    /// A backend that has only the PUT, like older ones.
    @Test func aBackendWithoutResumableUploadsGetsAllAtOnce() async throws {
        let sample = try SampleSession(seed: 8)
        let backend = FakeBackend()
        let answer = try sample.answer(byteCount: LargeRecording.shortest + 1, suffix: "wav")
        let uploader = BackendUploader(url: backend.base, client: backend) { () throws(DeliveryFailure) in
            FakeBackend.token
        }
        var persistence = Persistence()
        #expect(await persistence.deliver([sample.session, answer, sample.completion], by: uploader))
        #expect(persistence.failures.isEmpty)
        let stored = try #require(backend.now.recordings["\(sample.facts.id.name)/\(answer.id.name)"])
        #expect(SHA256.hexadecimal(of: stored) == answer.file!.sha256)
    }
}
