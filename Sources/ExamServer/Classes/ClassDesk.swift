import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import SystemSupport

/// Signs members of classes in and out, and finds the member whose cookie a request carries.
struct ClassDesk: BrowserDesk {
    let services: Services
    let accounts: ClassAccounts
    let cookies: SignInCookies
    private let guesses: SignInGuard
    /// The key that signs the cookies of known browsers. Nil if it cannot be stored: then no browser is known.
    private let secret: UploadSecret?
    /// A hash to compare PINs of unknown names with, so that these take as long as known names.
    private let nobody: PINHash

    init(services: Services, accounts: ClassAccounts) async {
        self.services = services
        self.accounts = accounts
        cookies = SignInCookies(isEncrypted: accounts.isEncrypted)
        guesses = SignInGuard(accounts.guessing)
        secret = UploadSecret(of: services)
        nobody = await PINHash.make(of: SignInToken().text, cost: accounts.cost)
    }

    private var store: ServiceStore { services.store.service }

    // MARK: Requests of members

    func caller(by token: SignInToken) async throws(StoreError) -> SignedBrowser? {
        let now = services.clock()
        let found = try await store.signedIn(tokenHash: token.digest, at: now, grace: ClassAccounts.grace)
        guard let found else { return nil }
        let caller = Caller(
            user: found.member.id, roles: found.member.role.permissions, groups: [found.className], until: found.until)
        // A token that was already replaced, and ends soon, is not renewed.
        guard now.timeIntervalSince(found.begun) > ClassAccounts.renewal,
            found.until.timeIntervalSince(now) > ClassAccounts.grace
        else { return SignedBrowser(caller: caller) }
        let fresh = SignInToken()
        let isRenewed = try await store.renew(
            tokenHash: token.digest, by: fresh.digest, at: now, until: now + Self.span)
        return SignedBrowser(caller: caller, renewal: isRenewed ? stored(fresh) : nil)
    }

    func signOut(_ token: SignInToken) async throws(StoreError) -> String? {
        try await store.signOut(tokenHash: token.digest)
        return nil
    }

    func signOutEverywhere(_ user: UUID) async throws(StoreError) { try await store.signOutEverywhere(user) }

    // MARK: Signing in

    /// The name, code and PIN that a person typed.
    struct Typed: Sendable {
        var code, name, pin: String
        /// The address of the browser.
        var address: String
        /// The browser's cookies.
        var headers: HTTPFields
    }

    /// A member who has just signed in, with the cookies for their browser.
    struct Welcome: Sendable {
        var member: ClassMember
        var className: String
        var cookies: HTTPFields
    }

    /// Adds a learner to the class with a code, and signs the learner in.
    ///
    /// - Throws: `APIProblem`: 404 for a wrong code, 409 for a name that is taken or a full class, 429. `StoreError`.
    func join(_ typed: Typed) async throws -> Welcome {
        try requireGood(typed.pin, "pin")
        let joined = try await schoolClass(of: typed)
        // New members count, too, so that one person cannot fill a class.
        _ = try guesses.admit(from: typed.address, at: SteadyClock.now)
        let hash = await PINHash.make(of: typed.pin, cost: accounts.cost)
        let member = ClassMember(id: UUID(), name: typed.name, role: .learner)
        let result = try await store.add(
            member, to: joined.id, pinHash: hash.text, limit: ClassAccounts.mostMembers)
        switch result {
        case .joined: return try await welcome(member, of: joined.name, in: typed.headers)
        case .noClass: throw APIProblem.noSuchClass
        case .nameTaken:
            throw APIProblem(
                .conflict, "name-taken", "This name is taken",
                "Someone in this class has this name. If it is you, sign in with your PIN. Otherwise add a letter.")
        case .full:
            throw APIProblem(
                .conflict, "class-full", "The class is full",
                "A class has at most \(ClassAccounts.mostMembers) members. Ask your teacher to remove some.")
        }
    }

    private func requireGood(_ pin: String, _ field: String) throws(APIProblem) {
        guard PIN.isGood(pin) else {
            throw .malformed("\(field): choose 6 to 12 digits, not one digit only and not 123456….")
        }
    }

    /// Gives a member another PIN, if they know the present one. The member is signed out everywhere, and signed in
    /// again in this browser.
    ///
    /// - Parameters:
    ///   - address: the address of the browser.
    ///   - headers: the browser's cookies.
    /// - Throws: `APIProblem`: 400 for a new PIN that is easy to guess, 403 for a wrong present one, 404 for a user
    ///   without a PIN, 429. `StoreError`.
    func changePIN(
        of user: UUID, from known: String, to new: String, at address: String, headers: HTTPFields
    ) async throws -> Welcome {
        try requireGood(new, "newPin")
        guard new != known else { throw APIProblem.malformed("newPin: is the present PIN; choose another one.") }
        guard let own = try await store.schoolClass(of: user),
            let me = try await store.members(of: own.id).first(where: { $0.id == user }),
            let hash = try await store.member(named: me.name, of: own.id)?.pinHash
        else { throw Self.noPIN }
        let attempt = try admit(me, of: own, from: address, headers: headers)
        guard await PINHash(text: hash).matches(known) else { throw wrongOwnPIN() }
        let fresh = await PINHash.make(of: new, cost: accounts.cost)
        guard try await store.put(pinHash: fresh.text, of: user, replacing: hash) else { throw wrongOwnPIN() }
        attempt.succeeded()
        return try await welcome(me, of: own.name, in: headers)
    }

