package import Foundation
import SystemSupport

/// The routes of this project's backend that a queue uses, version 1. Both sides of the wire share these definitions.
///
/// `{base}` is the backend's address. Ids are UUIDs in lower case. Each request carries `Authorization: Bearer …`
/// unless the backend needs none. Every write is a PUT to an address that the client made, so that repeating it has no
/// further effect:
///
/// | request | body | done |
/// |---|---|---|
/// | `PUT {base}/v1/sessions/{session}` | `SessionRow` | 201; 200 or 204 if it was there |
/// | `PUT {base}/v1/sessions/{session}/answers/{upload}/recording` | the bytes | 201; 200 or 204 if these bytes were there |
/// | `PUT {base}/v1/sessions/{session}/answers/{upload}` | `AnswerRow` | the same |
/// | `PUT {base}/v1/sessions/{session}/completion` | `CompletionRow` | 202, or the same |
/// | `GET {base}/v1/sessions/{session}/results` | | 200 `{"status":"in_progress"…"evaluated"|"failed","assessment","scores","answers"}`; `Prefer: wait=25` delays it while `assessment` is `waiting` |
/// | `GET {base}/v1/templates` | | 200 `{"templates":[{"id","title","description","difficulty"…}]}` |
/// | `GET {base}/v1/templates/{template}/exam` | | 200 `{"format":{…},"paper":{…}}`, as their files |
/// | `GET {base}/v1/templates/{template}/recording?name=` | | 200 with the bytes, or 304 |
/// | `GET`, `PUT {base}/v1/profile` | `{"username","fullName"}` | 200 with `picture` as well; 204 |
/// | `PUT {base}/v1/profile/picture` | PNG, JPEG or WebP | 204 |
/// | `POST {base}/v1/submissions/{submission}` | `QuizSubmissionRequest` | 202 `QuizSubmissionResponse`, the same for every repetition |
/// | `POST {base}/v1/submissions` | `{"id","template"?}` | 201, also if it is open: before the answers of a quiz other than a practice test |
/// | `GET {base}/v1/submissions/{submission}` | | 200 `{"id","status","state","attemptId"?,"grading"?:"none"|"waiting"|"done","right"?,"count"?,"percentage"?}` |
/// | `GET`, `POST {base}/v1/practice-tests`, `GET {base}/v1/practice-tests/{test}`, `POST {base}/v1/practice-tests/{test}/start` | | 200 or 201 with tests; handed in as submissions are |
/// | `GET {base}/v1/practice/boards`, `PUT`, `DELETE {base}/v1/practice/boards/{group}` | `{"name"}` | 200 with the boards of the user's groups; 204 |
/// | `GET {base}/v1/questions`, `POST {base}/v1/tasks` | `{"title","dueDate","isComplete"}` | 200 with the item bank's questions; 201 |
/// | `GET {base}/health` | | 200 `{"status":"ok"}`; needs no token |
/// | `POST {base}/v1/uploads` | tus 1.0.0 | 201 with the place of a resumable upload; 404, 405 or 501 if unsupported |
///
/// **The recording** comes with `Content-Type`, `Content-Length` and `Repr-Digest: sha-256=:<base64>:` (RFC 9530), and
/// is stored only if it has that digest. Otherwise the status is 422 (clients also understand 412), and the client
/// sends it again. An answer may carry the `Repr-Digest` of the stored bytes. A client with another digest then sends
/// the recording again. A recording may arrive before its answer, and doesn't count without it. 409 means that other
/// bytes are stored, and the answer carries their `Repr-Digest`. If it equals the client's own, all is well. 413 is
/// final.
///
/// **Resumable.** A recording of more than 6 MiB is sent in pieces by tus 1.0.0, with `session`, `answer` (the upload's
/// id), `filename`, `filetype` and `sha256` as its metadata. The last piece has the same effect as the PUT. A backend
/// without tus receives the PUT. A 409 to the creation is `already-there`, with the `Repr-Digest` of the stored bytes,
/// or `parent-missing`.
///
/// **Order.** A session comes before its answers, a recording before its answer, the completion last. A request that
/// comes too early gets 404 or 409 with the problem type `…/parent-missing`, and the client tries again later.
///
/// **Repetition.** The same PUT with other facts replaces them (a completion's count of answers may grow), except those
/// of a recording.
///
/// **Sealed.** 409 with the problem type `…/sealed` or `…/held-here` is final: the exam is over and accepts no
/// additions, or the backend itself holds it.
///
/// **Errors** are problem details (RFC 9457): `application/problem+json` with `type`, `title`, `detail`. The last part
/// of the type is the error's code. Title and detail are for people. 401: a person must sign in. 429 and 503 may carry
/// `Retry-After`. `ErrorTable` has the rest.
package struct BackendRoutes {
    /// The address without a slash at its end.
    let base: String

    package init(base: String) {
        var base = base[...]
        while base.last == "/" { base.removeLast() }
        self.base = String(base)
    }

    package var health: String { "\(base)/health" }

    package var templates: String { "\(base)/v1/templates" }

    package func exam(of template: UUID) -> String { "\(templates)/\(template.name)/exam" }

    /// - Parameter name: The name in the format or the paper.
    package func recording(_ name: String, of template: UUID) -> String {
        "\(templates)/\(template.name)/recording?name=\(name.inQuery)"
    }

    package var profile: String { "\(base)/v1/profile" }
    package var profilePicture: String { "\(profile)/picture" }

    package var submissions: String { "\(base)/v1/submissions" }
    package func submission(_ id: UUID) -> String { "\(submissions)/\(id.name)" }

    package var practiceTests: String { "\(base)/v1/practice-tests" }
    package func practiceTest(_ id: UUID) -> String { "\(practiceTests)/\(id.name)" }

    package var boards: String { "\(base)/v1/practice/boards" }
    package func board(of group: String) -> String { "\(boards)/\(group.inQuery)" }

    package var tasks: String { "\(base)/v1/tasks" }

    /// - Parameters: The item bank's names; nil for any.
    package func questions(topic: String?, difficulty: String?, limit: Int) -> String {
        let wishes = [("topic", topic), ("difficulty", difficulty)].compactMap { name, value in
            value.map { "&\(name)=\($0.inQuery)" }
        }
        return "\(base)/v1/questions?limit=\(limit)\(wishes.joined())"
    }

    package var uploads: String { "\(base)/v1/uploads" }

    package func session(_ session: UUID) -> String { "\(base)/v1/sessions/\(session.name)" }

    package func answer(_ answer: UUID, of session: UUID) -> String {
        "\(self.session(session))/answers/\(answer.name)"
    }

    package func recording(_ answer: UUID, of session: UUID) -> String {
        "\(self.answer(answer, of: session))/recording"
    }

    package func results(of session: UUID) -> String { "\(self.session(session))/results" }

    package func completion(of session: UUID) -> String { "\(self.session(session))/completion" }

    /// The last part of the problem type for a missing parent.
    package static let parentMissing = "parent-missing"

    /// The ends of problem types which mean that the exam accepts nothing more from its client.
    package static let closed: Set = ["sealed", "held-here"]

    /// The end of the problem type which means that the answer already has a recording.
    package static let alreadyThere = "already-there"
}

extension String {
    /// The text for a URL's query: everything except unreserved characters is escaped (RFC 3986, 2.3).
    package var inQuery: String {
        let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{21}"..."\u{7e}"))
            .union(CharacterSet(charactersIn: "-._~"))
        return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
