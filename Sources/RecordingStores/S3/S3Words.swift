import Foundation
import HTTPClient

/// Descriptions of a storage server's errors for an operator. Its own message may repeat signed data, so only the
/// error's code is shown.
enum S3Words {
    /// Returns the error's code: `SignatureDoesNotMatch`. Empty without a code, as in answers to HEAD.
    static func code(_ answer: HTTPResponse) -> String { element("Code", answer) }

    /// Returns the keys in a listing. Objects that this server did not create are left out.
    static func keys(_ answer: HTTPResponse) -> [AudioKey] {
        answer.text.split(separator: "<Key>").dropFirst().compactMap { rest in
            rest.range(of: "</Key>").flatMap { AudioKey(String(rest[..<$0.lowerBound])) }
        }
    }

    /// Returns whether the storage received other bytes than were sent.
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

    /// Returns the difference of the clocks: `37 minutes`.
    private static func difference(_ answer: HTTPResponse, _ now: Date) -> String {
        guard let text = answer.headers["date"], let date = HTTPDate(text) else { return "more than 15 minutes" }
        let minutes = Int((abs(Double(date.secondsSince1970) - now.timeIntervalSince1970) / 60).rounded())
        return minutes < 15 ? "more than 15 minutes" : "\(minutes) minutes"
    }

    /// Returns the letters, digits and hyphens of the first such element, so that no part of an HTML page gets through.
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
