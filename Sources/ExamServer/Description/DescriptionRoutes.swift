import HTTPTypes
import Hummingbird

/// The server's description for programs: OpenAPI 3.1.
enum DescriptionRoutes {
    static func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
        // Where a problem's type points to: a sentence about each.
        routes.get("problems/:code") { _, context -> Response in
            let code = context.parameters.get("code") ?? ""
            guard let words = ProblemCodes.words[code] else { throw APIProblem.missing("problem") }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(code): \(words)\n")))
        }
    }
}

/// What the codes of problem documents mean.
enum ProblemCodes {
    static let words = [
        "no-token": "The request needs a valid bearer token.",
        "not-found": "There is nothing here, or it is not yours.",
        "not-yours": "It is there, and belongs to somebody else.",
        "parent-missing": "What this belongs to is not here yet. Send that first, then this again.",
        "malformed": "The request is not what this address takes; the detail names the field.",
        "contradictory": "Each field may be as it is, but not all of them together; the detail says which.",
        "media-type": "The body is of a kind that this address does not take.",
        "method": "This address does not take that method.",
        "too-large": "The body is longer than it may be.",
        "digest-mismatch": "The bytes are not those whose digest came with them. Send them again.",
        "other-bytes": "The recording that is stored is not the one that the answer names.",
        "conflict": "Other facts are stored under this id already.",
        "wrong-answers": "The answers break a rule of submissions; the detail names the field.",
        "already-submitted": "Other answers were submitted before; an attempt is submitted once.",
        "storage-full": "Your recordings take all the room that you have. Erase a session.",
        "exams-used-up": "You have begun as many exams as you may in a day.",
        "recording-too-large": "The recording is longer than one may be.",
        "not-a-recording": "The Content-Type is none of sound.",
        "already-there": "This answer has a recording already. What is stored stays.",
        "too-many-requests": "Wait for the seconds of Retry-After.",
        "unavailable": "The server cannot reach what it keeps things in. Try again in a moment.",
        "fault": "A fault of the server's. Nothing that was stored is lost.",
    ]
}
