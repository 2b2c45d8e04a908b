import Foundation
import HTTPClient

/// What a storage's error means, in words for an operator. Its own message may repeat what was signed, so only its code is shown.
enum S3Words {
    /// `SignatureDoesNotMatch`; empty where there is none, as in answers to HEAD.
    static func code(_ answer: HTTPResponse) -> String { element("Code", answer) }

    /// The keys that a listing names; objects that this server did not put there are left out.
    static func keys(_ answer: HTTPResponse) -> [AudioKey] {
        answer.text.split(separator: "<Key>").dropFirst().compactMap { rest in
            rest.range(of: "</Key>").flatMap { AudioKey(String(rest[..<$0.lowerBound])) }
        }
    }

    /// Whether other bytes arrived than were sent.
    static func isDamage(_ answer: HTTPResponse) -> Bool {
        ["BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest"].contains(code(answer))
    }

    static func sentence(_ answer: HTTPResponse, _ settings: S3Settings, now: Date) -> String {
        let code = code(answer)
        switch code {
        case "RequestTimeTooSkewed", "RequestExpired":
            return "this machine's clock and the storage's differ by \(difference(answer, now)): set the clock"
        case "SignatureDoesNotMatch":
            return "the storage says that the secret of the access key is another one"
        case "InvalidAccessKeyId", "UnrecognizedClientException":
            return "the storage does not know the access key"
        case "ExpiredToken", "InvalidToken":
            return "the access key was lent, and its time is over"
        case "NoSuchBucket":
            return "there is no bucket \(settings.bucket)"
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException",
            "AuthorizationQueryParametersError":
            let region = [element("Region", answer), answer.headers["x-amz-bucket-region"] ?? ""].first { !$0.isEmpty }
            return "the region is not \(settings.region)" + (region.map { ", but \($0)" } ?? "")
        case "AccessDenied", "AllAccessDisabled":
            return "the access key may not do this in the bucket \(settings.bucket)"
        case "EntityTooLarge":
            return "the storage takes no object as large as this"
        case "QuotaExceeded", "InsufficientStorage":
            return "the storage is full"
        default:
            return "the storage answered \(answer.status)\(code.isEmpty ? "" : " \(code)")"
        }
    }

    /// `37 minutes`.
    private static func difference(_ answer: HTTPResponse, _ now: Date) -> String {
        guard let text = answer.headers["date"], let date = HTTPDate(text) else { return "more than 15 minutes" }
        let minutes = Int((abs(Double(date.secondsSince1970) - now.timeIntervalSince1970) / 60).rounded())
        return minutes < 15 ? "more than 15 minutes" : "\(minutes) minutes"
    }

    /// Letters, digits and hyphens of the first such element: nothing of a page in HTML.
    private static func element(_ name: String, _ answer: HTTPResponse) -> String {
        let text = answer.text.prefix(4_000)
        guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>"),
            start.upperBound <= end.lowerBound
        else { return "" }
        let word = text[start.upperBound..<end.lowerBound]
        let isWord =
            word.utf8.count <= 64 && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return isWord ? String(word) : ""
    }
}
