import ArgumentParser
import ExamServer
import Foundation
import SystemSupport

/// The options that decide who may use the server.
struct SignInOptions: ParsableArguments {
    @Flag(help: "Treat all visitors as the same user, without tokens. On loopback only.")
    var development = false

    @Option(
        name: .customLong("token-secret"), help: "A file with the secret for HS256 tokens, at least 32 bytes."
    )
    var tokenSecret: String?

    @Option(
        help:
            "A file or https URL with the tokens' public keys (JWKS), for RS256 and ES256. It may change while the server runs."
    )
    var jwks: String?

    @Option(help: "The iss that tokens must have.")
    var issuer: String?

    @Option(help: "The aud that tokens must have.")
    var audience: String?

    /// Checks that exactly one way to sign in was chosen.
    ///
    /// - Throws: `ValidationError` if none or several were chosen.
    func requireOne() throws {
        guard [development, tokenSecret != nil, jwks != nil].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "say who may use the server: one of --development, --token-secret FILE, --jwks FILE-OR-URL")
        }
    }

    func validate() throws {
        guard let jwks else { return }
        let url = Spelling.web(jwks)
        guard !jwks.isEmpty, url != nil || !jwks.contains("://") else {
            throw ValidationError("--jwks \(jwks): name a file, or an https:// URL")
        }
        // Anyone between the machines could answer with keys of their own, and sign in as any user.
        if let url, Spelling.isPlain(url) {
            throw ValidationError("--jwks \(jwks): fetches keys from another machine without encryption; use https")
        }
    }

    func signIn() async throws -> SignIn {
        let source: TokenKeys.Source
        if let tokenSecret {
            source = .secret(Self.secret(try PrivateFile.read(tokenSecret)))
        } else if let jwks {
            source = jwks.contains("://") ? .url(jwks) : .file(jwks)
        } else {
            return .development
        }
        let keys = TokenKeys(source, issuer: issuer, audience: audience)
        try await keys.load()
        return .tokens(keys)
    }

    /// Returns a file's bytes. If they are a line of text, its line end is removed, because editors and `echo` add it.
    static func secret(_ bytes: [UInt8]) -> [UInt8] {
        let line = bytes.prefix { 0x20...0x7E ~= $0 }
        let end = bytes.dropFirst(line.count)
        return end.elementsEqual("\n".utf8) || end.elementsEqual("\r\n".utf8) ? Array(line) : bytes
    }
}
