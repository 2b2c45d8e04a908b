import Foundation
import HTTPClient
import LoopbackServers
import SupabaseStandIn
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The effects of a project's rules: visible refusals, hidden ones, and the clean-up after them.
@Suite(.needs(StandInProject.obstacle)) struct RowLevelRules {
    /// The least permission for a user: INSERT and nothing else.
    @Test func addingIsAllThatAnAnswerNeeds() async throws {
        let device = try await Device.ready()
        device.standIn.allow([.insert], on: "responses")
        device.standIn.allow([.insert], on: "storage.objects")
        let upload = try device.answer(seconds: 12)
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .answerLost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.fault { _, _ in nil }
        try await device.deliver(upload)
        #expect(device.rows("responses").count == 1 && device.objects.count == 1)
        #expect(device.standIn.with { $0.storage.writes } == 1)
        #expect(device.complaints.isEmpty)
    }

    /// Without SELECT, the uploader can't tell its own object, whose answer was lost, from another one.
    @Test func anObjectWithALostResponseIsChecked() async throws {
        let device = try await Device.ready()
        device.standIn.allow([.insert], on: "storage.objects")
        let upload = try device.answer()
        device.standIn.fault { _, request in request.url.contains("/object/") ? .answerLost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.fault { _, _ in nil }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .refused && failure.message.hasPrefix("another recording has that name"))
    }

    /// PATCH answers 200 with `[]`, or 204, to a change that rules hide. That must not count as a success.
    @Test func aHiddenCompletionIsNotASuccess() async throws {
        for (rules, words) in [([StandInProject.Rule.insert, .select], "UPDATE"), ([.insert], "SELECT")] {
            let device = try await Device.ready()
            device.standIn.allow(Set(rules), on: "test_sessions")
            let failure = try #require(await device.failure(of: device.completion()))
            #expect(failure.kind == .refused && failure.code == "406/PGRST116")
            #expect(failure.message.contains("`test_sessions` needs a rule for \(words)"))
            #expect(device.rows("processing_queue").isEmpty)
        }
    }

    @Test func aCompletionNeverTurnsAnEvaluatedSessionBack() async throws {
        for status in ["completed", "processing", "evaluated", "failed"] {
            let device = try await Device.ready()
            device.standIn.sql("UPDATE test_sessions SET status = '\(status)'")
            try await device.deliver(device.completion())
            #expect(device.rows("test_sessions")[0]["status"] == .text(status))
            #expect(device.rows("processing_queue").count == 1)
        }
    }

    @Test func aSessionWithDroppedAnswersSaysSo() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.completion(of: 5, delivered: 3))
        let row = device.rows("test_sessions")[0]
        #expect(row["all_responses_uploaded"] == .truth(false))
        #expect(row["completed_responses"] == .number(3) && row["expected_responses"] == .number(5))
    }

    @Test func oneEntryForASessionIsEnough() async throws {
        let device = try await Device.ready()
        device.standIn.alter("ALTER TABLE processing_queue ADD UNIQUE (test_session_id)")
        device.standIn.sql("INSERT INTO processing_queue (test_session_id) VALUES ('\(Device.session.id.name)')")
        try await device.deliver(device.completion())
        #expect(device.rows("processing_queue").count == 1)
    }

    /// With the rules of docs/uploads.md, and with one of them missing.
    @Test(arguments: [nil, .select, .update, .delete] as [StandInProject.Rule?])
    func aSessionIsWholeUnderEachKindOfRules(_ missing: StandInProject.Rule?) async throws {
        let device = try await Device.ready()
        let rules = Set<StandInProject.Rule>.all.filter { $0 != missing }
        for table in ["responses", "processing_queue", "storage.objects"] { device.standIn.allow(rules, on: table) }
        for order in 1...2 { try await device.deliver(device.answer(order: order)) }
        let again = await device.failure(of: try device.answer(order: 1, attempt: 2, bytes: 50_000))
        switch missing {
        case .select: #expect(again?.message.contains("`responses` needs a rule for SELECT") == true)
        case .update: #expect(again?.message.contains("`responses` needs a rule for UPDATE") == true)
        default: #expect(again == nil)
        }
        try await device.deliver(device.completion(of: 2, delivered: 2))
        #expect(device.rows("responses").count == 2 && device.rows("processing_queue").count == 1)
        #expect(device.rows("test_sessions")[0]["all_responses_uploaded"] == .truth(true))
        // Without a rule for SELECT or DELETE, an object that no row names can't be removed.
        #expect(device.objects.count == (missing == .select || missing == .delete ? 3 : 2))
        #expect(device.complaints.isEmpty)
    }

    // MARK: - Clean-up

    /// An object whose row is refused for good is deleted before the upload is parked. The recording stays.
    @Test func aRefusedRowTakesItsObjectWithIt() async throws {
        let device = try await Device.ready()
        device.standIn.allow([.select, .update], on: "responses")
        let upload = try device.answer()
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .refused && failure.code == "403/42501")
        #expect(device.objects.isEmpty && device.standIn.with { $0.storage.deletes } == 1)
        #expect(device.note(of: upload) == nil)
        #expect(FileManager.default.fileExists(atPath: upload.file!.path))
        // After a correction of the rules and a retry by hand, it is sent again.
        device.standIn.allow([.insert], on: "responses")
        try await device.deliver(upload)
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
    }

    @Test func anObjectThatMayNotBeDeletedIsReported() async throws {
        let device = try await Device.ready()
        device.standIn.allow([], on: "responses")
        // Deleting without permission gives "not found", like deleting a missing object.
        device.standIn.allow([.insert, .select], on: "storage.objects")
        let upload = try device.answer()
        device.standIn.fault { _, request in
            request.method == "DELETE" ? .answer(StandInStorage.error("403", "AccessDenied", "no")) : nil
        }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .refused && failure.code == "403/42501")
        #expect(failure.message.hasSuffix("(and the object could not be deleted: no)"))
    }

    @Test(arguments: [500, 503, 504, 429, 408])
    func transientFailuresLeaveTheObject(_ status: Int) async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .answer(.text(status)) : nil }
        #expect([.transient, .timedOut].contains(await device.failure(of: upload)?.kind))
        #expect(device.objects.count == 1 && device.standIn.with { $0.storage.deletes } == 0)
        device.standIn.fault { _, _ in nil }
        try await device.deliver(upload)
        #expect(device.standIn.with { $0.storage.writes } == 1)
    }

    /// The upload is parked only when the object is gone. A temporary failure of the clean-up is a temporary failure of
    /// the upload.
    @Test func aCleanUpThatFailsIsTriedAgain() async throws {
        let device = try await Device.ready()
        device.standIn.allow([], on: "responses")
        let upload = try device.answer()
        device.standIn.fault { _, request in
            request.method == "DELETE" ? .answer(StandInStorage.error("503", "LockTimeout", "busy")) : nil
        }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.fault { _, _ in nil }
        #expect(await device.failure(of: upload)?.kind == .refused)
        #expect(device.objects.isEmpty && device.standIn.with { $0.storage.writes } == 1)
    }

    /// An earlier attempt, whose answer was lost, added the row. The rules have changed since.
    @Test func anObjectThatHasItsRowIsNotDeleted() async throws {
        let device = try await Device.ready()
        let upload = try device.answer(seconds: 12)
        device.standIn.fault { _, request in request.line.hasSuffix("/responses") ? .answerLost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.fault { _, _ in nil }
        device.standIn.allow([.select], on: "responses")
        #expect(await device.failure(of: upload)?.kind == .refused)
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
    }

    @Test func anAnswerWithoutItsSessionWaitsForIt() async throws {
        let device = try await Device.ready()
        device.standIn.allow(.all, on: "responses", isOpen: true)
        device.standIn.allow(.all, on: "storage.objects", isOpen: true)
        device.standIn.sql("DELETE FROM test_sessions")
        let upload = try device.answer()
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .parentMissing && failure.code == "409/23503")
        #expect(device.objects.count == 1)
        try await device.deliver(device.sessionUpload)
        try await device.deliver(upload)
        #expect(device.standIn.with { $0.storage.writes } == 1)
    }

    /// After a deployment, the cache of the schema is outdated for a moment.
    @Test(arguments: [(400, "PGRST204"), (404, "PGRST205")])
    func aStaleSchemaIsAskedOnceMore(_ status: Int, _ code: String) async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        let first = Count()
        device.standIn.fault { _, request in
            guard request.line.hasSuffix("/responses"), first.value == 0 else { return nil }
            first.add()
            return .answer(StandInRest.error(status, code, "stale"))
        }
        try await device.deliver(upload)
        device.standIn.fault { _, request in
            request.line.hasSuffix("/test_sessions") ? .answer(StandInRest.error(status, code, "wrong")) : nil
        }
        #expect(await device.failure(of: device.sessionUpload)?.kind == .refused)
        #expect(device.lines.filter { $0.hasSuffix("/test_sessions") }.count == 2)
    }

    // MARK: - Existing objects

    @Test func otherBytesOfThatNameAreReplaced() async throws {
        for bytes in [48_000, 47_000] {
            let device = try await Device.ready()
            let upload = try device.answer()
            let path = "responses/\(Device.session.id.name)_part1_q1.opus"
            let other = StandInStorage.Object(
                bytes: [UInt8](repeating: 1, count: bytes), etag: "\"00000000000000000000000000000000\"",
                mediaType: "audio/ogg")
            device.standIn.put(other, at: path)
            try await device.deliver(upload)
            #expect(Data(device.objects[path]!.bytes) == (try Data(contentsOf: URL(filePath: upload.file!.path))))
            #expect(device.complaints.isEmpty)
        }
    }

    @Test func irreplaceableOtherBytesAreReported() async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.put(
            .init(bytes: [1, 2, 3], etag: "", mediaType: "audio/ogg"),
            at: "responses/\(Device.session.id.name)_part1_q1.opus")
        device.standIn.allow([.insert, .select], on: "storage.objects")
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .refused && failure.code == "403/AccessDenied")
        #expect(failure.message.hasPrefix("another recording has that name"))
        #expect(device.rows("responses").isEmpty)
    }

    /// Bytes that were damaged on their way are detected and sent again.
    @Test func aDifferentObjectIsNotASuccess() async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.before { [unowned fake = device.standIn] request in
            guard request.url.contains("/object/info/") else { return }
            if fake.with({ $0.storage.writes }) == 1 { fake.setETags("\"ffffffffffffffffffffffffffffffff\"") }
        }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .transient && failure.code == "differs")
        #expect(device.rows("responses").isEmpty)
        try await device.deliver(upload)
        #expect(device.standIn.with { $0.storage.writes } == 2)
        // An etag that isn't a digest of the bytes can be ignored.
        let other = try await Device.ready()
        other.standIn.before { [unowned fake = other.standIn] _ in
            fake.setETags("\"ffffffffffffffffffffffffffffffff\"")
        }
        try await other.deliver(other.answer(), by: other.uploader { $0.comparesETag = false })
    }

    @Test func aRecordingThatIsTooLargeIsNotSent() async throws {
        let device = try await Device.ready()
        let upload = try device.answer(bytes: 3_000_000)
        let failure = try #require(await device.failure(of: upload, by: device.uploader { $0.largestObject = 2 << 20 }))
        #expect(failure.kind == .refused && failure.code == "fileTooLarge")
        #expect(failure.message == "the recording has 2.9 MB; the limit is 2.0 MB")
        #expect(!device.lines.contains { $0.contains("/storage/") })
        // The bucket's own limit applies too.
        device.standIn.with { $0.storage.sizeLimit = 1 << 20 }
        #expect(await device.failure(of: upload)?.code == "413/EntityTooLarge")
    }

    @Test func aDeletedRecordingIsMissing() async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        try FileManager.default.removeItem(atPath: upload.file!.path)
        #expect(await device.failure(of: upload)?.kind == .fileMissing)
    }

    @Test func aMissingBucketIsReported() async throws {
        let device = try await Device.ready()
        let failure = try #require(
            await device.failure(of: device.answer(), by: device.uploader { $0.bucket = "elsewhere" }))
        #expect(failure.kind == .refused && failure.code == "404/NoSuchBucket" && failure.message == "Bucket not found")
    }
}
