import ExamStore
import HTTPTypes
import Hummingbird
import Logging

/// Routes for signing in by a school's own service. On servers without schools they answer 404.
struct SchoolRoutes: Sendable {
    let desk: SchoolDesk?

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.post("v1/sign-in/:school", use: begin)
        routes.get("v1/sign-in/:school/callback", use: comeBack)
    }

    /// Returns the address at the school to which the page sends the browser.
    @Sendable private func begin(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Told: Encodable, Sendable { var address: String }
        let (desk, school) = try opened(context)
        try desk.requireOwnPage(request.headers, at: request.head.authority)
        let begun = try await desk.begin(at: school, from: context.address, headers: request.headers)
        var headers: HTTPFields = [:]
        headers.append(begun.cookie)
        return Answer(Told(address: begun.address), headers: headers)
    }

    /// Takes a browser back from the school, and leads it to the page. A refusal is a word in the page's address, for
    /// which the page has a sentence.
    @Sendable private func comeBack(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (desk, school) = try opened(context)
        guard desk.accounts.providers[school] != nil else { throw APIProblem.missing("school") }
        let fields = request.uri.queryParameters
        let returned = SchoolDesk.Returned(
            state: fields.get("state"), code: fields.get("code"), issuer: fields.get("iss"), error: fields.get("error"))
        var headers: HTTPFields = [.location: "/"]
        do {
            headers.append(try await desk.finish(returned, at: school, headers: request.headers))
        } catch let failure as SchoolFailure {
            desk.note(failure, at: school)
            headers[.location] = "/#/sign-in/\(failure.refusal.word)"
        } catch let error as StoreError {
            context.logger.error("store", metadata: ["what": "\(error.message)"])
            headers[.location] = "/#/sign-in/\(SchoolRefusal.unreachable.word)"
        }
        headers.append(desk.cookies.removing(.attempt))
        return Response(status: .seeOther, headers: headers)
    }

    private func opened(_ context: ServerContext) throws(APIProblem) -> (SchoolDesk, school: String) {
        guard let desk, let school = context.parameters.get("school") else { throw .missing("school") }
        return (desk, school)
    }
}
