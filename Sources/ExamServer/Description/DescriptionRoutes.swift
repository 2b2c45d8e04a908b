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
        "no-such-recording": "A spoken answer names a recording that is not there, or has other bytes.",
        "already-submitted": "Other answers were submitted before; an attempt is submitted once.",
        "other-answers": "A batch, or a question of it, is here with another answer. What is here stays.",
        "other-batches": "The batches that are here are some of another number.",
        "storage-full": "Your recordings take all the room that you have. Erase a session.",
        "exams-used-up": "You have begun as many exams as you may in a day.",
        "recording-too-large": "The recording is longer than one may be.",
        "not-a-recording": "The Content-Type is none that is taken as sound.",
        "already-there": "This answer has a recording already. What is stored stays.",
        "not-a-piece": "A piece of a resumable upload has another Content-Type.",
        "checksum-mismatch": "A piece is not what its Upload-Checksum says. Send it again.",
        "other-version": "The server speaks tus 1.0.0.",
        "being-written": "Another request writes to this upload. Try again in a moment.",
        "past-the-end": "More came than the upload was said to have.",
        "upload-expired": "The upload lay here for too long. Begin a new one.",
        "other-offset": "The upload stands elsewhere: ask with HEAD.",
        "bad-address": "The server did not sign this address.",
        "other-type": "The address was made for another Content-Type.",
        "address-used": "Something else was sent to this address. Ask for a new one.",
        "address-expired": "The address is no longer good. Ask for a new one.",
        "somebody-else": "user_id is not the user whose token came with the request.",
        "over": "The exam is over: its results can be fetched.",
        "upgrade": "This address is a WebSocket.",
        "no-consent": "Without consent nothing is recorded.",
        "too-many-requests": "Wait for the seconds of Retry-After.",
        "unavailable": "The server cannot reach what it keeps things in. Try again in a moment.",
        "no-room": "The server's disk has no room for another exam. Try again in a minute, or another server.",
        "not-ready": "Something that the server needs does not answer, or has no room; the detail names it.",
        "other-host": "The server is not to be asked for by this name.",
        "headers-too-large": "The address and the headers are longer than they may be.",
        "http-version": "The server speaks HTTP/1.1.",
        "transfer-coding": "Of transfer codings, the server knows chunked.",
        "expectation": "The server knows no other expectation than 100-continue.",
        "fault": "A fault of the server's. Nothing that was stored is lost.",
    ]
}
