import Foundation
import HTTPClient
import Synchronization
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

/// The API that signs addresses and the storage behind it, as strict fakes.
@Suite struct SignedURLUploaderTests {
    private let sample: SampleSession
    private let storage = FakeS3()

    init() throws { sample = try SampleSession(seed: 4) }

    private var uploads: [Upload] {
        get throws {
            [
                sample.session, try sample.answer(part: 1, order: 1, byteCount: 90_000),
                try sample.answer(part: 1, order: 1, attempt: 2, byteCount: 70_000),
                try sample.answer(part: 3, order: 2, byteCount: 60_000, suffix: "wav"), sample.completion,
            ]
        }
    }

    private func api(
        storage: FakeS3? = nil,
        sign: @escaping @Sendable (String, Int) -> String = { key, _ in FakeS3.address(key) }
    ) -> SigningAPI {
        let storage = storage ?? self.storage
        return SigningAPI(storage: storage, isThere: { storage.now[$0] != nil }, sign: sign)
    }

    private func uploader(_ client: any HTTPExchanging, token: String = SigningAPI.token) -> SignedURLUploader {
        SignedURLUploader(url: "\(SigningAPI.base)/", user: "user 1", template: "t-1", client: client) {
            () throws(DeliveryFailure) in token
        }
    }

