import Crypto
import Foundation

@testable import ExamServer

/// JWKS documents (RFC 7517), as they come from an address or a file, some with numbers and points that are invalid
/// keys. Afterwards, tokens that name these keys.
struct KeySets: FuzzKind {
    static let name = "key-sets"
    static let share = 30_000

    private let set: JSON
    private let folder = FuzzPlan.folder + "/keys"

    init() throws {
        // The primes of this modulus are unknown, so nothing can be signed with it.
        var modulus = Data([0xC1])
        var chance = Chance(seed: 1)
        modulus += Data(chance.bytes(254)) + Data([0x0B])
        let plain = { (data: Data) in
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        func point(_ curve: String, _ alg: String, _ bytes: Data) -> JSON {
            let half = bytes.count / 2
            return [
                "kty": "EC", "use": "sig", "alg": .text(alg), "crv": .text(curve), "kid": .text(curve),
                "x": .text(plain(bytes.prefix(half))), "y": .text(plain(bytes.suffix(half))),
            ]
        }
        set = [
            "keys": [
                ["kty": "RSA", "use": "sig", "alg": "RS256", "kid": "rsa", "n": .text(plain(modulus)), "e": "AQAB"],
                ["kty": "RSA", "kid": "rsa-pss", "n": .text(plain(modulus)), "e": "AQAB"],
                point("P-256", "ES256", P256.Signing.PrivateKey().publicKey.rawRepresentation),
                point("P-384", "ES384", P384.Signing.PrivateKey().publicKey.rawRepresentation),
                point("P-521", "ES512", P521.Signing.PrivateKey().publicKey.rawRepresentation),
                [
                    "kty": "OKP", "crv": "Ed25519", "kid": "okp", "alg": "EdDSA",
                    "x": .text(plain(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)),
                ],
            ]
        ]
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func attempt(_ chance: inout Chance) async throws {
        guard case .object(let fields) = set, case .list(let keys) = fields[0].value else { return }
        // One or two keys, because the first invalid one ends the reading.
        var few = [chance.one(of: keys)]
        if chance.once(in: 3) { few.append(chance.one(of: keys)) }
        if chance.once(in: 6) { few.append(["kty": "oct", "kid": "oct", "alg": "HS256", "k": "c2VjcmV0"]) }
        let path = "\(folder)/\(chance.next()).json"
        try Data((JSON.object([(name: "keys", value: .list(few))])).spoiled(&chance)).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let source = TokenKeys(.file(path))
        do { try await source.load() } catch { return }
        for name in ["rsa", "rsa-pss", "P-256", "P-384", "P-521", "okp", "oct"] {
            let alg = chance.one(of: Self.algorithms)
            let header = JSON.object([(name: "alg", value: .text(alg)), (name: "kid", value: .text(name))])
            let token = SignedTokens.token(header.written, #"{"sub":"a","exp":9999999999}"#)
            let owner = try? await source.caller(of: token)
            try demand(owner == nil, "a token signed with an unknown key got in: \(alg) \(name)")
        }
    }

    private static let algorithms = [
        "HS256", "HS384", "RS256", "RS512", "PS256", "PS384", "ES256", "ES384", "ES512", "EdDSA", "none", "",
        "ML-DSA-65",
    ]
}
