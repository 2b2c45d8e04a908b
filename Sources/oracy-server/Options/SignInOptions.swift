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

    @Option(
        name: .customLong("sign-in"),
        help: "A file of schools whose people sign in with their own account, by OpenID Connect (docs/school.md).")
    var schools: String?

    @Option(help: "The iss that tokens must have.")
    var issuer: String?

    @Option(help: "The aud that tokens must have.")
    var audience: String?

    /// Whether callers may use tokens.
    var takesTokens: Bool { tokenSecret != nil || jwks != nil }

    /// Checks that exactly one way to sign in was chosen. Schools may stand beside tokens, which programs need.
    ///
    /// - Throws: `ValidationError` if none or several were chosen.
    func requireOne() throws {
        let chosen = [development, tokenSecret != nil, jwks != nil].count { $0 }
        guard chosen == 1 && !(development && schools != nil) || chosen == 0 && schools != nil else {
            throw ValidationError(
                "say who may use the server: one of --development, --token-secret FILE, --jwks FILE-OR-URL; or --sign-in "
                    + "FILE, alone or beside tokens")
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
        let keys = try await tokenKeys()
        if let schools { return .schools(try SchoolAccounts(file: schools), tokens: keys) }
        return keys.map { .tokens($0) } ?? .development
    }

    /// Reads the keys of tokens. Nil if callers may use none.
    private func tokenKeys() async throws -> TokenKeys? {
        let source: TokenKeys.Source
        if let tokenSecret {
            source = .secret(Self.secret(try PrivateFile.read(tokenSecret)))
        } else if let jwks {
            source = jwks.contains("://") ? .url(jwks) : .file(jwks)
        } else {
            return nil
        }
        let keys = TokenKeys(source, issuer: issuer, audience: audience)
        try await keys.load()
        return keys
    }

    /// Returns a file's bytes. If they are a line of text, its line end is removed, because editors and `echo` add it.
    static func secret(_ bytes: [UInt8]) -> [UInt8] {
        let line = bytes.prefix { 0x20...0x7E ~= $0 }
        let end = bytes.dropFirst(line.count)
        return end.elementsEqual("\n".utf8) || end.elementsEqual("\r\n".utf8) ? Array(line) : bytes
    }
}