    @Test func aSessionArrivesByTheAPIsRoutes() async throws {
        let api = api()
        var persistence = Persistence()
        #expect(await persistence.deliver(try uploads, by: uploader(api)))
        #expect(persistence.failures.isEmpty)
        let answer = ["POST /generate-upload-url", "PUT", "POST /upload-complete"]
        #expect(api.requests == ["GET /quota?user_id=user%201"] + answer + answer + answer + ["POST /evaluate"])
        let folder = "users/user 1/\(sample.facts.id.name)"
        #expect(
            Set(storage.now.keys) == [
                "\(folder)/part1/p1-hometown-1.opus", "\(folder)/part1/p1-hometown-1_a2.opus",
                "\(folder)/part3/p3-hometown-2.wav",
            ])
        for upload in try uploads {
            guard let file = upload.file else { continue }
            let key = try #require(api.now.answers[upload.id.name])
            #expect(SHA256.hexadecimal(of: try #require(storage.now[key])) == file.sha256)
        }
        #expect(api.now.evaluations == [sample.facts.id.name])
    }

    @Test func anyMishapToAnyRequestHasOneEffect() async throws {
        let calm = api()
        var persistence = Persistence()
        try #require(await persistence.deliver(try uploads, by: uploader(calm)))
        var count = 0
        for number in 1...calm.requests.count {
            for mishap in UnreliableWay.Mishap.allCases {
                let storage = FakeS3()
                let api = api(storage: storage)
                let way = UnreliableWay(to: api, mishap: (number, mishap))
                var persistence = Persistence()
                #expect(await persistence.deliver(try uploads, by: uploader(way)), "\(mishap) at \(number)")
                #expect(api.now == calm.now, "\(mishap) at \(number)")
                #expect(storage.now == self.storage.now, "\(mishap) at \(number)")
                #expect(
                    persistence.failures.map(\.kind) == [mishap.failure].compactMap { $0 }, "\(mishap) at \(number)")
                count += 1
            }
        }
        print("Signed addresses: \(count) mishaps, each with one effect")
        #expect(count == 11 * UnreliableWay.Mishap.allCases.count)
    }

    /// An object that is already in the storage isn't sent again because the API's answer was lost.
    @Test func deliveredAnswersAreNotSentTwice() async throws {
        let api = api()
        // The third request reports to the API that the object is there.
        let way = UnreliableWay(to: api, mishap: (3, .requestLost))
        let notes = KeptNotes()
        let answer = try sample.answer()
        #expect(await failure(of: uploader(way), answer, with: notes.courier)?.kind == .transient)
        #expect(notes.all == ["users/user 1/\(sample.facts.id.name)/part1/p1-hometown-1.opus"])
        #expect(await failure(of: uploader(way), answer, with: notes.courier) == nil)
        #expect(api.requests.filter { $0 == "PUT" }.count == 1)
    }

    @Test func anObjectThatHasGoneSinceIsSentAgain() async throws {
        let api = api()
        let way = UnreliableWay(to: api, mishap: (3, .requestLost))
        let notes = KeptNotes()
        let answer = try sample.answer()
        #expect(await failure(of: uploader(way), answer, with: notes.courier) != nil)
        storage.remove(try #require(notes.all.last ?? nil))
        #expect(await failure(of: uploader(way), answer, with: notes.courier) == nil)
        #expect(notes.all.count == 3, "the old key is forgotten before the new one is kept")
        #expect(storage.now.count == 1)
    }

    @Test func anExpiredAddressIsAskedForAgain() async throws {
        let api = api { FakeS3.address($0, isExpired: $1 == 0) }
        #expect(await failure(of: uploader(api), try sample.answer()) == nil)
        #expect(api.addressCount == 2)
    }

    @Test func addressesThatAreAllTooOldAreTriedLater() async throws {
        let api = api { key, _ in FakeS3.address(key, isExpired: true) }
        #expect(await failure(of: uploader(api), try sample.answer())?.kind == .transient)
        #expect(api.addressCount == 2)
    }

    /// A list of uploads, a log or the journal must never contain an address that still works.
    @Test func signedAddressesAreNotPrinted() async throws {
        let notes = KeptNotes()
        var said = ""
        let answers = [
            FakeS3.error(403, "SignatureDoesNotMatch", "No"), FakeS3.error(400, "BadDigest", "No"),
            HTTPResponse(status: 403, body: Array("denied: \(FakeS3.address("k"))".utf8)),
            HTTPResponse(
                status: 500, headers: ["content-type": "text/html"], body: Array("<b>\(FakeS3.address("k"))".utf8)),
            HTTPResponse(status: 301, headers: ["location": FakeS3.address("k")]),
            FakeS3.error(400, "EntityTooLarge", "at \(FakeS3.address("k")) is the limit"),
        ]
        let api = api()
        for answer in answers {
            storage.answerOnce(answer)
            let failed = try #require(await failure(of: uploader(api), try sample.answer(), with: notes.courier))
            said += "\(failed) \(String(reflecting: failed))\n"
        }
        for failed in [HTTPFailure(.timeout, code: 28, "no answer from \(FakeS3.address("k")) for 15 s")] {
            let way = SigningAPI(
                storage: FixedAnswer(failure: failed), isThere: { _ in false },
                sign: { key, _ in FakeS3.address(key) })
            said += "\(await failure(of: uploader(way), try sample.answer(), with: notes.courier)!)\n"
        }
        #expect(await failure(of: uploader(api), try sample.answer(), with: notes.courier) == nil)
        said += "\(notes.all) \(uploader(api).place)"
        #expect(!said.contains(FakeS3.signature))
        #expect(!said.contains(SigningAPI.token))
        #expect(!notes.all.contains { $0?.contains("?") == true || $0?.contains("://") == true })
    }

    @Test(arguments: [
        #"{"allowed":false,"tier":"free","used":3,"limit":3,"remaining":0}"#, #"{"used":3,"limit":3,"remaining":0}"#,
        #"{"allowed":false,"message":"the quota is used up"}"#,
    ])
    func aSessionWithoutRoomWaits(_ quota: String) async throws {
        let api = api()
        api.answerQuota(quota)
        let failed = await failure(of: uploader(api), sample.session)
        #expect(failed?.kind == .transient)
        #expect(failed?.message.hasPrefix("the quota is used up") == true)
        #expect(failed?.retryAfter == .seconds(3_600))
        api.answerQuota(#"{"allowed":true}"#)
        #expect(await failure(of: uploader(api), sample.session) == nil)
    }

    @Test func aQuotaThatFillsUpMeanwhileIsNotARefusal() async throws {
        let bodies = [
            #"{"allowed":false,"message":"monthly test limit reached, upgrade your plan"}"#,
            #"{"success":false,"error":"monthly test limit reached"}"#,
        ]
        for body in bodies {
            let way = FixedAnswer(HTTPResponse(status: 403, body: Array(body.utf8)))
            for upload in [try sample.answer(), sample.completion] {
                #expect(await failure(of: uploader(way), upload)?.kind == .transient)
            }
        }
        let way = FixedAnswer(HTTPResponse(status: 403, body: Array(#"{"error":"not yours"}"#.utf8)))
        #expect(await failure(of: uploader(way), try sample.answer())?.kind == .refused)
    }

    @Test func largeRecordingsAreRefusedBeforeSending() async throws {
        let api = api()
        var uploader = uploader(api)
        uploader.largest = 50_000
        let failed = await failure(of: uploader, try sample.answer(byteCount: 50_001))
        #expect(failed?.kind == .refused)
        #expect(failed?.code == "file too large")
        #expect(api.requests.isEmpty)
        #expect(await failure(of: uploader, try sample.answer(byteCount: 50_000)) == nil)
    }

    @Test(arguments: [
        "http://storage.example.org/takes/k?s=1", "ftp://storage.example.org/k", "file:///etc/passwd", "", "k",
    ])
    func aVoiceIsNeverSentInPlainText(_ address: String) async throws {
        let api = api { _, _ in address }
        let failed = await failure(of: uploader(api), try sample.answer())
        #expect(failed?.kind == .refused)
        #expect(!api.requests.contains("PUT"))
    }

    @Test func anAlteredRecordingIsNotSent() async throws {
        let api = api()
        let answer = try sample.answer()
        try Data(SampleSession.bytes(answer.file!.byteCount, seed: 99)).write(to: URL(filePath: answer.file!.path))
        #expect(await failure(of: uploader(api), answer)?.kind == .fileAltered)
        try FileManager.default.removeItem(atPath: answer.file!.path)
        #expect(await failure(of: uploader(api), answer)?.kind == .fileMissing)
        #expect(api.requests.isEmpty)
    }

    @Test func anExpiredSignInNeedsAPerson() async throws {
        for upload in try uploads {
            #expect(await failure(of: uploader(api(), token: "an.old-one"), upload)?.kind == .signInNeeded)
        }
    }

    @Test func anAPIWithoutQuotasIsAskedOnce() async throws {
        let way = FixedAnswer(HTTPResponse(status: 404))
        #expect(await failure(of: uploader(way), sample.session) == nil)
    }

    @Test func theChecksumIsTheOneOfTheStandard() async throws {
        // RFC 1321, appendix A.5, "message digest": f96b697d7cb7938d525a2f31aaf161d0.
        let path = sample.folder + "/message"
        try Data("message digest".utf8).write(to: URL(filePath: path))
        let file = UploadFile(
            path: path, byteCount: 14, sha256: SHA256.hexadecimal(of: Array("message digest".utf8)),
            mediaType: "audio/wav")
        #expect(try await file.contentMD5() == "+WtpfXy3k41SWi8xqvFh0A==")
    }
}
