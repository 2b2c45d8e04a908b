import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import SystemSupport

/// Routes for signing in and out with an account of this server, and for signing out of one that a school gave. On
/// servers without such accounts they answer 404.
struct SignInRoutes: Sendable {
    let desk: ClassDesk?
    /// Nil if no school's people can sign in.
    let schools: SchoolDesk?
    /// Whether callers may also use tokens of another service.
    let takesTokens: Bool

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sign-in", use: ways)
        routes.post("v1/class/join", use: join)
        routes.post("v1/class/sign-in", use: signIn)
        routes.post("v1/class/link", use: followLink)
        routes.put("v1/class/pin", use: changePIN)
        routes.post("v1/class/sign-out", use: signOut)
        routes.delete("v1/class/sign-ins", use: signOutEverywhere)
    }

    /// The ways to sign in on this server.
    private struct Ways: Encodable, Sendable {
        var classes, tokens: Bool
        var schools: [School]

        struct School: Encodable, Sendable { var id, name: String }
    }

    @Sendable private func ways(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let schools = schools?.accounts.settings.schools ?? []
        return Answer(
            Ways(classes: desk != nil, tokens: takesTokens, schools: schools.map { .init(id: $0.id, name: $0.name) }))
    }

    private struct Told: Encodable, Sendable {
        var user: LowercaseID
        var name, role, `class`: String

        init(_ welcome: ClassDesk.Welcome) {
            user = LowercaseID(welcome.member.id)
            name = welcome.member.name
            role = welcome.member.role.rawValue
            `class` = welcome.className
        }
    }

    @Sendable private func join(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let (desk, typed) = try await typed(request, context)
        let welcome = try await desk.join(typed)
        return Answer(Told(welcome), .created, headers: welcome.cookies)
    }

    @Sendable private func signIn(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let (desk, typed) = try await typed(request, context)
        let welcome = try await desk.signIn(typed)
        return Answer(Told(welcome), headers: welcome.cookies)
    }

    @Sendable private func followLink(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Wanted: Decodable { var link: String }
        let desk = try opened(request)
        let wanted = try await request.json(Wanted.self, context)
        try Field.text(wanted.link, "link", atMost: 100)
        let welcome = try await desk.signIn(
            link: SignInToken(wanted.link), from: context.address, headers: request.headers)
        return Answer(Told(welcome), headers: welcome.cookies)
    }

    /// Changes the caller's own PIN. A browser that is signed in stays so, with another token.
    @Sendable private func changePIN(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Wanted: Decodable { var pin, newPin: String }
        let user = try context.requireUser()
        guard let desk else { throw ClassDesk.noPIN }
        let wanted = try await request.json(Wanted.self, context)
        try Field.text(wanted.pin, "pin", atMost: 12)
        try Field.text(wanted.newPin, "newPin", atMost: 12)
        let welcome = try await desk.changePIN(
            of: user, from: wanted.pin, to: wanted.newPin, at: context.address, headers: request.headers)
        // A program with a token keeps it, and needs no cookie.
        return Response(status: .noContent, headers: context.isMember ? welcome.cookies : [:])
    }

    /// Signs this browser out. It also works if it is signed out already. A person of a school is told where to sign
    /// out there.
    @Sendable private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Told: Encodable, Sendable { var address: String }
        guard let browsers else { throw Self.noAccounts }
        try browsers.requireOwnPage(request.headers, at: request.head.authority)
        let removing: HTTPFields = [.setCookie: browsers.cookies.removing(.signIn).value]
        guard let token = browsers.token(in: request.headers), let address = try await browsers.signOut(token) else {
            return Response(status: .noContent, headers: removing)
        }
        return try Answer(Told(address: address), headers: removing).response(from: request, context: context)
    }

    @Sendable private func signOutEverywhere(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        guard let browsers else { throw APIProblem.missing("account") }
        try await browsers.signOutEverywhere(user)
        return Response(status: .noContent, headers: [.setCookie: browsers.cookies.removing(.signIn).value])
    }

    private var browsers: (any BrowserDesk)? {
        if let desk { return desk }
        return schools
    }

    private static let noAccounts = APIProblem(
        .notFound, "not-found", "Not found", "This server has no classes: sign in with a token.")

    private func opened(_ request: Request) throws(APIProblem) -> ClassDesk {
        guard let desk else { throw Self.noAccounts }
        try desk.requireOwnPage(request.headers, at: request.head.authority)
        return desk
    }

    private func typed(_ request: Request, _ context: ServerContext) async throws -> (ClassDesk, ClassDesk.Typed) {
        struct Wanted: Decodable { var code, name, pin: String }
        let desk = try opened(request)
        let wanted = try await request.json(Wanted.self, context)
        try Field.text(wanted.code, "code", atMost: 40)
        try Field.text(wanted.name, "name", atMost: ClassAccounts.longestName)
        guard !ClassMember.key(of: wanted.name).isEmpty else { throw APIProblem.malformed("name: must not be empty.") }
        try Field.text(wanted.pin, "pin", atMost: 12)
        return (
            desk,
            .init(
                code: wanted.code, name: wanted.name.trimmingCharacters(in: .whitespaces), pin: wanted.pin,
                address: context.address, headers: request.headers)
        )
    }
}