    static var noPIN: APIProblem { APIProblem(.notFound, "not-found", "Not found", "You have no PIN here.") }

    /// Counts a try of a member's PIN.
    private func admit(
        _ member: ClassMember, of joined: SchoolClass, from address: String, headers: HTTPFields
    ) throws(APIProblem) -> SignInGuard.Attempt {
        let device = knownDevice(in: headers).flatMap { $0.member == member.id ? $0.device : nil }
        return try guesses.admit(
            name: "\(joined.id) \(ClassMember.key(of: member.name))", device: device, from: address,
            at: SteadyClock.now)
    }

    private func wrongPIN() -> APIProblem { wrongPIN("Name or PIN is wrong", "Check both.") }

    private func wrongOwnPIN() -> APIProblem {
        wrongPIN("Your present PIN is wrong", "Type the PIN with which you signed in.")
    }

    private func wrongPIN(_ title: String, _ remedy: String) -> APIProblem {
        services.metrics.add(.signInFailures, label: "reason=\"pin\"")
        return APIProblem(
            .forbidden, "wrong-pin", title,
            "\(remedy) If you have forgotten your PIN, your teacher can give you a new one.")
    }

    /// Signs a member in by name and PIN.
    ///
    /// - Throws: `APIProblem`: 404 for a wrong code, 403 for a wrong name or PIN, 429. `StoreError`.
    func signIn(_ typed: Typed) async throws -> Welcome {
        let joined = try await schoolClass(of: typed)
        let known = try await store.member(named: typed.name, of: joined.id)
        let device = knownDevice(in: typed.headers).flatMap { $0.member == known?.member.id ? $0.device : nil }
        let attempt = try guesses.admit(
            name: "\(joined.id) \(ClassMember.key(of: typed.name))", device: device, from: typed.address,
            at: SteadyClock.now)
        let hash = known?.pinHash.map(PINHash.init) ?? nobody
        guard await hash.matches(typed.pin), let member = known?.member else {
            throw wrongPIN()
        }
        attempt.succeeded()
        return try await welcome(member, of: joined.name, in: typed.headers)
    }

    /// Signs a member in by a link, which works once.
    ///
    /// - Throws: `APIProblem` 403, 429. `StoreError`.
    func signIn(link: SignInToken?, from address: String, headers: HTTPFields) async throws -> Welcome {
        let attempt = try guesses.admit(from: address, at: SteadyClock.now)
        guard let link, let member = try await store.useLink(linkHash: link.digest, at: services.clock()),
            let joined = try await store.schoolClass(of: member.id)
        else {
            services.metrics.add(.signInFailures, label: "reason=\"link\"")
            throw APIProblem(
                .forbidden, "link-used", "This link does not work any more",
                "A sign-in link works once, for a day. Start the server again: it prints a new one.")
        }
        attempt.succeeded()
        return try await welcome(member, of: joined.name, in: headers)
    }

    private func schoolClass(of typed: Typed) async throws -> SchoolClass {
        let attempt = try guesses.admit(from: typed.address, at: SteadyClock.now)
        guard let code = JoinCode.read(typed.code), let found = try await store.schoolClass(code: code) else {
            services.metrics.add(.signInFailures, label: "reason=\"code\"")
            throw APIProblem.noSuchClass
        }
        attempt.succeeded()
        return found
    }

    // MARK: Cookies

    private static let span = ClassAccounts.days * 86_400
    /// The days for which a browser is known.
    private static let deviceDays = 180.0

    private func stored(_ token: SignInToken) -> HTTPField {
        cookies.storing(token.text, as: .signIn, days: ClassAccounts.days)
    }

    private func knownDevice(in headers: HTTPFields) -> KnownDevice? {
        cookies.value(.device, in: headers).flatMap { secret?.opened(String($0), as: KnownDevice.self) }
    }

    /// Makes a new token for a member. The browser's earlier token is never used again: another page may have set it.
    private func welcome(
        _ member: ClassMember, of className: String, in headers: HTTPFields
    ) async throws -> Welcome {
        let (token, now) = (SignInToken(), services.clock())
        let isMember = try await store.signIn(
            member.id, tokenHash: token.digest, at: now, until: now + Self.span, ending: self.token(in: headers)?.digest
        )
        guard isMember else { throw APIProblem.noToken }
        var fields: HTTPFields = [:]
        fields.append(stored(token))
        let device = KnownDevice(
            member: member.id, device: knownDevice(in: headers)?.device ?? UUID().uuidString.lowercased())
        if let signed = secret?.signed(device) {
            fields.append(cookies.storing(signed, as: .device, days: Self.deviceDays))
        }
        return Welcome(member: member, className: className, cookies: fields)
    }
}

extension APIProblem {
    static let noSuchClass = APIProblem(
        .notFound, "no-such-class", "No class has this code", "Check the code with your teacher.")

    /// The error for a browser whose sign-in has ended, without the reason.
    static let signedOut = APIProblem(
        .unauthorized, "signed-out", "You were signed out", "Sign in again.", headers: [.wwwAuthenticate: "Bearer"])
}

extension ClassMember.Role {
    /// The permissions for other users' data.
    var permissions: Set<Role> {
        switch self {
        case .learner: []
        case .teacher: [.teacher]
        case .marker: [.marker]
        }
    }
}
