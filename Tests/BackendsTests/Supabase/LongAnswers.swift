import Foundation
import HTTPClient
import LoopbackServers
import SupabaseStandIn
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// Recordings over 6 MB, which are sent in pieces and interrupted at any place.
@Suite(.needs(StandInProject.obstacle), .endsIfItHangs) struct LongAnswers {
    private static let megabyte = 1 << 20
    /// Two whole pieces and a part of one.
    private static let bytes = 13 * megabyte + 17

    private func ready() async throws -> (Device, SupabaseUploader, Upload) {
        let device = try await Device.ready(try StandInProject { $0.storage.sizeLimit = 32 << 20 })
        return (device, try uploader(device), try device.answer(bytes: Self.bytes))
    }

    private func uploader(_ device: Device) throws -> SupabaseUploader {
        try device.uploader {
            $0.largestObject = 32 << 20
        }
    }

    private func check(_ device: Device, _ upload: Upload, _ what: String = "") throws {
        #expect(device.complaints.isEmpty, "\(what): \(device.complaints)")
        #expect(device.rows("responses").count == 1, "\(what)")
        let object = try #require(device.objects.values.first)
        #expect(Data(object.bytes) == (try Data(contentsOf: URL(filePath: upload.file!.path))), "\(what)")
        #expect(device.objects.count == 1 && device.standIn.with { $0.storage.writes } == 1, "\(what)")
        #expect(device.progress.withLock { $0.max() } == Self.bytes, "\(what)")
    }

    private func pieces(_ device: Device) -> [Int] {
        device.standIn.with {
            $0.requests.filter { $0.method == "PATCH" }.compactMap { $0["Upload-Offset"].flatMap { Int($0) } }
        }
    }

    /// Each piece is cut off after a number of bytes. The server keeps them, and the next program continues there.
    @Test func anInterruptedPieceIsContinued() async throws {
        var cuts = 0
        for piece in 0..<3 {
            for arrived in [0, 1, Self.megabyte, 6 * Self.megabyte - 1] {
                let (device, uploader, upload) = try await ready()
                let seen = Count()
                device.standIn.fault { _, request in
                    guard request.method == "PATCH" else { return nil }
                    defer { seen.add() }
                    guard seen.value == piece else { return nil }
                    return .cut(after: min(arrived, Self.bytes - piece * 6 * Self.megabyte - 1))
                }
                let failure = try #require(await device.failure(of: upload, by: uploader))
                #expect(failure.kind == .transient)
                let had = device.standIn.with { $0.storage.resumables.values.first?.bytes.count }
                device.standIn.with { $0.requests = [] }
                try await device.deliver(upload, by: self.uploader(device))
                #expect(device.lines.first?.hasPrefix("HEAD ") == true)
                #expect(pieces(device).first == had)
                try check(device, upload, "piece \(piece), \(arrived) bytes")
                cuts += 1
            }
        }
        print("interrupted pieces: \(cuts)")
    }

    /// The answer to a piece is lost. The piece isn't sent a second time.
    @Test func aPieceThatArrivedIsNotSentAgain() async throws {
        for piece in 0..<3 {
            let (device, uploader, upload) = try await ready()
            let seen = Count()
            device.standIn.fault { _, request in
                guard request.method == "PATCH" else { return nil }
                defer { seen.add() }
                return seen.value == piece ? .answerLost : nil
            }
            #expect(await device.failure(of: upload, by: uploader)?.kind == .transient)
            try await device.deliver(upload, by: self.uploader(device))
            #expect(pieces(device) == [0, 6 << 20, 12 << 20])
            try check(device, upload, "piece \(piece)")
        }
    }

    /// The place of the upload is stored before the first byte is sent there.
    @Test func thePlaceIsKeptVerbatimBeforeAnythingIsSent() async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.fault { _, request in request.method == "PATCH" ? .lost : nil }
        _ = await device.failure(of: upload, by: uploader)
        let id = device.standIn.with { $0.storage.resumables.keys.first! }
        let place = "\(StandInProject.url) audio-responses/responses/\(Device.session.id.name)_part1_q1.opus"
        let note = SupabaseNote(device.note(of: upload), place: place)
        #expect(note.location == "\(StandInProject.url)/storage/v1/upload/resumable/\(id)")
        #expect(note.stored == nil)
    }

    @Test(arguments: [true, false])
    func aForgottenUploadIsRestarted(_ whileSending: Bool) async throws {
        let (device, uploader, upload) = try await ready()
        let seen = Count()
        device.standIn.fault { [unowned fake = device.standIn] _, request in
            guard request.method == "PATCH" else { return nil }
            defer { seen.add() }
            guard seen.value == 1 else { return nil }
            fake.with { state in
                for id in state.storage.resumables.keys { state.storage.resumables[id]!.isGone = true }
            }
            return whileSending ? nil : .lost
        }
        let failure = await device.failure(of: upload, by: uploader)
        #expect((failure == nil) == whileSending)
        if !whileSending { try await device.deliver(upload, by: self.uploader(device)) }
        try check(device, upload)
        #expect(device.standIn.with { $0.storage.resumables.count } == 2)
    }

    @Test func aServerThatForgetsUploadsIsNotRetriedForever() async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.fault { _, request in request.method == "PATCH" ? .answer(.text(410)) : nil }
        let failure = try #require(await device.failure(of: upload, by: uploader))
        #expect(failure.kind == .transient && failure.code == "410")
        #expect(device.lines.filter { $0.hasPrefix("PATCH") }.count == 2)
    }

    @Test func anInconsistentOffsetIsNotRetriedForever() async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.fault { _, request in
            request.method == "PATCH" ? .answer(.text(409, "Upload-Offset conflict")) : nil
        }
        let failure = try #require(await device.failure(of: upload, by: uploader))
        #expect(failure.kind == .transient && failure.code == "409")
        #expect(device.lines.filter { $0.hasPrefix("PATCH") }.count == 4)
    }

    /// A piece that seemed lost arrives late, and the same piece is refused when it is sent again.
    @Test func aLatePieceIsNotARefusal() async throws {
        let (device, uploader, upload) = try await ready()
        let bytes = Array(try Data(contentsOf: URL(filePath: upload.file!.path)))
        device.standIn.fault { [unowned fake = device.standIn] _, request in
            guard request["Upload-Offset"] == "0" else { return nil }
            fake.with { state in
                for id in state.storage.resumables.keys {
                    state.storage.resumables[id]!.bytes = Array(bytes.prefix(6 << 20))
                }
            }
            return .answer(.text(403, "Upload already completed"))
        }
        try await device.deliver(upload, by: uploader)
        try check(device, upload)
        // A refusal without an explanation counts as a refusal.
        let (other, another, again) = try await ready()
        other.standIn.fault { _, request in request.method == "PATCH" ? .answer(.text(403, "no")) : nil }
        #expect(await other.failure(of: again, by: another)?.kind == .refused)
        #expect(other.lines.filter { $0.hasPrefix("PATCH") }.count == 1)
    }

    /// Another upload of the name finished first. Equal bytes are accepted, others are replaced.
    @Test(arguments: [true, false])
    func anotherUploadThatEndsFirstIsChecked(_ isSame: Bool) async throws {
        let (device, uploader, upload) = try await ready()
        let path = "responses/\(Device.session.id.name)_part1_q1.opus"
        let bytes = Array(try Data(contentsOf: URL(filePath: upload.file!.path)))
        device.standIn.fault { [unowned fake = device.standIn] _, request in
            guard request["Upload-Offset"] == String(12 << 20) else { return nil }
            guard fake.objects().isEmpty else { return nil }
            fake.put(.init(bytes: isSame ? bytes : [1], etag: "", mediaType: "audio/ogg"), at: path)
            return nil
        }
        try await device.deliver(upload, by: uploader)
        #expect(device.objects[path]?.bytes == bytes)
        #expect(device.standIn.with { $0.storage.writes } == (isSame ? 0 : 1))
        #expect(device.rows("responses").count == 1)
    }

    @Test func aTokenThatExpiresBetweenPiecesIsRenewed() async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.fault { [unowned fake = device.standIn] _, request in
            if request["Upload-Offset"] == String(6 << 20), fake.with({ $0.auth.refreshes }) == 0 {
                fake.with { $0.now += 3_700 }
            }
            return nil
        }
        try await device.deliver(upload, by: uploader)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        try check(device, upload)
    }

    /// A tus server may give the place as a path only.
    @Test(arguments: [
        "/storage/v1/upload/resumable/", "//abcdefgh.supabase.co/storage/v1/upload/resumable/", "resumable/",
    ])
    func aRelativePlaceIsUnderstood(_ location: String) async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.with { $0.storage.location = location }
        try await device.deliver(upload, by: uploader)
        try check(device, upload)
    }

    /// The user's token goes only to the project, even if a server asks for another place.
    @Test(arguments: [
        "https://evil.example/x/", "http://abcdefgh.supabase.co/x/", "https://abcdefgh.supabase.co:444/x/", "//evil/",
    ])
    func anotherServersPlaceIsRefused(_ location: String) async throws {
        let (device, uploader, upload) = try await ready()
        device.standIn.with { $0.storage.location = location }
        let failure = try #require(await device.failure(of: upload, by: uploader))
        #expect(failure.kind == .refused && failure.message == "the server redirects the upload to another server")
        #expect(device.lines.count == 1)
    }

    /// The reported progress never exceeds the file, and never decreases while nothing fails.
    @Test func progressGrowsToTheWholeFile() async throws {
        let (device, uploader, upload) = try await ready()
        try await device.deliver(upload, by: uploader)
        let told = device.progress.withLock { $0 }
        #expect(told == told.sorted() && told.last == Self.bytes)
        #expect(told.contains(6 << 20) && told.contains(12 << 20))
    }
}
