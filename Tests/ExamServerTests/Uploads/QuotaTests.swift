import BackendAPI
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// Tests of one learner's requests that arrive all at once.
@Suite(.serialized, .bothStores) struct QuotaTests {
    @Test func concurrentUploadsDoNotExceedTheQuota() async throws {
        let server = try await RunningServer {
            $0.limits.storedBytes = 100_000
            $0.limits.requestsPerMinute = 100_000
        }
        let (ann, session) = (UUID(), UUID())
        let row = [
            "id": session.uuidString, "name": "held", "format": "ielts-style", "paper": "bridges",
            "startedAt": "2026-11-22T10:00:00Z",
        ]
        #expect(try await server.ask("PUT", "/v1/sessions/\(session)", row, as: ann).status == 201)
        let said = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let bytes = Array("OggS".utf8) + (0..<8_996).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }
                    let digest = SHA256.hexadecimal(of: bytes)
                    return try await server.ask(
                        "PUT", "/v1/sessions/\(session)/answers/\(UUID())/recording", as: ann,
                        headers: [
                            ("Content-Type", "audio/ogg"),
                            ("Repr-Digest", try #require(ReprDigest(sha256: digest)).field),
                        ], bytes: bytes
                    ).status
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        // At most 11 fit. Fewer may be stored, because the server also refuses an upload while others only reserve the
        // space. The client may then try again.
        #expect(Set(said.keys) == [201, 429] && said[201]! <= 11, "\(said)")
        let usage = try await server.services.store.owned(by: ann).usage()
        #expect(usage.bytes == said[201]! * 9_000, "refused uploads take no space")
        let stored = try await server.services.audio.keys(of: ann)
        #expect(stored.count == said[201]!, "refused uploads are not stored")
        await server.stop()
    }

    @Test func concurrentExamsDoNotExceedTheDailyLimit() async throws {
        let server = try await RunningServer {
            $0.limits.examsPerDay = 3
            $0.limits.requestsPerMinute = 100_000
        }
        let ann = UUID()
        let said = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    let wish: [String: Any] = ["consent": true, "format": "ielts-style", "paper": "bridges"]
                    return try await server.ask("POST", "/v1/exams", wish, as: ann).status
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(said == [201: 3, 429: 9])
        await server.stop()
    }

    @Test func spokenDrillsAndExamsAreCountedApart() async throws {
        let server = try await RunningServer {
            $0.limits.examsPerDay = 1
            $0.limits.drillsPerDay = 2
        }
        let ann = UUID()
        let exam: [String: Any] = ["consent": true, "format": "ielts-style", "paper": "bridges"]
        let drill: [String: Any] = ["consent": true, "drill": "repeat"]
        for (wish, status) in [(drill, 201), (drill, 201), (exam, 201), (exam, 429)] {
            #expect(try await server.ask("POST", "/v1/exams", wish, as: ann).status == status)
        }
        let refused = try await server.ask("POST", "/v1/exams", drill, as: ann)
        #expect(refused.status == 429)
        #expect((refused.object["detail"] as? String)?.hasPrefix("You can begin 2 spoken drills a day.") == true)
        await server.stop()
    }
}
