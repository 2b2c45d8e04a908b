import HTTPTypes
import Hummingbird

/// The server's description for programs: OpenAPI 3.1.
enum DescriptionRoutes {
    /// All clients read the same bytes.
    private static let description = StaticFile(PackageResources.openapi_json, kind: "application/json")

    static func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("openapi.json") { request, _ in description.response(to: request) }
        // A problem's type refers to this address, which has a sentence about each.
        routes.get("problems/:code") { _, context -> Response in
            let code = context.parameters.get("code") ?? ""
            guard let words = ProblemCodes.words[code] else { throw APIProblem.missing("problem") }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(code): \(words)\n")))
        }
    }
}

/// The meanings of the codes in problem documents.
enum ProblemCodes {
    static let words = [
        "no-token": "The request needs a valid bearer token.",
        "signed-out": "The browser's sign-in has ended. Sign in again.",
        "no-such-class": "No class has this code.",
        "name-taken": "Another member of the class has this name.",
        "class-full": "The class has as many members as it may.",
        "wrong-pin": "The name or the PIN is wrong.",
        "link-used": "The sign-in link is unknown, was used, or has expired.",
        "not-found": "There is nothing here, or it is not yours.",
        "not-yours": "It exists, but belongs to another user.",
        "not-your-role": "This is for markers, teachers or services, and the token does not give its user that role.",
        "not-over": "The exam is not over, or has no answer.",
        "enough-taken": "You hold as many exams as a marker may. Mark one, or give one back.",
        "already-marked": "Your marks of this exam are saved, and final.",
        "no-profile": "The learner has no profile yet: PUT /v1/plan/profile.",
        "no-plan": "This week has no plan yet. POST /v1/plan/preview shows one.",
        "plan-changed": "The plan would be a different one by now. Preview it again.",
        "nothing-to-undo": "This week's plan was not changed yet.",
        "parent-missing":
            "The session or answer to which this belongs has not arrived. Send that first, then this again.",
        "malformed": "The request is invalid; the detail names the field.",
        "contradictory": "Each field is valid, but some contradict each other; the detail names them.",
        "media-type": "This address does not take a body of this Content-Type.",
        "method": "This address does not take this method.",
        "too-large": "The body is too long.",
        "digest-mismatch": "The bytes do not match the digest that came with them. Send them again.",
        "other-bytes": "The stored recording is not the one that the answer names.",
        "sealed": "The exam is over and sealed. It can be erased, but not changed.",
        "held-here": "The server itself holds this exam: only the server stores its answers and ends it.",
        "conflict": "Different values are already stored under this id.",
        "wrong-answers": "The answers break a rule for submissions; the detail names the field.",
        "no-such-recording": "A spoken answer names a recording that does not exist or has different bytes.",
        "already-submitted": "Different answers were submitted before; an attempt can be submitted only once.",
        "other-answers": "A batch, or one of its questions, is already stored with a different answer, which stays.",
        "other-batches": "The stored batches say a different number of batches.",
        "storage-full": "You have used all your storage. Erase something.",
        "exams-used-up": "You have begun as many exams, or spoken drills, as you can in a day.",
        "papers-used-up": "You have reached the limit of stored papers, or of papers written in a day.",
        "consent-missing": "Something would be sent to a third party, and you have not agreed to that.",
        "paper-not-ready": "The paper is still being written, or writing it failed.",
        "not-failed": "Only a paper or test that failed can be tried again.",
        "test-not-ready": "The test is still being written, writing it failed, or it was handed in.",
        "tests-used-up": "You have reached the limit of stored practice tests, or of tests written in a day.",
        "not-in-progress": "The test was not started, or it was handed in.",
        "not-asked": "Another question or drill is the current one. Fetch the drill to see which.",
        "nothing-to-practise": "Nothing that was asked for is left for today.",
        "introduction": "The answer is an introduction. Transcripts of introductions are not stored.",
        "recording-too-large": "The recording is too large.",
        "not-a-recording": "The Content-Type is not an audio type.",
        "needs-conversion":
            "The server cannot decode recordings of this kind. The detail has the command that converts it.",
        "already-there": "This answer already has a recording, which stays.",
        "not-a-piece": "A piece of a resumable upload has the wrong Content-Type.",
        "checksum-mismatch": "A piece does not match its Upload-Checksum. Send it again.",
        "other-version": "The server speaks tus 1.0.0.",
        "being-written": "Another request is writing to this upload. Try again in a moment.",
        "past-the-end": "The upload is longer than announced.",
        "upload-expired": "The upload has expired. Begin a new one.",
        "other-offset": "The upload is at another offset: ask with HEAD.",
        "bad-address": "The server did not sign this address.",
        "other-type": "The address was made for a different Content-Type.",
        "address-used": "Something else was sent to this address. Ask for a new one.",
        "address-expired": "The address has expired. Ask for a new one.",
        "somebody-else": "user_id is not the user whose token came with the request.",
        "over": "The exam is over: its results can be fetched.",
        "upgrade": "This address is a WebSocket.",
        "too-many-requests": "Wait as many seconds as Retry-After says.",
        "too-many-streams": "You follow as many streams of results as one user may. Close one.",
        "unavailable": "The server cannot reach its database or its storage. Try again in a moment.",
        "no-room":
            "The server's disk is full, or the server is about to stop. Try again in a minute, or use another server.",
        "not-ready": "A part that the server needs does not answer, or its disk is full; the detail names it.",
        "other-host": "The server does not go by this name.",
        "other-origin":
            "A page of another site may not change anything, in development or for a person who signed in with a PIN.",
        "headers-too-large": "The address and headers are too long.",
        "http-version": "The server speaks HTTP/1.1.",
        "transfer-coding": "The only transfer coding that the server supports is chunked.",
        "expectation": "The only expectation that the server supports is 100-continue.",
        "fault": "Something failed on the server. Nothing that was stored is lost.",
    ]
}
