import Crypto
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Logging
import SystemSupport

/// Signs people in by their school's own service: sends browsers there, checks what they bring back, and finds the
/// person whose cookie a request carries.
struct SchoolDesk: BrowserDesk {
    let services: Services
    let accounts: SchoolAccounts
    let cookies: SignInCookies
    /// Limits how many sign-ins begin at an address, which a whole school may share.
    private let beginnings = TokenBuckets<String>(most: 300, oneEvery: 0.2)

    /// The seconds in which a browser must come back.
    private static let patience = 600.0

    init(services: Services, accounts: SchoolAccounts) {
        (self.services, self.accounts) = (services, accounts)
        cookies = SignInCookies(isEncrypted: accounts.isEncrypted)
    }

    private var store: ServiceStore { services.store.service }

    // MARK: To the school

    /// Begins a sign-in, and ends an earlier one of the same browser. The cookie of that one comes along only here:
    /// when the school sends the browser back, the request is from another site.
    ///
    /// - Returns: the address at the school to which the browser must go, and the cookie by which it is known again.
    /// - Throws: `APIProblem`: 404, 429, or 503 if the service cannot be used. `StoreError`.
    func begin(
        at school: String, from address: String, headers: HTTPFields
    ) async throws -> (address: String, cookie: HTTPField) {
        guard let provider = accounts.providers[school] else { throw APIProblem.missing("school") }
        if let wait = beginnings.take(SignInGuard.network(address), at: SteadyClock.now) {
            throw APIProblem(
                .tooManyRequests, "too-many-requests", "Too many requests",
                "Many people sign in at this moment. Try again in \(wait) s.", retryAfter: wait)
        }
        let description: SchoolProvider.Description
        do throws(SchoolFailure) {
            description = try await provider.description()
        } catch {
            note(error, at: school)
            throw APIProblem(
                .serviceUnavailable, "unavailable", "Temporarily unavailable",
                "The sign-in of \(provider.school.name) cannot be used at the moment.", retryAfter: 30)
        }
        let (state, browser, nonce, verifier) = (SignInToken(), SignInToken(), SignInToken(), SignInToken())
        let now = services.clock()
        try await store.begin(
            SchoolAttempt(
                stateHash: state.digest, browserHash: browser.digest, school: school, nonce: nonce.text,
                verifier: verifier.text, until: now + Self.patience), at: now)
        if let earlier = token(in: headers) { _ = try await store.endSchoolSignIn(tokenHash: earlier.digest) }
        let asked = FormText.address(
            description.authorization,
            [
                ("response_type", "code"), ("client_id", provider.school.client),
                ("redirect_uri", accounts.redirect(of: school)),
                ("scope", (provider.school.scopes ?? ["openid", "profile"]).joined(separator: " ")),
                ("state", state.text), ("nonce", nonce.text), ("code_challenge", Self.challenge(verifier.text)),
                ("code_challenge_method", "S256"),
            ])
        return (asked, cookies.storing(browser.text, as: .attempt, days: Self.patience / 86_400))
    }

    /// Returns the hash by which the service recognises the verifier (RFC 7636, 4.2).
    private static func challenge(_ verifier: String) -> String {
        Data(Crypto.SHA256.hash(data: Data(verifier.utf8))).base64URL
    }

    // MARK: Back from the school

    /// The fields of the address with which a school sends a browser back.
    struct Returned: Sendable {
        var state, code, issuer, error: String?
    }

    /// Signs in the person whom a school names.
    ///
    /// - Returns: the cookie that signs the browser in.
    /// - Throws: `SchoolFailure`, `StoreError`.
    func finish(_ returned: Returned, at school: String, headers: HTTPFields) async throws -> HTTPField {
        guard let browser = cookies.value(.attempt, in: headers).flatMap(SignInToken.init) else {
            throw SchoolFailure(.browser)
        }
        let now = services.clock()
        guard let state = returned.state.flatMap(SignInToken.init),
            let attempt = try await store.useAttempt(stateHash: state.digest, browserHash: browser.digest, at: now)
        else { throw SchoolFailure(.state) }
        guard attempt.school == school, let provider = accounts.providers[school] else {
            throw SchoolFailure(.otherSchool)
        }
        let claims = try await claims(returned, of: provider, attempt)
        let person = try person(claims, of: provider.school)
        let token = SignInToken()
        try await store.signIn(person, tokenHash: token.digest, at: now, until: now + accounts.span)
        services.logger.info(
            "signed in by a school",
            metadata: [
                "school": "\(school)", "user": "\(person.user.name)",
                "roles": "\(person.roles.map(\.rawValue).sorted().joined(separator: ","))",
            ])
        return cookies.storing(token.text, as: .signIn, days: accounts.span / 86_400)
    }

