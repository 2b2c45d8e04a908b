import Foundation
import HTTPClient
import JWTKit
public import SystemSupport

/// The keys that sign bearer tokens, and the callers of tokens. Any thread may use it.
///
/// HS256 with a shared secret, or RS256 and ES256 (and their longer variants) with the public keys of a JWKS document,
/// which may change while the server runs. A file is read again when it has changed, an address every five minutes.
/// Both are also read when a token names an unknown key, at most every ten seconds. If an address cannot be reached,
/// its last keys remain valid.
public actor TokenKeys {
    /// The source of the keys.
    public enum Source: Sendable, Equatable {
        /// The bytes of a secret, at least 32 (RFC 7518, 3.2).
        case secret([UInt8])
        /// The path of a JWKS document on this disk.
        case file(String)
        /// The address of a JWKS document.
        case url(String)
    }

    private let source: Source
    private let issuer: String?
    private let audience: String?
    private let client = CurlClient()
    private var keys = JWTKeyCollection()
    private var known: Set<String> = []
    /// The keys of the set that state no algorithm, by their names.
    private var unstated: [String: JWK] = [:]
    /// The key for tokens that name none, if the set has only one.
    private var onlyKey: JWK?
    private var readAt: Duration?
    private var fileStamp: Stamp?

    private struct Stamp: Equatable {
        var inode: UInt64?
        var at: Date?
        var size: UInt64?
    }

    private static let lifetime = Duration.seconds(300)
    private static let pause = Duration.seconds(10)

    /// Creates the keys.
    ///
    /// - Parameters:
    ///   - issuer, audience: the values required in tokens. Nil accepts any.
    public init(_ source: Source, issuer: String? = nil, audience: String? = nil) {
        self.source = source
        self.issuer = issuer
        self.audience = audience
    }

    /// Reads the keys for the first time.
    ///
    /// - Throws: `Problem`: `malformed`, `missing`. A server without keys would reject everyone, so it should not
    ///   start.
    public func load() async throws(Problem) {
        switch source {
        case .secret(let secret):
            guard secret.count >= 32 else {
                throw Problem(
                    .malformed,
                    "the token secret has \(secret.count) bytes, but HS256 needs at least 32 (RFC 7518); make one with "
                        + "\"openssl rand -hex 32\"")
            }
            let fresh = JWTKeyCollection()
            await fresh.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            keys = fresh
        case .file(let path):
            let stamp = Self.stamp(path)
            try await take(Self.read(path), from: path)
            fileStamp = stamp
        case .url(let url):
            try await take(await fetch(url), from: url)
        }
        readAt = SteadyClock.now
    }

    /// Returns the caller of a token, with permissions.
    func caller(of token: String) async throws(TokenRefusal) -> Caller {
        guard token.utf8.count <= 8192 else { throw .tooLong }
        guard let header = TokenHeader(of: token) else { throw .malformed }
        guard !header.asksForMore else { throw .criticalHeader }
        await refresh(for: header.kid)
        let claims: TokenClaims
        do {
            claims = try await collection(for: header).verify(token, as: TokenClaims.self)
        } catch {
            throw TokenRefusal(error)
        }
        let caller = try claims.caller()
        if let issuer, claims.iss?.value != issuer { throw .issuer }
        if let audience, claims.aud?.names.contains(audience) != true { throw .audience }
        return caller
    }

    /// Returns the keys to verify a token with.
    ///
    /// JWTKit keeps the algorithm of the first token that names a key without one, and any client can send that token.
    /// So such a key gets a collection of its own each time.
    private func collection(for header: TokenHeader) async throws -> JWTKeyCollection {
        guard var key = unstated[header.kid ?? ""] ?? onlyKey, key.algorithm == nil else { return keys }
        key.algorithm = header.alg.flatMap(JWK.Algorithm.init)
        return try await JWTKeyCollection().add(jwk: key, isDefault: true)
    }

    private func refresh(for kid: String?) async {
        let age = readAt.map { SteadyClock.now - $0 } ?? .seconds(86_400)
        let isStale =
            switch source {
            case .secret: false
            case .file(let path): Self.stamp(path) != fileStamp
            case .url: age > Self.lifetime
            }
        let isUnknown = source.isSet && age > Self.pause && !known.contains(kid ?? "")
        guard isStale || isUnknown else { return }
        readAt = SteadyClock.now
        // If reading fails, the old keys remain valid.
        try? await load()
    }

    private func take(_ json: [UInt8], from place: String) async throws(Problem) {
        let fresh = JWTKeyCollection()
        let set: JWKS
        do {
            set = try JSONDecoder().decodeForeign(JWKS.self, from: Data(json))
            try await fresh.add(jwks: set)
        } catch {
            throw Problem(.malformed, "\(place): is not a set of public keys (JWKS, RFC 7517) with a kid each")
        }
        guard !set.keys.isEmpty else { throw Problem(.malformed, "\(place): has no keys, so no user could sign in") }
        // A token that names no known key must not be tried with the first key.
        await fresh.clearDefault()
        if set.keys.count == 1 { _ = try? await fresh.add(jwk: set.keys[0], isDefault: true) }
        keys = fresh
        known = Set(set.keys.compactMap { $0.keyIdentifier?.string })
        unstated = Dictionary(
            set.keys.filter { $0.algorithm == nil }.compactMap { key in key.keyIdentifier.map { ($0.string, key) } }
        ) { $1 }
        onlyKey = set.keys.count == 1 ? set.keys[0] : nil
    }

    private func fetch(_ url: String) async throws(Problem) -> [UInt8] {
        let request = HTTPRequest("GET", url, headers: [("Accept", "application/json")])
        let answer: HTTPResponse
        do throws(HTTPFailure) {
            answer = try await client.exchange(request, limits: HTTPLimits(), sent: { _ in })
        } catch {
            throw Problem(.missing, "\(url): the token keys cannot be fetched: \(error.sentence)")
        }
        guard answer.status == 200 else {
            throw Problem(.missing, "\(url): answered \(answer.status) instead of the token keys")
        }
        return answer.body
    }

    private static func read(_ path: String) throws(Problem) -> [UInt8] { try PrivateFile.read(path) }

    private static func stamp(_ path: String) -> Stamp? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        return Stamp(
            inode: facts[.systemFileNumber] as? UInt64, at: facts[.modificationDate] as? Date,
            size: facts[.size] as? UInt64)
    }
}

extension TokenKeys.Source {
    fileprivate var isSet: Bool {
        if case .secret = self { false } else { true }
    }
}
