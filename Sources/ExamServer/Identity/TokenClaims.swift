import Crypto
import Foundation
import JWTKit

/// What a bearer token says of its owner.
struct TokenClaims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim
    var nbf: NotBeforeClaim?
    var iss: IssuerClaim?
    var aud: AudienceClaim?

    /// Clocks of two machines differ: as PostgREST allows (wire-contracts of Supabase, 2).
    private static let skew = 30.0

    func verify(using algorithm: some JWTAlgorithm) throws {
        try exp.verifyNotExpired(currentDate: Date(timeIntervalSinceNow: -Self.skew))
        try nbf?.verifyNotBefore(currentDate: Date(timeIntervalSinceNow: Self.skew))
    }

    /// Whose token it is: the subject where it is a UUID, else one made of issuer and subject, the same each time.
    var user: UUID? {
        if let id = UUID(uuidString: sub.value) { return id }
        guard !sub.value.isEmpty, sub.value.utf8.count <= 255 else { return nil }
        let digest = SHA256.hash(data: Data("\(iss?.value ?? "") \(sub.value)".utf8))
        var bytes = Array(digest.prefix(16))
        // RFC 9562, version 8: made in a way of one's own.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