    private func claims(
        _ returned: Returned, of provider: SchoolProvider, _ attempt: SchoolAttempt
    ) async throws(SchoolFailure) -> Claims {
        let description = try await provider.description()
        // Another service may have sent the browser here, with a code that this one never gave (RFC 9207).
        guard returned.issuer.map({ $0 == description.issuer }) ?? (description.namesItself != true) else {
            throw SchoolFailure(.answeringIssuer)
        }
        if let error = returned.error { throw SchoolFailure(error == "access_denied" ? .cancelled : .service) }
        guard let code = returned.code, 1...4_096 ~= code.utf8.count else { throw SchoolFailure(.noCode) }
        let tokens = try await provider.tokens(
            for: code, verifier: attempt.verifier, redirect: accounts.redirect(of: attempt.school))
        let token = try IDToken(tokens.idToken)
        return try await token.claims(
            signedBy: provider.key(for: token.header),
            expected: .init(
                issuer: description.issuer, client: provider.school.client, nonce: attempt.nonce,
                accessToken: tokens.accessToken, now: services.clock()))
    }

    private func person(_ claims: Claims, of school: SchoolSettings.School) throws(SchoolFailure) -> SchoolPerson {
        let admission: SchoolRules.Admission
        do throws(SchoolRules.Refusal) {
            admission = try accounts.settings.rules(of: school).admit(claims)
        } catch {
            throw SchoolFailure(SchoolRefusal(error))
        }
        guard let subject = claims.texts("sub").first else { throw SchoolFailure(.subject) }
        // Always of both, even if the subject is a UUID: another school could name the same one.
        return SchoolPerson(
            user: TokenClaims.user(issuer: school.issuer, subject: subject), school: school.id, name: admission.name,
            roles: admission.roles, groups: admission.groups)
    }

    /// Counts a refused sign-in, and logs the reason without any text of the request or the token.
    func note(_ failure: SchoolFailure, at school: String) {
        services.metrics.add(.signInFailures, label: "reason=\"school-\(failure.refusal.rawValue)\"")
        var metadata: Logger.Metadata = ["reason": "school-\(failure.refusal.rawValue)", "school": "\(school)"]
        if let sentence = failure.sentence { metadata["what"] = "\(sentence)" }
        services.logger.info("sign-in refused", metadata: metadata)
    }

    // MARK: Requests of people who are signed in

    func caller(by token: SignInToken) async throws(StoreError) -> SignedBrowser? {
        guard let found = try await store.schoolSignIn(tokenHash: token.digest, at: services.clock()),
            // The operator may have removed the school meanwhile.
            let provider = accounts.providers[found.person.school]
        else { return nil }
        return SignedBrowser(
            caller: Caller(
                user: found.person.user, roles: Set(found.person.roles.flatMap(\.permissions)),
                groups: found.person.groups, until: found.until),
            school: provider.school.name)
    }

    func signOut(_ token: SignInToken) async throws(StoreError) -> String? {
        guard let school = try await store.endSchoolSignIn(tokenHash: token.digest),
            let provider = accounts.providers[school]
        else { return nil }
        let description = try? await provider.description()
        return description?.signOut.map {
            FormText.address(
                $0,
                [("client_id", provider.school.client), ("post_logout_redirect_uri", accounts.settings.address + "/")])
        }
    }

    func signOutEverywhere(_ user: UUID) async throws(StoreError) { try await store.endSchoolSignIns(of: user) }
}
