import Foundation
import HTTPClient
import LoopbackServers
import SupabaseStandIn
import Synchronization
import TestSupport
import Testing
import UploadQueue

import struct ExamCore.SplitMix64

@testable import Backends

/// Any request or answer may be lost, and the program may be killed anywhere: there is one object and one row.
@Suite(.needs(StandInProject.obstacle), .endsIfItHangs) struct LostAnswers {
    private static let seeds = Thoroughness.count(8, check: 40)

    enum Delivery: String, CaseIterable {
        case session, answer, laterAttempt, longAnswer, completion
    }

    /// Returns a device that has delivered everything before, and the upload to deliver next.
    private func ready(for delivery: Delivery) async throws -> (Device, Upload) {
        let device = delivery == .session ? try Device() : try await Device.ready()
        if delivery == .session { try await device.signIn() }
        let upload: Upload
        switch delivery {
        case .session: upload = device.sessionUpload
        case .answer: upload = try device.answer()
        case .laterAttempt:
            try await device.deliver(device.answer())
            upload = try device.answer(attempt: 2, bytes: 50_000)
        case .longAnswer: upload = try device.answer(bytes: 7 << 20)
        case .completion:
            try await device.deliver(device.answer())
            upload = device.completion()
        }
        device.standIn.with {
            $0.requests = []
            $0.storage.writes = 0
        }
        return (device, upload)
    }

    /// Checks for a single effect, and that only expected requests were made.
    private func check(_ device: Device, _ upload: Upload, _ delivery: Delivery, _ what: String) throws {
        #expect(device.complaints.isEmpty, "\(what): \(device.complaints)")
        #expect(device.rows("test_sessions").count == 1, "\(what)")
        switch delivery {
        case .session: break
        case .answer, .longAnswer, .laterAttempt:
            let file = try #require(upload.file)
            let sent = try Data(contentsOf: URL(filePath: file.path))
            let row = try #require(device.rows("responses").first)
            let path = try #require(row["audio_file_path"]?.text)
            #expect(device.rows("responses").count == 1, "\(what)")
            #expect(Data(try #require(device.objects[path]).bytes) == sent, "\(what)")
            #expect(device.objects.count == 1, "\(what)")
            #expect(device.standIn.with { $0.storage.writes } == 1, "\(what)")
            #expect(device.progress.withLock { $0.max() } == file.byteCount, "\(what)")
        case .completion:
            #expect(device.rows("test_sessions")[0]["status"] == .text("completed"), "\(what)")
            #expect(device.rows("processing_queue").count == 1, "\(what)")
        }
    }

    @Test(arguments: Delivery.allCases)
    func oneLossAnywhereHasNoSecondEffect(_ delivery: Delivery) async throws {
        let (clean, upload) = try await ready(for: delivery)
        try await clean.deliver(upload)
        try check(clean, upload, delivery, "nothing lost")
        let count = clean.lines.count
        for index in 0..<count {
            for fault in [StandInProject.Fault.lost, .answerLost] {
                let (device, upload) = try await ready(for: delivery)
                device.standIn.fault { number, _ in number == index ? fault : nil }
                let failure = await device.failure(of: upload)
                // The session's count, and deleting the object of an outdated attempt, aren't essential.
                let line = clean.lines[index]
                let isMinor = line.hasPrefix("DELETE ") || delivery != .completion && line.contains("/test_sessions?")
                #expect(failure?.kind == (isMinor ? nil : .transient), "\(line)")
                // Uses a newly started program without the knowledge of the first one.
                #expect(try await device.deliverAtLast(upload) == 1)
                try check(device, upload, delivery, "\(fault) at \(index)")
                // Delivers again, like a queue that was killed before it could record the success.
                try await device.deliver(upload)
                try check(device, upload, delivery, "\(fault) at \(index), again")
            }
        }
        print("row 7: lost answers, \(delivery.rawValue), \(count) requests, \(count * 2) losses")
    }

    /// Many random losses in one run.
    @Test func anyLossesHaveNoSecondEffect() async throws {
        var lost = 0
        for seed in 0..<Self.seeds {
            let delivery = [Delivery.session, .answer, .laterAttempt, .completion][seed % 4]
            let (device, upload) = try await ready(for: delivery)
            var random = SplitMix64(seed: UInt64(seed))
            let faults: [StandInProject.Fault?] = (0..<30).map { _ in
                switch Int.random(in: 0..<5, using: &random) {
                case 0: .lost
                case 1: .answerLost
                case 2: .answer(.text(503))
                default: nil
                }
            }
            device.standIn.fault { number, _ in number < faults.count ? faults[number] : nil }
            lost += try await device.deliverAtLast(upload, within: 40) - 1
            device.standIn.fault { _, _ in nil }
            // The next delivery does what may have been left undone.
            try await device.deliver(upload)
            try check(device, upload, delivery, "seed \(seed)")
        }
        #expect(lost > Self.seeds)
        print("row 7: lost by chance, \(Self.seeds) seeds, \(lost) failed attempts")
    }

    /// A program is killed before or after its own note is on disk.
    @Test(arguments: [Delivery.answer, .longAnswer], [true, false])
    func aKillWhileANoteIsKeptHasNoSecondEffect(_ delivery: Delivery, _ isWritten: Bool) async throws {
        var kept = 0
        for index in 0..<10 {
            let (device, upload) = try await ready(for: delivery)
            let notes = Count()
            device.keeping.withLock {
                $0 = { [unowned device] note throws(DeliveryFailure) in
                    defer { notes.add() }
                    guard notes.value == index else { return }
                    if isWritten { device.set(note: note, of: upload) }
                    throw DeliveryFailure(.cancelled)
                }
            }
            guard let failure = await device.failure(of: upload) else { break }
            #expect(failure.kind == .cancelled)
            kept += 1
            try await device.deliver(upload)
            try check(device, upload, delivery, "note \(index)")
        }
        #expect(kept == (delivery == .answer ? 1 : 2))
    }

    @Test func aCancelledDeliveryStops() async throws {
        let (device, upload) = try await ready(for: .answer)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await device.failure(of: upload)
        }
        #expect(await task.value?.kind == .cancelled)
        #expect(device.rows("responses").isEmpty && device.objects.isEmpty)
    }

    @Test func aNoteAboutAnotherPlaceIsIgnored() async throws {
        let (device, upload) = try await ready(for: .answer)
        var note = SupabaseNote(place: "https://another.supabase.co audio-responses/x")
        note.stored = .seen
        device.set(note: note.text, of: upload)
        try await device.deliver(upload)
        try check(device, upload, .answer, "the destination has changed")
        for text in ["", "{", "null", "https://x"] {
            #expect(SupabaseNote(text, place: "a") == SupabaseNote(place: "a"))
        }
    }

    /// A recording that was deleted after it was stored is sent again before its row is written.
    @Test func interruptedDeliveriesAreChecked() async throws {
        let (device, upload) = try await ready(for: .answer)
        device.standIn.fault { _, request in request.url.hasSuffix("/responses") ? .lost : nil }
        #expect(await device.failure(of: upload)?.kind == .transient)
        device.standIn.fault { _, _ in nil }
        for path in device.objects.keys { device.standIn.put(nil, at: path) }
        device.standIn.with { $0.storage.writes = 0 }
        try await device.deliver(upload)
        try check(device, upload, .answer, "the object was deleted between the attempts")
    }

    /// A page of a hotel's network with the status of success.
    @Test(arguments: Delivery.allCases)
    func aForeignPageIsNotASuccess(_ delivery: Delivery) async throws {
        let (device, upload) = try await ready(for: delivery)
        for status in [200, 302, 511] {
            device.standIn.fault { _, _ in .answer(.text(status, "<html>Welcome! Sign in to our network</html>")) }
            let failure = try #require(await device.failure(of: upload))
            #expect(failure.kind == (status == 511 ? .unreachable : .transient))
        }
        device.standIn.fault { _, _ in nil }
        try await device.deliver(upload)
        try check(device, upload, delivery, "the hotel's page no longer answers")
    }

    @Test func noFailureShowsASecret() async throws {
        let (device, upload) = try await ready(for: .answer)
        let held = try #require(try device.store.read())
        let secrets = [held.accessToken, held.refreshToken, StandInProject.key, StandInAuth.email, "t0ps3cret"]
        let words = "\(held.accessToken) \(StandInProject.key) \(StandInAuth.email) https://a.b/c?token=t0ps3cret"
        for status in [400, 401, 403, 404, 409, 500, 503] {
            for part in ["/storage/", "/rest/v1/responses", "/auth/"] {
                let inner = ["statusCode": String(status), "message": words, "code": words, "msg": words]
                device.standIn.fault { _, request in
                    request.url.contains(part) ? .answer(.json(status, inner)) : nil
                }
                let text = "\(String(describing: await device.failure(of: upload)))"
                for secret in secrets { #expect(!text.contains(secret), "\(status) \(part): \(text)") }
            }
        }
    }
}
