import Foundation
import HTTPClient
import LoopbackServers
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// Tests of signed addresses with the real client and a storage server that checks them: OpenStack Swift's S3 API.
@Suite(.needs(S3Trial.obstacle)) struct RealS3Tests {
    private let sample: SampleSession
    private let client = CurlClient()

    init() throws { sample = try SampleSession(seed: 5) }

    /// Returns an API that signs addresses of a bucket, with the given faults.
    private func scene(
        _ s3: S3Server, bucket: String, secret: String = S3Server.secret, agedFirst: Int = 0,
        way: (any HTTPExchanging)? = nil
    ) -> SigningAPI {
        SigningAPI(
            storage: way ?? client,
            isThere: { (try? await s3.object(bucket, $0)) != nil },
            sign: { key, count in
                // A quarter of an hour old, but valid for only one minute.
                let time = Date(timeIntervalSinceNow: count < agedFirst ? -900 : 0)
                return s3.sign("PUT", "/\(bucket)/\(key)", secret: secret, at: time, seconds: 60)
            })
    }

    private func uploader(_ client: any HTTPExchanging) -> SignedURLUploader {
        SignedURLUploader(url: SigningAPI.base, user: "user 1", template: "t-1", client: client) {
            () throws(DeliveryFailure) in SigningAPI.token
        }
    }

    @Test func aSessionsRecordingsArriveByteByByte() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        let api = scene(s3, bucket: bucket)
        let answers = try (1...4).map {
            try sample.answer(order: $0, byteCount: [1, 65_536, 200_000, 1_000_000][$0 - 1])
        }
        var persistence = Persistence()
        #expect(await persistence.deliver([sample.session] + answers + [sample.completion], by: uploader(api)))
        #expect(persistence.failures.isEmpty, "\(persistence.failures)")
        for answer in answers {
            let key = try #require(api.now.answers[answer.id.name])
            let stored = try #require(try await s3.object(bucket, key))
            #expect(SHA256.hexadecimal(of: stored) == answer.file!.sha256)
        }
        #expect(try await s3.count(bucket) == 4)
        print("S3: \(answers.count) recordings, the same bytes")
    }

    @Test func aWrongSignatureIsRefusedAndNotRepeated() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        let failed = await failure(of: uploader(scene(s3, bucket: bucket, secret: "wrong")), try sample.answer())
        #expect(failed?.kind == .refused)
        #expect(failed?.code == "403/SignatureDoesNotMatch")
        #expect(failed.map { "\($0)" }?.contains("X-Amz") == false)
        #expect(try await s3.count(bucket) == 0)
    }

    @Test func anExpiredAddressIsRenewedOnce() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        let once = scene(s3, bucket: bucket, agedFirst: 1)
        #expect(await failure(of: uploader(once), try sample.answer()) == nil)
        #expect(once.addressCount == 2)
        #expect(try await s3.count(bucket) == 1)
        let always = scene(s3, bucket: bucket, agedFirst: .max)
        let failed = await failure(of: uploader(always), try sample.answer(order: 2))
        #expect(failed?.kind == .transient, "\(String(describing: failed))")
        #expect(always.addressCount == 2)
    }

    @Test func damageOnTheWayIsSeenByTheStorageAndSentAgain() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        let answer = try sample.answer()
        let damaged = sample.folder + "/damaged"
        var bytes = try Data(contentsOf: URL(filePath: answer.file!.path))
        bytes[150_000] ^= 4
        try bytes.write(to: URL(filePath: damaged))
        let failed = await failure(
            of: uploader(scene(s3, bucket: bucket, way: Swapping(client: client, path: damaged))), answer)
        #expect(failed?.kind == .transient)
        #expect(failed?.code == "400/BadDigest")
        #expect(try await s3.count(bucket) == 0, "damaged bytes were stored")
        #expect(await failure(of: uploader(scene(s3, bucket: bucket)), answer) == nil)
        #expect(try await s3.count(bucket) == 1)
    }

    @Test func recordingsTooLargeForTheStorageAreRefused() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        let failed = await failure(
            of: uploader(scene(s3, bucket: bucket)), try sample.answer(byteCount: S3Server.largest + 1))
        #expect(failed?.kind == .refused)
        #expect(failed?.code.hasSuffix("/EntityTooLarge") == true)
    }

    @Test func aMissingBucketIsRefused() async throws {
        let s3 = try await S3Server.shared
        let failed = await failure(of: uploader(scene(s3, bucket: "missing-bucket")), try sample.answer())
        #expect(failed?.kind == .refused)
        #expect(failed?.code == "404/NoSuchBucket")
    }

    @Test func anyMishapToAnyRequestLeavesOneObject() async throws {
        let s3 = try await S3Server.shared
        let bucket = try await s3.makeBucket()
        var count = 0
        for number in 1...3 {
            for mishap in UnreliableWay.Mishap.allCases {
                count += 1
                let answer = try sample.answer(order: count, byteCount: 20_000 + count)
                let api = scene(s3, bucket: bucket)
                var persistence = Persistence()
                let uploader = uploader(UnreliableWay(to: api, mishap: (number, mishap)))
                #expect(
                    await persistence.deliver([answer], by: uploader), "\(mishap) at \(number): \(persistence.failures)"
                )
                let key = try #require(api.now.answers[answer.id.name])
                let stored = try #require(try await s3.object(bucket, key))
                #expect(SHA256.hexadecimal(of: stored) == answer.file!.sha256)
            }
        }
        #expect(try await s3.count(bucket) == count)
        print("S3: \(count) mishaps, each with one object")
    }
}

/// A connection on which other bytes arrive than were sent.
private struct Swapping: HTTPExchanging {
    var client: CurlClient
    var path: String

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        var request = request
        if case .file(_, let offset, let count) = request.body {
            request.body = .file(path: path, offset: offset, byteCount: count)
        }
        return try await client.exchange(request, limits: limits, sent: sent)
    }
}
