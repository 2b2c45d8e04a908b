import Foundation
import HTTPClient
import SystemSupport
import TestSupport
import Testing
import UploadQueue
import VirtualDevices

@testable import Backends

/// Tests of signed addresses with the real client and a storage server other than S3: nginx.
@Suite(.needs(NginxServer.obstacle)) struct NginxTests {
    private let sample: SampleSession
    private let client = CurlClient()

    init() throws { sample = try SampleSession(seed: 6) }

    private func scene(
        _ nginx: NginxServer, sign: @escaping @Sendable (String, Int) -> String
    ) -> SigningAPI {
        SigningAPI(
            storage: client, isThere: { FileManager.default.fileExists(atPath: "\(nginx.objects)/\($0)") }, sign: sign)
    }

    private func uploader(_ client: any HTTPExchanging) -> SignedURLUploader {
        SignedURLUploader(url: SigningAPI.base, user: "user 1", template: "t-1", client: client) {
            () throws(DeliveryFailure) in SigningAPI.token
        }
    }

    @Test func aRecordingIsStoredAndStoredAgain() async throws {
        let nginx = try NginxServer()
        let answer = try sample.answer()
        let api = scene(nginx) { key, _ in nginx.sign(key) }
        for _ in ["created: 201", "replaced: 204"] {
            #expect(await failure(of: uploader(api), answer) == nil)
            let key = try #require(api.now.answers[answer.id.name])
            let stored = try Data(contentsOf: URL(filePath: "\(nginx.objects)/\(key)"))
            #expect(SHA256.hexadecimal(of: Array(stored)) == answer.file!.sha256)
        }
        print("nginx: a recording, the same bytes")
    }

    @Test func anExpiredAddressIsRenewed() async throws {
        let nginx = try NginxServer()
        let api = scene(nginx) { key, count in nginx.sign(key, seconds: count == 0 ? -60 : 600) }
        #expect(await failure(of: uploader(api), try sample.answer()) == nil)
        #expect(api.addressCount == 2)
    }

    @Test func aWrongSignatureIsRefused() async throws {
        let nginx = try NginxServer()
        let api = scene(nginx) { key, _ in nginx.sign(key, secret: "a guess") }
        let failed = await failure(of: uploader(api), try sample.answer())
        #expect(failed?.kind == .refused)
        #expect(failed?.code == "403")
    }

    @Test func largeAnswersAreRefused() async throws {
        let nginx = try NginxServer()
        let api = scene(nginx) { key, _ in nginx.sign(key) }
        let failed = await failure(of: uploader(api), try sample.answer(byteCount: NginxServer.largest + 1))
        #expect(failed?.kind == .refused)
        #expect(failed?.code == "413")
        #expect(await failure(of: uploader(api), try sample.answer(order: 2, byteCount: NginxServer.largest)) == nil)
    }

    @Test(.needs(SmallDisk.obstacle)) func aStorageWithoutRoomIsTriedAgain() async throws {
        let disk = try SmallDisk(kibibytes: 64)
        let nginx = try NginxServer(fullDisk: disk.path)
        for place in ["full", "out-of-room"] {
            let api = scene(nginx) { key, _ in nginx.sign(key, in: place) }
            let failed = await failure(of: uploader(api), try sample.answer())
            #expect(failed?.kind == .transient, "\(place): \(String(describing: failed))")
            #expect(api.now.answers.isEmpty)
        }
    }

    @Test func anUnreachableStorageIsWaitedFor() async throws {
        let nginx = try NginxServer()
        let address = nginx.sign("k").replacing(/:\d+\//, with: ":1/")
        let api = scene(nginx) { _, _ in address }
        let failed = await failure(of: uploader(api), try sample.answer())
        #expect(failed?.kind == .unreachable)
        #expect(failed?.message.contains("md5=") == false)
    }
}
