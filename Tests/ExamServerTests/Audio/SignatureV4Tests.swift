import Foundation
import TestSupport
import Testing

@testable import ExamServer
@testable import RecordingStores

/// Tests with the requests and signatures of "Authenticating Requests (AWS Signature Version 4)" in the S3 API
/// reference, and tests of dates and keys.
@Suite struct SignatureV4Tests {
    private let signature = SignatureV4(
        key: S3Key(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), region: "us-east-1")
    private let host = "examplebucket.s3.amazonaws.com"
    /// 2013-05-24, 00:00 UTC.
    private let time = Date(timeIntervalSince1970: 1_369_353_600)
    /// The SHA-256 digest of an empty body.
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private func sign(_ request: SignatureV4.Request, _ body: String = nothing) -> String {
        let headers = signature.headers(request, bodySHA256: body, at: time)
        let words = headers.first { $0.0 == "authorization" }!.1
        return String(words.suffix(64))
    }

    @Test func weekdaysBefore1970AreRight() {
        #expect(UTCText(Date(timeIntervalSince1970: -1)).header == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(UTCText(Date(timeIntervalSince1970: 0)).header == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(UTCText(Date(timeIntervalSince1970: -604_800)).header == "Thu, 25 Dec 1969 00:00:00 GMT")
    }

    @Test func aRangeOfAnObject() {
        #expect(
            sign(.init(method: "GET", host: host, path: "/test.txt", headers: [("range", "bytes=0-9")]))
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func anObjectWithAnOddName() {
        let request = SignatureV4.Request(
            method: "PUT", host: host, path: "/test$file.text",
            headers: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")])
        #expect(
            sign(request, "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(SignatureV4.target(request) == "/test%24file.text")
    }

    @Test func aQueryWithoutValue() {
        #expect(
            sign(.init(method: "GET", host: host, path: "/", query: [("lifecycle", "")]))
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test func aList() {
        #expect(
            sign(.init(method: "GET", host: host, path: "/", query: [("prefix", "J"), ("max-keys", "2")]))
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func anAddress() {
        let address = signature.address(.init(method: "GET", host: host, path: "/test.txt"), seconds: 86_400, at: time)
        #expect(
            address.hasSuffix(
                "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    }

    @Test func aSecretIsNeverPrinted() {
        let key = S3Key(id: "id", secret: "hush", session: "whisper")
        for text in [
            "\(key)", String(reflecting: key),
            String(describing: S3Settings(endpoint: "http://h", bucket: "b", key: key)),
        ] {
            #expect(!text.contains("hush") && !text.contains("whisper"))
        }
        var words = ""
        dump(key, to: &words)
        #expect(!words.contains("hush"))
    }

    @Test func aKeyComesFromTheEnvironmentOrAPrivateFile() throws {
        #expect(S3Key(environment: ["AWS_ACCESS_KEY_ID": "a"]) == nil)
        #expect(S3Key(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])?.secret == "b")
        let folder = try TemporaryFolder()
        let path = try folder.file(Array(#"{"id":"a","secret":"hush"}"#.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: (any Error).self) { try S3Key(file: path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try S3Key(file: path).secret == "hush")
        let odd = try folder.file(Array(#"{"secret":"hush"}"#.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: odd)
        do {
            _ = try S3Key(file: odd)
            Issue.record("a file without an id was accepted as a key")
        } catch {
            #expect(!"\(error)".contains("hush"))
        }
    }
}
