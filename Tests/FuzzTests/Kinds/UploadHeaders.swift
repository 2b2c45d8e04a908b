import BackendAPI
import Foundation

@testable import ExamServer
@testable import RecordingStores

/// Headers of requests: resumable uploads, digests, ranges, media types.
struct UploadHeaders: FuzzKind {
    static let name = "headers"
    static let share = 162_000

    func attempt(_ chance: inout Chance) async throws {
        switch chance.below(5) {
        case 0:
            if let read = try? UploadMetadata(Self.metadata(&chance)), let digest = read.sha256 {
                try demand(digest.utf8.count == 64, "a digest of \(digest.utf8.count) bytes")
            }
        case 1: _ = try? UploadChecksum(Self.changed("sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", &chance))
        case 2:
            let read = ReprDigest(
                field: Self.changed(
                    "sha-512=:aGVsbG8=:, sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:", &chance))
            try demand(read.map { $0.sha256.utf8.count == 64 } ?? true, "a digest of another length")
            _ = ReprDigest(sha256: Self.changed(String(repeating: "aF09", count: 16), &chance))
        case 3:
            let length = chance.one(of: [0, 1, 320, 1 << 20, 1 << 40])
            let range = ByteRange(Self.range(&chance), of: length)
            if case .part(let part) = range {
                try demand(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= length, "\(part) of \(length)")
            }
        default:
            if let kind = AudioMediaType(
                Self.changed(chance.one(of: ["audio/ogg; codecs=opus", "audio/x-wav"]), &chance))
            {
                try demand(kind.text.utf8.count <= 46 && kind.text.utf8.allSatisfy { $0 > 32 && $0 < 127 }, kind.text)
            }
            _ = AudioMediaType(suffix: Self.changed(".opus", &chance))?.suffix
        }
    }

    static func metadata(_ chance: inout Chance) -> String {
        let pairs = [
            ("session", "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11"), ("answer", "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a12"),
            ("filetype", "audio/ogg"), ("sha256", String(repeating: "ab12", count: 16)), ("filename", "part1_q1.opus"),
        ]
        var field = pairs.map { name, value in
            let value = chance.once(in: 6) ? Oddities.text(&chance) : value
            return "\(name) \(Data(value.utf8).base64EncodedString())"
        }
        if chance.once(in: 4) { field.append(chance.one(of: field)) }
        let text = field.joined(separator: chance.one(of: [",", ", ", ",,"]))
        return chance.once(in: 2) ? text.spoiled(&chance) : text
    }

    static func range(_ chance: inout Chance) -> String {
        let ends = [
            "", "0", "1", "99", "319", "320", "999999999999999999", "9223372036854775807", "18446744073709551616", "-1",
            " 5", "٣",
        ]
        let text =
            "\(chance.one(of: ["bytes=", "Bytes=", "bytes =", "items="]))\(chance.one(of: ends))-\(chance.one(of: ends))"
        return chance.once(in: 4) ? text.spoiled(&chance) : chance.once(in: 6) ? text + "," + text : text
    }

    static func changed(_ text: String, _ chance: inout Chance) -> String {
        chance.once(in: 8) ? Oddities.text(&chance) : text.spoiled(&chance)
    }
}
